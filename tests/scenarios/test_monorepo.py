"""Several roots in one repository: each with its own configuration, judged from wherever people and managers stand."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from hooked import WAYS, Hooked, noted
from repository import CONFIG, LASTGOOD, STUB, Repository, case, manager_config, standing, suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

A, B = "services/a", "more services/b ü"  # two roots, one with names that have to be quoted
MOVED = "Answer with the status of an order.\nsay: refunded\n"


def _entries(program: str, *roots: str) -> str:
    """One configuration at the top: the gate for each of these roots ("": without a name)."""
    config = manager_config(program=program)
    head, _, row = config.partition("      - id:")
    rows = [f"      - id:{row}" + (f"        args: ['--root', '{root}']\n" if root else "") for root in roots]
    return head + "".join(rows)


@pytest.fixture(scope="session")
def grown(tmp_path_factory: pytest.TempPathFactory, environment: None) -> Repository:
    """A repository whose top is no root, and which has two."""
    folder = tmp_path_factory.mktemp("roots")
    one = standing(folder / "one")
    repo = Repository(folder / "repo")
    for name in (A, B):
        shutil.copytree(one.root, repo.root / name, ignore=shutil.ignore_patterns(".git", ".lastgood"))
    repo.write({"README.md": "Two services.\n"})
    repo.git("add", "-A")
    repo.commit("start")
    return repo


def _in_step(grown: Repository, root: Path, way: str = "hook") -> Hooked:
    shutil.copytree(grown.root, root, symlinks=True)
    repo = Hooked(root, way)
    repo.git("update-index", "-q", "--refresh")
    return repo


@pytest.fixture
def mono(grown: Repository, tmp_path: Path) -> Hooked:
    """A copy of it, without hooks."""
    return _in_step(grown, tmp_path / "repo")


def _gate_at_the_top(repo: Hooked) -> None:
    """One hook that names no root."""
    if repo.way != "hook":
        repo.write({".pre-commit-config.yaml": _entries(noted(repo.root), "")})
    repo.install()


def _an_entry_each(repo: Hooked) -> None:
    """One configuration at the top, a hook a root."""
    repo.write({".pre-commit-config.yaml": _entries(noted(repo.root), A, B)})
    repo.install()


def _workspace(repo: Hooked) -> None:
    """A configuration in every root, as prek's workspaces have it: hooks run there."""
    repo.write({".pre-commit-config.yaml": "repos: []\n"})
    for root in (A, B):
        repo.write({f"{root}/.pre-commit-config.yaml": manager_config(program=noted(repo.root))})
    repo.git("add", "-A")
    repo.install()


@pytest.mark.parametrize(
    ("way", "install"),
    [
        *(pytest.param(way, _gate_at_the_top, id=f"{way} at the top") for way in WAYS),
        *(pytest.param(way, _an_entry_each, id=f"{way} with an entry each") for way in WAYS[1:]),
        pytest.param("prek", _workspace, id="workspace of prek"),
    ],
)
def test_an_edit_in_one_root_is_refused_by_its_name_and_what_is_printed_mends_it(
    grown: Repository, tmp_path: Path, way: str, install: Callable[[Hooked], None]
) -> None:
    repo = _in_step(grown, tmp_path / "repo", way)
    install(repo)
    repo.git("add", "-A")
    repo.git("commit", "-q", "--allow-empty", "-m", "hooks")
    assert set(repo.codes()) == {0}
    repo.write({f"{B}/prompts/billing.txt": MOVED})
    repo.git("add", "-A")
    refused = repo.git("commit", "-m", "moved", code=1).said
    assert sorted(repo.codes()) in ([2], [0, 2])
    assert f"held (0): 2 prompts, 3 cases, 2 baselines of the index below {A}" in refused or way != "hook"
    assert f"out of step (2): 1 finding in 2 prompts, 3 cases, 2 baselines of the index below {B}" in refused
    assert f"{B}/prompts/billing.txt: the prompt moved" in refused
    assert f"{A}/prompts" not in refused
    typed = repo.follow(refused)
    assert f"lastgood --root '{B}' eval -p billing -c stub" in typed
    repo.git("commit", "-q", "-m", "moved, with its migration")
    assert set(repo.codes()) == {0}
    assert len(list((repo.root / B / "baselines/stub/billing/migrations").iterdir())) == 2
    assert len(list((repo.root / A / "baselines/stub/billing/migrations").iterdir())) == 1


