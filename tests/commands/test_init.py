"""`lastgood init`: what it finds, what it writes beside what is there, and that the next edit is then stopped."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
import tomli
import yaml  # type: ignore[import-untyped]

from pages import blocks, fits, page, steps
from repository import LASTGOOD, Repository
from terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

LONG = "You are a helpful assistant that answers with the status of an order, and nothing else."
MODULE = f'"""Prompts."""\nSYSTEM_PROMPT = "{LONG}"\nLIMIT = 3\n'
PERSON = {"CI": "", "GITHUB_ACTIONS": "", "GITLAB_CI": ""}


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "yours")


def configured(repo: Repository) -> dict[str, Any]:
    return tomli.loads(repo.read("lastgood.toml"))


KINDS = [
    pytest.param("prompts/a/b.md", f"{LONG}\n", "prompts/**/*.md", None, id="a folder of prompts"),
    pytest.param("data/patterns/ai/system.md", f"{LONG}\n", "data/patterns/**/system.md", None, id="patterns"),
    pytest.param("chat/hello.prompty", f"---\nmodel: x\n---\n{LONG}\n", "chat/hello.prompty", None, id="prompty"),
    pytest.param("app/system_prompt.j2", f"{LONG}\n", "app/system_prompt.j2", None, id="a name"),
    pytest.param("x/prompts/c.md", f"---\ntitle: c\n---\n{LONG}\n", "x/prompts/**/*.md", "body", id="front matter"),
    pytest.param("conf/agent.yaml", f"agent:\n  system_template: {LONG}\n", "conf/agent.yaml",
                 "/agent/system_template", id="yaml"),
    pytest.param("conf/two.yaml", f"system_template: {LONG}\ninstance_template: {LONG}\n", "conf/two.yaml", None,
                 id="yaml of two texts"),
    pytest.param("conf/agent.toml", f'[agent]\nsystem_prompt = "{LONG}"\n', "conf/agent.toml", "/agent/system_prompt",
                 id="toml"),
    pytest.param("conf/agent.json", f'{{"systemPrompt": "{LONG}"}}', "conf/agent.json", "/systemPrompt", id="json"),
    pytest.param("app/texts.py", MODULE, "app/texts.py", "SYSTEM_PROMPT", id="python"),
    pytest.param("app/texts.py", MODULE + "USER_PROMPT = f'{LIMIT} lines'\n", "app/texts.py", None,
                 id="python, one of two computed"),
    pytest.param("An agent/Prompt 2.0.txt", f"{LONG}\n", "An agent/Prompt 2.0.txt", None, id="spaces"),
    pytest.param("prompts/grüße [1] x.txt", f"{LONG}\n", "prompts/**/*.txt", None, id="an odd name"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "pattern", "part"), KINDS)
def test_a_prompt_is_found_and_its_next_edit_stopped(
    repo: Repository, path: str, text: str, pattern: str, part: str | None
) -> None:
    repo.write({path: text})
    said = repo.lastgood("init", "--yes").out
    config = configured(repo)
    assert config["prompts"] == [pattern]
    assert list(config.get("parts", {}).values()) == ([part] if part else [])
    assert "1 prompt\n" in said
    before = repo.files()
    assert "nothing to write" in repo.lastgood("init", "--yes").out
    assert repo.files() == before
    repo.lastgood("catalog", "ship")
    repo.env |= PERSON
    repo.accept("first baseline")
    repo.hook()
    repo.git("add", "-A")
    repo.commit("guard the prompts")
    repo.write({path: text.replace("helpful", "most helpful")})
    repo.git("add", "-A")
    assert "the prompt moved" in repo.commit("edit", code=1).err


@pytest.mark.parametrize("command", ["status", "eval", "check"])
def test_a_repository_without_configuration_is_told_of_init(repo: Repository, command: str) -> None:
    repo.write({"prompts/a.txt": LONG})
    assert "lastgood init" in repo.lastgood(command, code=4).err


def test_what_no_prompt_is_refused(repo: Repository) -> None:
    repo.write(
        {"README.md": "# prompts\n", "prompts/README.md": "x\n", "tests/prompts/a.md": LONG, "main.py": "x = 1\n"}
    )
    before = repo.files()
    assert "no file here looks like a prompt" in repo.lastgood("init", "--yes", code=4).err
    assert repo.files() == before


def test_nothing_is_written_without_a_yes(repo: Repository) -> None:
    repo.write({"prompts/a.md": LONG})
    before = repo.files()
    assert "lastgood init --yes" in repo.lastgood("init", code=4).err
    repo.lastgood("init", "--dry-run")
    code, shown = at_terminal(repo, LASTGOOD, "init", typed=b"n\n", env=PERSON)
    assert (code, "nothing was written" in shown) == (4, True)
    assert repo.files() == before
    assert at_terminal(repo, LASTGOOD, "init", typed=b"y\n", env=PERSON)[0] == 0
    assert "lastgood.toml" in repo.files()


def test_prompts_of_one_name_get_ids_by_their_paths(repo: Repository) -> None:
    paths = ["a/prompts/x.md", "b/prompts/x.md", "c/prompts/X.md", "a/prompts/x.txt"]
    repo.write(dict.fromkeys(paths, LONG))
    assert "4 prompts" in repo.lastgood("init", "--yes").out
    repo.lastgood("catalog", "ship")
    repo.env |= PERSON
    repo.accept("first baseline")
    repo.git("add", "-A")
    assert "4 prompts, 4 cases, 4 baselines" in repo.lastgood("check").said


MANAGERS = [
    pytest.param("# ours\nrepos:\n  - repo: 'https://x/y'  # why\n    rev: \"1\"\n    hooks:\n      - id: a\n"
                 "      # of a\n\n"
                 "# the end\nci:\n  skip: [a]\n", id="indented, keys behind"),
    pytest.param("repos:\n- repo: https://x/y\n  rev: v1\n  hooks:\n  - id: a\n    args: [--b]", id="not indented"),
    pytest.param("repos: []  # none yet\n", id="empty"),
    pytest.param("repos:\r\n  - repo: local\r\n    hooks:\r\n      - id: a\r\n", id="windows"),
]  # fmt: skip


@pytest.mark.parametrize("text", MANAGERS)
def test_the_hook_joins_a_configuration_that_keeps_its_text(repo: Repository, text: str) -> None:
    repo.write({"prompts/a.md": LONG, ".pre-commit-config.yaml": text.encode()})
    repo.lastgood("init", "--yes")
    found = repo.files()[".pre-commit-config.yaml"].decode()
    rows = iter(found.splitlines())
    assert all(line.replace("repos: []", "repos:") in rows for line in text.splitlines())  # each, in this order
    old, new = yaml.safe_load(text), yaml.safe_load(found)
    assert new["repos"][:-1] == old["repos"]
    assert {**new, "repos": old["repos"]} == old
    assert found.count("\r\n") in (0, found.count("\n"))
    assert "of a" not in found.partition("lastgood")[2]
    assert new["repos"][-1]["hooks"][0]["id"] == "lastgood-gate"


@pytest.mark.parametrize("text", ["repos: [{repo: local, hooks: []}]\n", "x: 1\n", "repos: &r\n  - repo: local\n"])
def test_what_cannot_be_edited_is_printed_to_paste(repo: Repository, text: str) -> None:
    repo.write({"prompts/a.md": LONG, ".pre-commit-config.yaml": text})
    assert "- id: lastgood-gate" in repo.lastgood("init", "--yes", code=2).out
    assert repo.read(".pre-commit-config.yaml") == text


def test_a_hook_is_cloned_where_asked(repo: Repository) -> None:
    repo.write({"prompts/a.md": LONG})
    repo.lastgood("init", "--yes", "--hook-repo", "https://example.org/lastgood")
    (row,) = yaml.safe_load(repo.read(".pre-commit-config.yaml"))["repos"]
    assert row["repo"] == "https://example.org/lastgood"
    assert row["rev"].startswith("v")


@pytest.mark.skipif(not shutil.which("make"), reason="make is not here")
def test_targets_of_a_makefile_stay_its_own(repo: Repository) -> None:
    repo.write(
        {
            "prompts/a.md": LONG,
            "Makefile": "export PROMPT = mine\n.PHONY: all\nall:\n\t@echo $$PROMPT\neval report:\n\t@echo my $@",
        }
    )
    repo.lastgood("init", "--yes")
    assert repo.run("make").out == "mine\n"
    assert repo.run("make", "eval").out == "my eval\n"
    echo = "LASTGOOD=printf '%s\\n'"
    reason = 'it\'s "$5" `id`'
    for target in ("record", "lastgood-record"):
        done = repo.run("make", target, echo, f"REASON={reason}")
        assert done.out.splitlines() == ["record", "--reason", reason]
        assert done.err == ""
    assert repo.run("make", "lastgood-eval", echo, "PROMPT=a b").out.splitlines() == ["eval", "-p", "a b"]


def test_lists_of_git_get_what_they_lack(repo: Repository) -> None:
    repo.write({"prompts/a.md": LONG, ".gitattributes": "golden/** -text\n*.png binary", ".gitignore": "/.lastgood\n"})
    repo.lastgood("init", "--yes")
    assert repo.read(".gitattributes").startswith("golden/** -text\n*.png binary\n")
    assert repo.read(".gitattributes").count("golden/**") == 1
    assert repo.read(".gitignore") == "/.lastgood\n"


def test_what_lies_among_prompts_is_guarded_or_named(repo: Repository) -> None:
    names = ["a", "empty", "new\nline", "schemas"]
    repo.write({f"prompts/{name}.md": LONG for name in names} | {"prompts/empty.md": "", "prompts/README.md": "x"})
    repo.write({"prompts/big.md": "x" * 500_000, "prompts/x.md.png": "x"})
    (repo.root / "prompts/link.md").symlink_to("a.md")
    said = repo.lastgood("init", "--yes", code=2).out
    assert "2 prompts\n" in said
    assert sorted(repo.files("golden")) == ["golden/a/suite.json", "golden/empty/suite.json"]
    left = [line for line in said.splitlines() if line.startswith("note: ") and "is left out" in line]
    assert all(any(name in line for line in left) for name in ("new", "schemas", "big", "link"))
    assert len(left) == 4


def test_files_that_git_ignores_are_named(repo: Repository) -> None:
    repo.write({"prompts/a.md": LONG, ".gitignore": ".*\n*.json\n", ".gitattributes": "*.png binary\n"})
    assert "note: git ignores" in repo.lastgood("init", "--yes", code=2).out
    assert repo.read(".gitattributes").startswith("*.png binary\n")


def test_only_names_the_prompts(repo: Repository) -> None:
    repo.write({"prompts/a.md": LONG, "agents/x/role.md": LONG})
    repo.lastgood("init", "--yes", "--only", "agents/**")
    assert configured(repo)["prompts"] == ["agents/**"]
    assert set(repo.files("golden")) == {"golden/x/role/suite.json"}
    assert repo.lastgood("init", "--only", "none/*", "--dry-run").out  # a configuration that is there is kept


def test_a_folder_that_leads_elsewhere_is_not_written_to(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    repo.write({"prompts/a.md": LONG})
    (repo.root / "golden").symlink_to(tmp_path / "away")
    assert "leads out of the repository" in repo.lastgood("init", "--yes", code=4).err
    assert list((tmp_path / "away").iterdir()) == []
    assert "lastgood.toml" not in repo.files()


def test_a_configuration_in_pyproject_is_kept(repo: Repository) -> None:
    text = '[tool.lastgood]\nprompts = ["prompts/*.md"]\n[tool.lastgood.completers.mine]\ncommand = ["cat"]\n'
    repo.write({"prompts/a.md": LONG, "pyproject.toml": text})
    repo.lastgood("init", "--yes")
    assert repo.read("pyproject.toml") == text
    assert not {"lastgood.toml", "completers/stub.py"} & set(repo.files())
    assert "golden/a/suite.json" in repo.files()


def test_what_the_page_types_prints_what_it_says(repo: Repository) -> None:
    repo.env |= {**PERSON, "PATH": os.pathsep.join([os.path.dirname(LASTGOOD), os.environ["PATH"]])}
    repo.write({"prompts/reply.txt": f"{LONG}\n"})
    for block in blocks(page("docs/adopting.md"), "console"):
        for command, wanted in steps(block.text):
            done = repo.run("sh", "-c", f"exec 2>&1\n{command}", code=None)
            assert fits(done.out, wanted), f"$ {command}\n{done.out}\n--- the page says ---\n{wanted}"
