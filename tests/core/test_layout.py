"""Which file belongs to which prompt: by names alone."""

from __future__ import annotations

import pytest

from lastgood.core.config import Config, DeclaredPrompt
from lastgood.core.layout import lay_out, prompt_id_of, stray_findings


def config(**settings: object) -> Config:
    return Config("lastgood.toml", **settings)  # type: ignore[arg-type]


def entries(*paths: str) -> dict[str, tuple[str, str]]:
    return dict.fromkeys(paths, ("100644", "0" * 40))


@pytest.mark.parametrize(
    ("name", "prompt_id"),
    [
        ("billing.txt", "billing"),
        ("billing", "billing"),
        ("team/billing.md", "team/billing"),
        ("agent-v1.2", "agent-v1.2"),
        ("agent-v1.2.txt", "agent-v1.2"),
        ("a.b/c", "a.b/c"),
        ("a.b/c.txt", "a.b/c"),
        (".hidden", ".hidden"),
        ("x/.hidden", "x/.hidden"),
        ("two words.txt", "two words"),
        ("ü.txt", "ü"),
    ],
)
def test_a_prompt_id_is_the_name_without_suffix(name: str, prompt_id: str) -> None:
    assert prompt_id_of(name) == prompt_id


def test_every_file_goes_to_its_prompt() -> None:
    found = lay_out(
        config(),
        entries(
            "prompts/billing.txt",
            "prompts/team/late.md",
            "golden/billing/suite.json",
            "golden/billing/catalog.json",
            "golden/billing/README.md",
            "golden/team/late/one.json",
            "golden/schemas/reply.json",
            "baselines/stub/billing/HEAD",
            "baselines/stub/billing/migrations/0001_x.json",
            "baselines/real/team/late/one.json",
            "baselines/stub/.gitkeep",
            "src/main.py",
        ),
    )
    assert {prompt_id: prompt.files for prompt_id, prompt in found.prompts.items()} == {
        "billing": ("prompts/billing.txt",),
        "team/late": ("prompts/team/late.md",),
    }
    assert found.golden == {
        "billing": ("golden/billing/catalog.json", "golden/billing/suite.json"),
        "team/late": ("golden/team/late/one.json",),
    }
    assert found.baselines == {
        ("stub", "billing"): ("baselines/stub/billing/HEAD", "baselines/stub/billing/migrations/0001_x.json"),
        ("real", "team/late"): ("baselines/real/team/late/one.json",),
    }
    assert found.schemas == ("golden/schemas/reply.json",)
    assert (found.strays, found.findings) == ((), ())
    assert found.completers_of("billing") == ["stub"]


def test_what_belongs_to_no_prompt_is_a_stray() -> None:
    found = lay_out(
        config(), entries("prompts/a.txt", "golden/b/suite.json", "golden/b/x.json", "baselines/stub/b/HEAD")
    )
    assert found.strays == ("baselines/stub/b/HEAD", "golden/b/suite.json", "golden/b/x.json")
    said = [(finding.code, finding.path, finding.message) for finding in stray_findings(found)]
    assert said == [
        (
            "prompt-gone",
            "golden/b/suite.json",
            "golden cases without a prompt: no prompt 'b' is in the tree and 1 more",
        ),
        ("prompt-gone", "baselines/stub/b/HEAD", "baseline of stub without a prompt: no prompt 'b' is in the tree"),
    ]


def test_unguarded_prompts_are_named_and_not_prompts() -> None:
    found = lay_out(config(unguarded=("prompts/drafts/**",)), entries("prompts/a.txt", "prompts/drafts/b.txt"))
    assert (list(found.prompts), found.unguarded) == (["a"], ("prompts/drafts/b.txt",))


def test_a_declared_prompt_takes_its_files_from_the_globs() -> None:
    declared = DeclaredPrompt("agent", ("prompts/agent.md", "prompts/_tone.md", "tools/*.json"))
    found = lay_out(
        config(declared=(declared,)),
        entries("prompts/agent.md", "prompts/_tone.md", "prompts/other.md", "tools/b.json", "tools/a.json"),
    )
    assert found.prompts["agent"].files == ("prompts/agent.md", "prompts/_tone.md", "tools/b.json", "tools/a.json")
    assert list(found.prompts) == ["agent", "other"]


def test_one_file_of_two_globs_is_one_prompt() -> None:
    found = lay_out(config(prompts=("prompts/**", "prompts/*.txt")), entries("prompts/a.txt"))
    assert (list(found.prompts), found.findings) == (["a"], ())


def test_two_files_of_one_id_collide_whatever_their_folders() -> None:
    found = lay_out(config(prompts=("a/**", "b/**")), entries("a/x.txt", "b/x.md"))
    assert [(finding.code, finding.path) for finding in found.findings] == [("prompt-collision", "b/x.md")]


@pytest.mark.parametrize("path", ["prompts/.gitkeep", "prompts/team/.DS_Store"])
def test_hidden_files_are_no_prompts(path: str) -> None:
    found = lay_out(config(), entries(path))
    assert [finding.code for finding in found.findings] == ["no-prompt"]


def test_a_part_of_a_tree_may_hold_no_prompt() -> None:
    assert lay_out(config(), entries("src/x"), partial=True).findings == ()