def test_what_a_commit_typed_further_down_prints_works_there(mono: Hooked) -> None:
    """git runs the hook at the top and says where it was called."""
    mono.install()
    mono.write({f"{B}/prompts/billing.txt": MOVED})
    mono.git("add", "-A")
    for folder in (f"{A}/golden", f"{B}/prompts", "more services"):
        mono.git("reset", "-q", "--hard")
        mono.write({f"{B}/prompts/billing.txt": MOVED})
        mono.git("add", "-A")
        refused = mono.git("commit", "-m", "moved", cwd=folder, code=1).said
        mono.follow(refused, cwd=folder)
        mono.git("commit", "-q", "-m", "moved", cwd=folder)
        mono.git("reset", "-q", "--hard", "HEAD~1")


def test_the_loop_of_a_person_in_a_root(mono: Hooked) -> None:
    """Evaluate, look, record, tell, go back: all of it about this root, from inside and from the top."""
    mono.write({f"{B}/prompts/billing.txt": MOVED})
    here = {"cwd": f"{B}/prompts"}
    assert "2 DIFF" in mono.lastgood("eval", "-p", "billing", **here).out  # type: ignore[arg-type]
    told = mono.lastgood("diff", code=None, **here).out  # type: ignore[arg-type]
    token = next(line.split()[1] for line in told.splitlines() if line.startswith("token "))
    assert mono.lastgood("--root", B, "diff", code=None).out.replace(f"--root '{B}' ", "") == told
    recorded = mono.lastgood("--root", B, "record", "--reason", "refunds", "--accept", token).out
    assert f"git -C '{B}' add" in recorded
    mono.git("add", "-A")
    mono.commit("moved")
    shown = mono.lastgood("show", "billing@2", "--root", B).out
    assert "refunded" in shown
    assert "paid" in shown  # as it was before, out of git's history
    assert "0002_refunds" in mono.lastgood("log", "billing", **here).out  # type: ignore[arg-type]
    assert "0002" not in mono.lastgood("--root", A, "log").out
    assert "in step" in mono.lastgood("status", "--root", B).out
    mono.lastgood("report", "--markdown", "out.md", "--root", B, code=None)
    mono.git("checkout", "HEAD~1", "--", f"{B}/prompts/billing.txt")
    which = ("--root", B, "-p", "billing", "--restore", "1")
    mono.lastgood("record", *which, "--reason", "back", "--accept", mono.token(*which))
    mono.git("add", "-A")
    mono.lastgood("check", "--all")
    assert not (mono.root / A / ".lastgood/runs").exists()
    assert not (mono.root / ".lastgood").exists()


def test_an_edited_case_of_a_root_comes_back_out_of_its_history(mono: Hooked) -> None:
    path = f"{B}/golden/support/late.json"
    before = mono.read(path)
    mono.write({path: before.replace("I think", "Perhaps")})
    mono.git("add", "-A")
    said = mono.lastgood("check", code=2).err
    assert "expect.forbidden" in said  # what changed, which only git's history tells
    mono.lastgood("--root", B, "catalog", "restore", "late")
    assert mono.read(path) == before


def test_at_the_top_every_root_is_judged_and_listed(mono: Hooked) -> None:
    mono.write({f"{A}/prompts/billing.txt": MOVED})
    listed = mono.lastgood("status", code=2).out
    assert [line.split("  ")[0] for line in listed.splitlines()] == [B, A, f"next: lastgood --root {A} status"]
    mono.git("add", "-A")
    for command in ("check", "gate"):
        said = mono.lastgood(command, "--all", code=2)
        assert f"lastgood {command}: out of step (2): 2 roots of the index" in said.err
        assert f"below {B}" in said.out
    assert "DIFF" in mono.lastgood("stub", "--all", code=3).err
    found = json.loads(mono.lastgood("check", "--format", "json", code=2).out)
    assert [(row["root"], row["path"]) for row in found["findings"]] == [(A, "prompts/billing.txt")]
    assert [(row["root"], row["verdict"]) for row in found["roots"]] == [(B, 0), (A, 2)]
    assert found["verdict"] == 2
    annotated = mono.lastgood("check", "--format", "github", code=2).out
    assert f"::error file={A}/prompts/billing.txt," in annotated
    rows = json.loads(mono.lastgood("status", "--json", code=2).out)["roots"]
    assert [(row["root"], row["verdict"]) for row in rows] == [(B, 0), (A, 2)]


