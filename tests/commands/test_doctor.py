"""`lastgood doctor`: a set-up with one fault is told its name and what mends it; and that does mend it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest

from pages import code, page, rows, section
from repository import Repository, manager_config

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STAGES = ("pre-commit", "pre-merge-commit", "pre-push")
BIN = os.path.dirname(sys.executable)
FIXER = "  - repo: https://example.com/fixers\n    rev: v1\n    hooks:\n      - id: {}\n"


def complaints(repo: Repository, code: int | None = None) -> list[dict[str, Any]]:
    done = repo.lastgood("doctor", "--json", code=code)
    found = json.loads(done.out)
    assert found["verdict"] == done.code == (2 if found["complaints"] else 0)
    return list(found["complaints"])


def codes(repo: Repository) -> list[str]:
    return [row["code"] for row in complaints(repo)]


@pytest.fixture
def well(repo: Repository) -> Repository:
    """A repository with nothing to mend: plain hooks, a remote with the base, bytes kept."""
    repo.env |= {"PATH": os.pathsep.join([BIN, os.environ["PATH"]])}
    bare = repo.root.with_name("origin.git")
    repo.git("clone", "-q", "--bare", ".", str(bare))
    repo.git("remote", "add", "origin", str(bare))
    repo.git("fetch", "-q", "origin")
    for kind in STAGES:
        repo.hook(kind)
    return repo


@pytest.fixture
def managed(well: Repository) -> Repository:
    """The same by pre-commit."""
    shutil.rmtree(well.root / ".git/hooks")
    well.manager("pre-commit", types=STAGES)
    return well


def test_a_set_up_with_nothing_wrong_is_fine_and_stays_as_it_is(well: Repository) -> None:
    before = well.files()
    assert well.lastgood("doctor").out == "lastgood doctor: held (0): nothing to mend\n"
    assert complaints(well, 0) == []
    assert well.files() == before


@pytest.mark.parametrize("which", ["pre-commit", "prek"])
def test_a_manager_that_runs_lastgood_everywhere_is_fine(well: Repository, which: str) -> None:
    shutil.rmtree(well.root / ".git/hooks")
    well.manager(which, types=STAGES)
    assert complaints(well) == []


def removes(name: str) -> Callable[[Repository], object]:
    return lambda repo: (repo.root / name).unlink()


def writes(name: str, text: str) -> Callable[[Repository], object]:
    return lambda repo: repo.write({name: text})


def adds(name: str, text: str) -> Callable[[Repository], object]:
    return lambda repo: repo.write({name: (repo.read(name) if (repo.root / name).exists() else "") + text})


def replaces(name: str, old: str, new: str) -> Callable[[Repository], object]:
    def act(repo: Repository) -> None:
        text = repo.read(name)
        assert old in text
        repo.write({name: text.replace(old, new)})

    return act


def no_hook_at_all(repo: Repository) -> None:
    shutil.rmtree(repo.root / ".git/hooks")


def hooks_path(repo: Repository) -> None:
    for kind in STAGES:
        repo.write({f"elsewhere/{kind}": "#!/bin/sh\nexec lastgood gate\n"})
        (repo.root / f"elsewhere/{kind}").chmod(0o755)
    repo.git("config", "core.hooksPath", "elsewhere")


def program(repo: Repository) -> None:
    repo.write({"answer.sh": "#!/bin/sh\necho '{}'\n"})
    repo.git("add", "answer.sh")
    replaces("lastgood.toml", '["python3", "stub.py"]', '["./answer.sh"]')(repo)


def tracked_runs(repo: Repository) -> None:
    repo.write({".lastgood/run.json": "{}\n"})
    repo.git("add", "-f", ".lastgood/run.json")


def runs_seen(repo: Repository) -> None:
    repo.write({".lastgood/.gitignore": "# nothing\n"})


MENDED = [
    pytest.param(no_hook_at_all, ["hook-missing"] * 3, id="no hook"),
    pytest.param(removes(".git/hooks/pre-push"), ["hook-missing"], id="no pre-push hook"),
    pytest.param(removes(".git/hooks/pre-merge-commit"), ["hook-missing"], id="no pre-merge-commit hook"),
    pytest.param(lambda repo: (repo.root / ".git/hooks/pre-commit").chmod(0o644), ["hook-not-executable"],
                 id="a hook that is not executable"),
    pytest.param(hooks_path, ["hooks-elsewhere"] * 3, id="core.hooksPath leads past them"),
    pytest.param(writes(".gitattributes", "golden/** -text\nbaselines/** -text\n"), ["bytes-converted"],
                 id="prompts without -text"),
    pytest.param(writes(".gitattributes", "prompts/** -text\n* text=auto\n"), ["bytes-converted"],
                 id="-text taken back by a later line"),
    pytest.param(lambda repo: repo.git("rm", "-q", ".gitattributes"), ["bytes-converted"], id="no attributes"),
    pytest.param(program, ["completer-not-executable"], id="a completer that is not executable"),
    pytest.param(tracked_runs, ["runs-tracked"], id="runs in the index"),
    pytest.param(lambda repo: repo.git("update-ref", "-d", "refs/remotes/origin/main"), ["base-missing"],
                 id="a base that was not fetched"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "wanted"), MENDED)
def test_the_commands_that_are_printed_mend_it(
    well: Repository, fault: Callable[[Repository], object], wanted: list[str]
) -> None:
    fault(well)
    found = complaints(well)
    assert [row["code"] for row in found] == wanted
    for command in dict.fromkeys(command for row in found for command in row["fix"]):
        if not command.startswith("or "):
            well.run("sh", "-c", command, code=None)  # one that unsets twice is refused, and nothing is worse
    assert complaints(well) == []


TOLD = [
    pytest.param(runs_seen, ["runs-not-ignored"], id="runs not ignored"),
    pytest.param(writes(".git/hooks/pre-commit", "#!/bin/sh\nexec make lint\n"), ["hook-other"], id="another hook"),
    pytest.param(adds(".gitignore", "baselines/\n"), ["ignored"], id="baselines ignored"),
    pytest.param(adds(".gitignore", "*.json\n"), ["ignored"], id="cases ignored by their suffix"),
    pytest.param(adds(".gitignore", "prompts/*.txt\n"), ["ignored"], id="prompts ignored"),
    pytest.param(replaces("lastgood.toml", "python3", "no-such-command"), ["completer-missing"], id="no such command"),
    pytest.param(replaces("lastgood.toml", '"stub.py"', '"gone.py"'), ["completer-missing"], id="no such program"),
    pytest.param(replaces("lastgood.toml", 'commit_completer = "stub"\n', 'require = ["stub"]\n'),
                 ["commit-completer-missing"], id="no commit completer"),
    pytest.param(replaces("lastgood.toml", "origin/main", "upstream/main"), ["base-missing"], id="no such remote"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "wanted"), TOLD)
def test_what_a_person_has_to_decide_is_named(
    well: Repository, fault: Callable[[Repository], object], wanted: list[str]
) -> None:
    fault(well)
    found = complaints(well)
    assert [row["code"] for row in found] == wanted
    assert all(row["fix"] for row in found)
    said = well.lastgood("doctor", code=2).out
    assert all(row["message"] in said for row in found)


CONFIG = ".pre-commit-config.yaml"
OF_MANAGERS = [
    pytest.param(removes(CONFIG), ["hook-not-configured"], id="no configuration"),
    pytest.param(writes(CONFIG, "repos:\n" + FIXER.format("check-yaml")), ["hook-not-configured"],
                 id="a configuration without lastgood"),
    pytest.param(replaces(CONFIG, "pre-merge-commit, pre-push, manual", "manual"), ["stage-missing"],
                 id="only at pre-commit"),
    pytest.param(replaces(CONFIG, "        always_run: true\n", ""), ["hook-filtered"], id="not always run"),
    pytest.param(replaces(CONFIG, "repos:\n", "repos:\n" + FIXER.format("end-of-file-fixer")), ["fixer"],
                 id="a fixer before it"),
    pytest.param(replaces(CONFIG, "repos:\n", "repos:\n" + FIXER.format("trailing-whitespace")
                 + "        exclude: ^(prompts|golden|baselines)/\n"), [], id="a fixer that is kept away"),
    pytest.param(replaces(CONFIG, "repos:\n", "exclude: ^(prompts|golden|baselines)/\nrepos:\n"
                 + FIXER.format("mixed-line-ending")), [], id="a fixer that is kept away at the top"),
    pytest.param(replaces(CONFIG, "repos:\n", "repos:\n" + FIXER.format("prettier")
                 + "        exclude: ^golden/\n"), ["fixer"], id="a fixer that is kept away from a part"),
    pytest.param(replaces(CONFIG, "repos:\n", "repos:\n" + FIXER.format("end-of-file-fixer")
                 + "        types: [python]\n"), [], id="a fixer of Python alone"),
    pytest.param(replaces(CONFIG, "repos:\n", "repos:\n" + FIXER.format("mdformat")), [],
                 id="a fixer of another kind of file"),
    pytest.param(adds(CONFIG, FIXER.format("black")), ["hook-order"], id="a formatter after it"),
    pytest.param(adds(CONFIG, FIXER.format("ruff-format") + "        args: [--diff]\n"), [],
                 id="a formatter that only looks"),
    pytest.param(adds(CONFIG, FIXER.format("mine") + "        entry: sh -c 'make all && git add .'\n"),
                 ["hook-order"], id="a hook that adds files after it"),
    pytest.param(replaces(CONFIG, "repos:\n", "default_language_version:\n  python: python3.8\nrepos:\n"),
                 ["python-old"], id="an old Python for hooks"),
    pytest.param(removes(".git/hooks/pre-push"), ["hook-missing"], id="a type that is not installed"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "wanted"), OF_MANAGERS)
def test_a_manager_is_looked_into(
    managed: Repository, fault: Callable[[Repository], object], wanted: list[str]
) -> None:
    fault(managed)
    found = complaints(managed)
    assert [row["code"] for row in found] == wanted
    assert all(row["fix"] for row in found)


def test_the_exclude_that_is_printed_keeps_a_fixer_away(managed: Repository) -> None:
    replaces(CONFIG, "repos:\n", "repos:\n" + FIXER.format("end-of-file-fixer"))(managed)
    (found,) = complaints(managed)
    line = found["fix"][0].partition("  (")[0]
    replaces(CONFIG, "end-of-file-fixer\n", f"end-of-file-fixer\n        {line}\n")(managed)
    assert complaints(managed) == []


def test_managers_install_what_is_missing_and_the_command_says_which(managed: Repository) -> None:
    (managed.root / ".git/hooks/pre-push").unlink()
    (found,) = complaints(managed)
    managed.run("sh", "-c", found["fix"][0])
    assert complaints(managed) == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({".husky/_/pre-commit": "#!/bin/sh\n. .husky/_/h\n", ".husky/pre-commit": "lastgood gate\n"},
                     id="husky"),
    ],
)  # fmt: skip
def test_a_hook_of_another_manager_is_followed(well: Repository, files: dict[str, str]) -> None:
    well.write(files)
    for kind in STAGES:
        well.write({f".husky/_/{kind}": "#!/bin/sh\n. .husky/_/h\n", f".husky/{kind}": "lastgood gate\n"})
        (well.root / f".husky/_/{kind}").chmod(0o755)
    no_hook_at_all(well)
    well.git("config", "core.hooksPath", ".husky/_")
    assert complaints(well) == []


def test_a_line_that_cannot_be_read_is_noted(managed: Repository) -> None:
    adds(CONFIG, "  - {repo: meta, hooks: []}\n")(managed)
    said = managed.lastgood("doctor").out
    line = len(managed.read(CONFIG).splitlines())
    assert f"note: {CONFIG}: written in a way that is not read here, so not looked at: line {line}\n" in said


def test_no_remote_and_no_base_is_a_note(well: Repository) -> None:
    replaces("lastgood.toml", 'base = "origin/main"\n', "")(well)
    well.git("remote", "remove", "origin")
    assert "note: no remote and no base" in well.lastgood("doctor").out


def test_a_variable_that_is_not_set_is_a_note(well: Repository) -> None:
    adds("lastgood.toml", 'env = ["NO_SUCH_KEY_HERE"]\n')(well)
    assert "note: the completer 'stub' is to be given NO_SUCH_KEY_HERE" in well.lastgood("doctor").out


def test_the_lines_that_are_printed_in_a_folder_below_mend_it_from_there(well: Repository) -> None:
    no_hook_at_all(well)
    well.git("rm", "-q", ".gitattributes")
    said = well.lastgood("doctor", code=2, cwd="golden").out
    typed = [line[7:] for line in said.splitlines() if line.startswith(("  run  ", "       "))]
    assert len(typed) == 5
    for line in typed:
        well.run("sh", "-c", line, cwd="golden")
    assert complaints(well) == []


def test_what_mends_several_is_printed_once(well: Repository) -> None:
    well.write({CONFIG: manager_config()})
    no_hook_at_all(well)
    said = well.lastgood("doctor", code=2).out
    assert said.count("pre-commit install -t pre-commit -t pre-merge-commit -t pre-push") == 1
    assert said.count("[hook-missing]") == 3


def test_an_old_git_is_told(well: Repository, tmp_path: Path) -> None:
    real = shutil.which("git")
    old = tmp_path / "bin/git"
    old.parent.mkdir()
    old.write_text(
        f'#!/bin/sh\n[ "$1" = version ] && echo git version 2.17.1 && exit\nexec {real} "$@"\n', encoding="utf-8"
    )
    old.chmod(0o755)
    well.env["PATH"] = os.pathsep.join([str(old.parent), well.env["PATH"]])
    assert codes(well) == ["git-old"]


def test_without_a_repository_or_a_configuration_nothing_can_be_told(tmp_path: Path, well: Repository) -> None:
    assert Repository(tmp_path / "none", init=False).lastgood("doctor", code=4).out == ""
    (well.root / "lastgood.toml").unlink()
    assert "no configuration" in well.lastgood("doctor", code=4).err


def test_every_complaint_is_on_the_page() -> None:
    documented = [code(row[0])[0] for row in rows(section(page("docs/reference/doctor.md"), "Complaints"))]
    source = "".join(page(f"hooks/lastgood/{name}.py") for name in ("core/checkup", "core/hook_checkup"))
    source += page("hooks/lastgood/edge/surroundings.py")
    assert [name for name in documented if f'"{name}"' not in source] == []
    tables: list[Any] = [*MENDED, *TOLD, *OF_MANAGERS]
    seen = {name for row in tables for name in row.values[1]} | {"git-old"}
    assert seen == set(documented)