def test_a_root_that_cannot_be_told_of_keeps_nobody_from_judging_the_others(mono: Hooked) -> None:
    mono.write({f"{A}/prompts/billing.txt": MOVED, f"{B}/lastgood.toml": "no toml"})
    mono.git("add", "-A")
    said = mono.lastgood("check", code=4).err
    assert f"{B}/lastgood.toml" in said
    assert f"{A}/prompts/billing.txt: the prompt moved" in said
    assert json.loads(mono.lastgood("check", "--format", "json", code=4).out)["verdict"] == 4


@pytest.mark.parametrize(
    "words", [("eval",), ("diff",), ("record", "--reason", "x"), ("log",), ("doctor",), ("prove",)]
)
def test_a_command_about_one_root_says_which_there_are(mono: Hooked, words: tuple[str, ...]) -> None:
    said = mono.lastgood(*words, code=4).err
    assert f"({B}, {A})" in said
    assert f"lastgood --root '{B}' status" in said
    assert f"lastgood --root '../{B}' status" in mono.lastgood(*words, code=4, cwd="services").err
    mono.follow(said)


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--root", "nowhere", "check"), "--root names no folder here"),
        (("check", "--root", ""), "--root must name a folder"),
        (("check", "--root="), "--root must name a folder"),
        (("check", "--root"), "--root must name a folder"),
        (("--root", "services", "check"), "no configuration in the index below services"),
        (("--root", A, "schema", "case"), "is about no root"),
    ],
)
def test_a_root_that_is_none_is_never_green(mono: Hooked, words: tuple[str, ...], what: str) -> None:
    assert what in mono.lastgood(*words, code=4).err


def test_roots_within_a_root(tmp_path: Path) -> None:
    """What lies in the inner one is not the outer's, with memory and without; nor do their caches mix."""
    repo = standing(tmp_path / "repo")
    repo.write({"lastgood.toml": 'prompts = ["**/*.txt"]\n' + repo.read("lastgood.toml")})
    repo.git("mv", "prompts/billing.txt", "prompts/support.txt", ".")
    repo.accept("where prompts lie")
    repo.git("add", "-A")
    repo.commit("prompts anywhere")
    repo.lastgood("check")
    inner = {
        "apps/in/lastgood.toml": CONFIG,
        "apps/in/stub.py": STUB,
        "apps/in/prompts/deep.txt": "say: paid\n",
        "apps/in/golden/deep/suite.json": suite("deep", case("one")),
    }
    repo.write(inner)
    repo.git("add", "-A")
    assert "2 prompts" in repo.lastgood("check").out  # the outer one, whose globs would take it in
    repo.lastgood("catalog", "ship", cwd="apps/in")
    repo.accept("first", cwd="apps/in")
    repo.git("add", "-A")
    repo.commit("a root within")
    for _ in range(2):  # what was remembered of one says nothing of the other
        assert "2 prompts, 3 cases" in repo.lastgood("check").out
        assert "1 prompt, 1 case" in repo.lastgood("check", cwd="apps/in").out
    assert "2 roots" in repo.lastgood("check", "--every-root").out
    repo.write({"apps/in/prompts/deep.txt": "say: refunded\n"})
    repo.git("add", "-A")
    repo.lastgood("check")
    repo.lastgood("check", cwd="apps/in", code=2)
    assert "apps/in/prompts/deep.txt" in repo.lastgood("check", "--every-root", code=2).err
    assert "deep" not in repo.lastgood("status").out
    # Without its configuration it is a folder of the outer one, and says so even where that one has a memory.
    repo.git("rm", "-q", "--cached", "apps/in/lastgood.toml")
    assert "apps/in/prompts/deep.txt: this prompt has no golden cases" in repo.lastgood("check", code=2).err


def test_a_root_that_is_gone_while_something_of_it_is_left(mono: Hooked) -> None:
    """Deleting a configuration opens no gate: neither at the commit, nor against the base in CI."""
    origin = mono.publish()
    mono.install()
    mono.git("rm", "-q", f"{B}/lastgood.toml")
    refused = mono.git("commit", "-m", "gone", code=1).said
    assert f"{B}/lastgood.toml: a configuration that HEAD has is gone" in refused
    mono.unchecked()
    said = mono.lastgood("check", "--all", code=2).err
    assert f"{B}/lastgood.toml: a configuration that origin/main has is gone" in said
    mono.follow(said)
    mono.lastgood("check", "--all")
    assert origin.is_dir()


def test_a_root_that_is_gone_with_all_that_was_its_own_has_ended(mono: Hooked) -> None:
    mono.publish()
    mono.git("rm", "-r", "-q", B)
    assert f"the root {B} has ended" in mono.lastgood("check").out
    mono.unchecked()
    mono.lastgood("check", "--all")
    mono.git("rm", "-r", "-q", A)
    assert "no configuration in the index" in mono.lastgood("check", code=4).err


def test_a_root_within_a_root_that_is_gone_is_seen_by_the_outer_one(mono: Hooked) -> None:
    """Its files would be nobody's, and the outer root's globs need not take them in."""
    standing(mono.root.with_name("other"))
    mono.publish()
    outer = mono.root.with_name("other")
    for name in ("lastgood.toml", "stub.py", "prompts", "golden", "baselines"):
        mono.git("-C", str(outer), "status", "-s")
        place = outer / name
        (shutil.copytree if place.is_dir() else shutil.copy2)(place, mono.root / name)
    mono.git("add", "-A")
    mono.unchecked()
    mono.lastgood("check", "--all")
    mono.git("rm", "-q", "--cached", f"{B}/lastgood.toml")
    said = mono.lastgood("check", code=2).err
    assert f"{B}/lastgood.toml: a configuration that origin/main has is gone" in said


def test_shipped_history_of_a_root_is_held_against_the_base(mono: Hooked) -> None:
    mono.publish()
    mono.git("rm", "-q", "-r", f"{B}/golden/support/catalog.json", f"{B}/baselines/stub/support")
    mono.write({f"{B}/golden/support/late.json": mono.read(f"{B}/golden/support/late.json").replace("I think", "Well")})
    mono.lastgood("--root", B, "catalog", "ship")
    mono.accept("anew", "-p", "support", cwd=B)
    mono.git("add", "-A")
    for words in (("check", "--all"), ("check", "--root", B)):
        said = mono.lastgood(*words, code=2).err
        assert "the shipped case 'late' version 1 was rewritten" in said
        assert f"git -C '{B}' checkout origin/main -- golden/support/" in said
    mono.lastgood("check", "--root", A)


def test_the_history_of_a_root_moves_with_it(mono: Hooked) -> None:
    """A case rewritten on the way is one that was rewritten."""
    mono.publish()
    mono.git("mv", B, "elsewhere")
    assert f"the root {B} moved to elsewhere, and its history with it" in mono.lastgood("check", "--all").out
    mono.unchecked()
    mono.lastgood("check", "--all")
    path = "elsewhere/golden/support/late.json"
    mono.git("rm", "-q", "-r", "elsewhere/golden/support/catalog.json", "elsewhere/baselines/stub/support")
    mono.write({path: mono.read(path).replace("I think", "Well")})
    mono.lastgood("--root", "elsewhere", "catalog", "ship")
    mono.accept("anew", "-p", "support", cwd="elsewhere")
    mono.git("add", "-A")
    said = mono.lastgood("check", code=2).err
    assert "elsewhere/golden/support/catalog.json: the shipped case 'late' version 1 was rewritten" in said
    assert "elsewhere/baselines/stub/support/migrations/0001_first-baseline.json: a shipped migration was" in said
    mono.follow(said)
    assert "was rewritten" not in mono.lastgood("check", code=2).err


def test_a_push_is_judged_by_the_roots_of_what_is_pushed(mono: Hooked) -> None:
    """Also those that are not checked out."""
    mono.publish()
    mono.install("pre-push")
    mono.git("switch", "-q", "-c", "side")
    mono.git("mv", B, "moved")
    mono.write({"moved/prompts/billing.txt": MOVED})
    mono.git("add", "-A")
    mono.unchecked()
    mono.git("switch", "-q", "main")
    assert "moved/prompts/billing.txt: the prompt moved" in mono.git("push", "origin", "side", code=1).said
    mono.git("switch", "-q", "-c", "good")
    mono.write({"notes.md": "x\n"})
    mono.git("add", "-A")
    mono.unchecked()
    mono.git("switch", "-q", "side")
    mono.git("push", "-q", "origin", "good")
    assert mono.git("status", "--porcelain", "-uall").out == ""


@pytest.mark.parametrize(("way", "install"), [("hook", _gate_at_the_top), ("prek", _workspace)])
def test_a_linked_worktree(grown: Repository, tmp_path: Path, way: str, install: Callable[[Hooked], None]) -> None:
    """There git tells hooks GIT_DIR, by which a folder below the top would pass for the whole work tree."""
    repo = _in_step(grown, tmp_path / "repo", way)
    install(repo)
    repo.git("add", "-A")
    repo.unchecked("--allow-empty")
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Hooked(tmp_path / "linked", way)
    linked.notes, linked.env = repo.notes, repo.env
    linked.write({f"{A}/prompts/billing.txt": MOVED})
    assert "a/prompts/billing.txt: the prompt" in linked.git("commit", "-am", "moved", cwd="services", code=1).said
    linked.git("checkout", "-q", "HEAD", "--", ".")
    linked.write({"README.md": "Still two services.\n"})
    linked.git("commit", "-q", "-a", "-m", "nothing moved", cwd=B)


def test_a_work_tree_named_from_outside(mono: Hooked) -> None:
    mono.install()
    mono.write({f"{B}/prompts/billing.txt": MOVED})
    words = ("--git-dir", str(mono.root / ".git"), "--work-tree", str(mono.root), "commit", "-a", "-m", "x")
    assert f"{B}/prompts/billing.txt" in mono.git(*words, cwd="..", code=1).said


def test_only_the_root_that_a_commit_takes_files_of(mono: Hooked) -> None:
    """`git commit --only` brings an index of its own: the other root is judged as that one has it."""
    mono.install()
    mono.write({f"{A}/prompts/billing.txt": MOVED, f"{B}/stub.py": STUB + "# \n"})
    mono.git("add", "-A")
    refused = mono.git("commit", "-m", "x", "--only", f"{A}/prompts/billing.txt", code=1).said
    assert f"below {A}" in refused
    assert f"{B}/" not in refused


def test_a_root_in_pyproject(mono: Hooked) -> None:
    text = mono.read(f"{B}/lastgood.toml").replace("[completers", "[tool.lastgood.completers")
    mono.git("rm", "-q", f"{B}/lastgood.toml")
    mono.write({f"{B}/pyproject.toml": f"[tool.lastgood]\n{text}", "lib/pyproject.toml": "[project]\nname = 'x'\n"})
    mono.git("add", "-A")
    assert "2 roots of the index" in mono.lastgood("check").out
    assert f"below {B}" in mono.lastgood("check", cwd=f"{B}/golden").out
    mono.write({f"{B}/prompts/billing.txt": MOVED})
    mono.git("add", "-A")
    mono.lastgood("check", code=2)


def test_prove_of_one_root(mono: Hooked) -> None:
    assert "faults" in mono.lastgood("--root", A, "prove").out


def test_make_in_a_root(mono: Hooked) -> None:
    """`make -C` is how it is called there."""
    mono.write({f"{A}/Makefile": "eval:\n\t.venv/bin/lastgood eval\n", f"{A}/prompts/billing.txt": MOVED})
    mono.git("add", "-A")
    said = mono.lastgood("check", code=2).err
    assert f"make -C {A} eval PROMPT=billing COMPLETER=stub" in said


def test_init_writes_into_the_root_that_is_named_and_its_hook_at_the_top(mono: Hooked) -> None:
    mono.write({"new/prompts/hello.txt": "You are a helpful assistant. Greet the user.\n"})
    assert "lastgood --root . init" in mono.lastgood("init", "--yes", code=4, cwd="new").err
    top = mono.files()
    told = mono.lastgood("--root", "new", "init", "--yes").out
    made = set(mono.files()) - set(top)
    assert {name for name in made if not name.startswith("new/")} == {".pre-commit-config.yaml"}
    assert "new/lastgood.toml" in made
    config = mono.read(".pre-commit-config.yaml")
    assert config.count("- id: lastgood-gate") == 1
    mono.lastgood("--root", B, "init", "--yes")
    assert mono.read(".pre-commit-config.yaml").count("- id: lastgood-gate") == 2
    again = mono.files()
    mono.lastgood("--root", B, "init", "--yes")
    assert mono.files() == again
    typed = [line.strip().partition("    #")[0] for line in told.splitlines() if line.startswith("  lastgood")]
    path = os.pathsep.join([os.path.dirname(LASTGOOD), os.environ["PATH"]])
    for line in typed[:3]:
        mono.run("bash", "-c", line, code=None, env={"PATH": path})
    mono.accept("First", "--root", "new")
    mono.git("add", "-A")
    mono.run(mono.tool("pre-commit"), "install")
    mono.git("commit", "-q", "-m", "a third root", env={"PATH": path})
    mono.write({"new/prompts/hello.txt": "You are a helpful assistant. Greet nobody.\n"})
    mono.git("add", "-A")
    said = mono.git("commit", "-m", "moved", code=1, env={"PATH": path}).said
    assert "new/prompts/hello.txt: the prompt moved" in said


def _complaints(repo: Hooked, root: str) -> list[str]:
    found = json.loads(repo.lastgood("doctor", "--json", "--root", root, code=None).out)
    return [row["code"] for row in found["complaints"] if row["code"].startswith(("hook", "fixer", "stage"))]


def test_doctor_looks_at_the_hooks_of_the_root(mono: Hooked) -> None:
    """At the top's, and whether one of them is about it; at its own where it is a project of a workspace."""
    mono.way = "pre-commit"
    fixer = "  - repo: https://example.com/fixers\n    rev: v1\n    hooks:\n      - id: end-of-file-fixer\n"
    mono.write({".pre-commit-config.yaml": _entries(LASTGOOD, A) + fixer})
    mono.install("pre-commit", "pre-merge-commit", "pre-push")
    assert _complaints(mono, A) == ["hook-order", "fixer"]
    assert "hook-not-configured" in _complaints(mono, B)
    said = mono.lastgood("doctor", "--root", A, code=2).out
    assert f"exclude: ^({A}/" in said
    mono.write({".pre-commit-config.yaml": _entries(LASTGOOD, "")})
    assert _complaints(mono, A) == _complaints(mono, B) == []
    mono.write({".pre-commit-config.yaml": "repos: []\n", f"{B}/.pre-commit-config.yaml": _entries(LASTGOOD, "")})
    assert _complaints(mono, A) == ["hook-not-configured"]
    assert _complaints(mono, B) == []


def test_doctor_of_plain_hooks_lets_the_gate_judge_the_root_also_where_the_top_is_one(mono: Hooked) -> None:
    shutil.rmtree(mono.root / ".git/hooks")
    mono.write({"lastgood.toml": "", "prompts/x.txt": "x"})
    assert _complaints(mono, B) == ["hook-missing"] * 3
    mends = json.loads(mono.lastgood("doctor", "--json", "--root", B, code=2).out)["complaints"]
    for row in mends[:3]:
        mono.run("sh", "-c", row["fix"][0], cwd=B)
    assert _complaints(mono, B) == []
    mono.git("config", "user.useConfigOnly", "false")
    mono.write({f"{B}/prompts/billing.txt": MOVED})
    mono.git("add", B)
    path = os.pathsep.join([os.path.dirname(LASTGOOD), os.environ["PATH"]])
    assert f"{B}/prompts/billing.txt" in mono.git("commit", "-m", "x", code=1, env={"PATH": path}).said
