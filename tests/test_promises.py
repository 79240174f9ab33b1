"""Promises between files, which no type checker sees and which drift when nobody looks."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from pre_commit.clientlib import load_config, load_manifest  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "hooks" / "lastgood"
LONGEST = 300  # lines of a file that one person still reads in one go

# Who may import whom: imports run cli → commands → report, edge → core → errors, never back and never across.
MAY_IMPORT = {
    "errors": set(),
    "core": {"core", "errors"},
    "edge": {"edge", "core", "errors"},
    "report": {"report", "core", "errors"},
    "commands": {"commands", "report", "edge", "core", "errors"},
    "usage": {"core", "errors"},
    "arguments_alone": {"usage", "core", "errors"},
    "arguments": {"arguments_alone", "usage", "core", "errors"},
    "cli": {"arguments", "arguments_alone", "commands", "report", "core", "errors"},
    "__main__": {"cli"},
    "api": {"commands", "edge", "core", "errors"},
    "__init__": {"api"},
}

# What else `core` may import. Each takes values and gives values: no file, clock, process, environment or randomness.
PURE = {
    "__future__", "_sha2", "_sha256", "bisect", "contextlib", "fractions", "functools", "hashlib", "itertools", "json",
    "ast", "csv", "math", "operator", "re", "string", "unicodedata",  # the standard library
    "jsonschema_rs", "msgspec", "re2", "tomli", "yaml",  # the others
}  # fmt: skip
ONLY_FOR_TYPES = {"collections", "dataclasses", "typing"}  # cost a hook more than the interpreter's own start
IMPURE_BUILTINS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}


class Import(NamedTuple):
    """One import anywhere in a file, also inside a function."""

    file: Path
    line: int
    module: str
    typing_only: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line} imports {self.module}"


def sources(*folders: str) -> list[Path]:
    """Every Python file below these folders of the repository."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes(), str(file))


@cache
def imports_of(file: Path) -> tuple[Import, ...]:
    return tuple(_imports(file, parsed(file), typing_only=False))


def _imports(file: Path, node: ast.AST, *, typing_only: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(file, node.lineno, alias.name, typing_only)
    elif isinstance(node, ast.ImportFrom):
        # `from lastgood.core import glob` may name a module, so the longest name it could mean is the one judged.
        for alias in node.names:
            yield Import(file, node.lineno, f"{'.' * node.level}{node.module or ''}.{alias.name}", typing_only)
    elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        for statement in node.body:
            yield from _imports(file, statement, typing_only=True)
        for statement in node.orelse:
            yield from _imports(file, statement, typing_only=typing_only)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _imports(file, child, typing_only=typing_only)


def part_of(file: Path) -> str:
    """The part of the package that a file belongs to: core, edge, …, or the name of a module at its top."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_imports_run_one_way(part: str) -> None:
    wrong = [
        str(found)
        for file in sources("hooks/lastgood")
        if part_of(file) == part
        for found in imports_of(file)
        if found.module.startswith("lastgood.") and found.module.split(".")[1] not in MAY_IMPORT[part] | {"__version__"}
    ]
    assert wrong == []


def test_every_part_of_the_package_has_its_place_in_the_order() -> None:
    assert {part_of(file) for file in sources("hooks/lastgood")} <= set(MAY_IMPORT)


def test_imports_name_the_package_in_full() -> None:
    assert [str(found) for file in sources("hooks") for found in imports_of(file) if found.module.startswith(".")] == []


def test_core_imports_only_what_is_pure() -> None:
    wrong = [
        str(found)
        for file in sources("hooks/lastgood/core")
        for found in imports_of(file)
        if (top := found.module.split(".")[0]) != "lastgood"
        and top not in PURE
        and not (found.typing_only and top in ONLY_FOR_TYPES)
    ]
    assert wrong == []


def test_core_calls_no_builtin_that_touches_the_world() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}:{node.lineno} calls {node.func.id}"
        for file in sources("hooks/lastgood/core")
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_BUILTINS
    ]
    assert wrong == []


def test_nothing_imports_difflib() -> None:
    files = sources("hooks", "completers", "tests", "bench")
    assert [str(i) for file in files for i in imports_of(file) if i.module.split(".")[0] == "difflib"] == []


@pytest.mark.parametrize("file", sources("hooks/lastgood"), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_file_of_the_package_is_too_long_to_read(file: Path) -> None:
    assert len(file.read_bytes().splitlines()) <= LONGEST


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


# The hooks that other repositories name


def manifest() -> list[dict[str, Any]]:
    """.pre-commit-hooks.yaml, read and completed with defaults by pre-commit itself."""
    return list(load_manifest(str(ROOT / ".pre-commit-hooks.yaml")))


HOOKS = [hook["id"] for hook in manifest()]
STAGES = ["pre-commit", "pre-merge-commit", "pre-push", "manual"]


def test_the_manifest_offers_the_gate_and_its_halves() -> None:
    assert HOOKS == ["lastgood-gate", "lastgood-check", "lastgood-stub"]


@pytest.mark.parametrize("hook", manifest(), ids=HOOKS)
def test_hooks_judge_the_index_and_not_the_names_they_are_given(hook: dict[str, Any]) -> None:
    flags = ("language", "always_run", "pass_filenames", "require_serial", "stages", "minimum_pre_commit_version")
    assert [hook[flag] for flag in flags] == ["python", True, False, True, STAGES, "3.2.0"]


@pytest.mark.parametrize("hook", manifest(), ids=HOOKS)
def test_a_hook_and_its_subcommand_and_its_module_are_one_word(hook: dict[str, Any]) -> None:
    word = hook["id"].removeprefix("lastgood-")
    assert (hook["name"], hook["entry"]) == (f"lastgood {word}", f"lastgood {word}")
    assert (PACKAGE / "commands" / f"{word}.py").is_file()


def test_this_repository_runs_the_gate_as_it_offers_it() -> None:
    offered = next(hook for hook in manifest() if hook["id"] == "lastgood-gate")
    config = load_config(str(ROOT / ".pre-commit-config.yaml"))
    own = next(hook for repo in config["repos"] for hook in repo["hooks"] if hook["id"] == "lastgood-gate")
    differ = {key for key in offered if key in own and own[key] != offered[key]}
    assert differ <= {"entry", "language", "description", "minimum_pre_commit_version"}
    assert own["entry"] == f".venv/bin/{offered['entry']}"
    assert config["default_install_hook_types"] == STAGES[:-1]  # `manual` is a stage that git knows no hook for


def test_the_readme_names_every_hook() -> None:
    assert set(HOOKS) - set(re.findall(r"[\w-]+", readme())) == set()


# The Makefile and CI


def makefile() -> str:
    return (ROOT / "Makefile").read_text(encoding="utf-8")


def targets() -> list[str]:
    """The targets that `make help` lists."""
    return re.findall(r"^([a-z-]+):.*## ", makefile(), re.MULTILINE)


def test_every_make_target_is_phony_and_explained() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)", makefile(), re.MULTILINE)
    assert phony.split() == targets() == re.findall(r"^([a-z-]+):", makefile(), re.MULTILINE)


def test_every_make_target_but_two_builds_what_it_needs_first() -> None:
    without = re.findall(r"^([a-z-]+):(?! \$\(READY\) ).*## ", makefile(), re.MULTILINE)
    assert without == ["help", "clean"]


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "-s", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)


@pytest.fixture
def ready(tmp_path: Path) -> str:
    """A stamp that says the virtual environment is newer than pyproject.toml."""
    stamp = tmp_path / "ready"
    stamp.touch()
    return f"READY={stamp}"


def arguments_of(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\0")[:-1]


ECHO = "LASTGOOD=printf '%s\\0'"  # stands in for the command and shows the arguments it was given


def test_make_passes_no_option_for_a_variable_nobody_set(ready: str) -> None:
    assert arguments_of(make("record", ready, ECHO)) == ["record"]


@pytest.mark.parametrize(
    "reason",
    [
        pytest.param("shorter refusals", id="words"),
        pytest.param('it\'s "quoted"', id="quotes"),
        pytest.param("costs $5, not $(shell id) or ${HOME}", id="dollars"),
        pytest.param("`id` & | ; # \\ *", id="shell"),
        pytest.param("two\nlines", id="newline"),
        pytest.param("kürzere Absagen", id="unicode"),
    ],
)
def test_make_hands_on_a_reason_exactly_as_typed(ready: str, reason: str) -> None:
    done = make("record", ready, ECHO, f"REASON={reason}", "ACCEPT=1f0c")
    assert arguments_of(done) == ["record", "--reason", reason, "--accept", "1f0c"]


def test_make_refuses_a_python_that_is_too_old_in_one_sentence(tmp_path: Path) -> None:
    done = make("setup", f"VENV={tmp_path / 'venv'}", "PYTHON=false")
    assert done.returncode == 2
    assert done.stderr.startswith("lastgood needs Python 3.10 or newer, and none of these is: false.")


def test_make_takes_no_half_built_environment_for_a_ready_one(tmp_path: Path) -> None:
    stops_half_way = tmp_path / "python"
    stops_half_way.write_text('#!/bin/sh\n[ "$2" != venv ] || { mkdir -p "$3/bin"; exit 1; }\n')
    stops_half_way.chmod(0o755)
    venv = tmp_path / "venv"
    venv.mkdir()
    (venv / ".ready").touch()
    os.utime(venv / ".ready", (0, 0))  # older than pyproject.toml
    assert make("setup", f"VENV={venv}", f"PYTHON={stops_half_way}").returncode == 2
    assert (venv / "bin").is_dir()
    assert not (venv / ".ready").exists()


def test_ci_runs_by_itself_and_ends_with_the_tests() -> None:
    run = ROOT / ".ci" / "run"
    lines = [line.split(" #")[0].rstrip() for line in run.read_text(encoding="utf-8").splitlines()]
    assert os.access(run, os.X_OK)
    assert "make lint" in lines
    assert lines[-1] == "make test"


def tracked() -> list[Path]:
    """Every file that is in git or would be added to it."""
    # A clone that belongs to another user would be refused; the tests' own configuration has no exception for it.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.split(b"\0")
    return sorted({ROOT / os.fsdecode(name) for name in names if name})


def test_no_file_names_a_folder_of_the_machine_it_was_written_on() -> None:
    here = re.escape(str(ROOT).encode())
    private = re.compile(rb"/(?:home|Users|root)/[a-z]|" + here + rb"\b")
    found = [
        f"{file.relative_to(ROOT)}: {match.group().decode()}"
        for file in tracked()
        if file.is_file() and (match := private.search(file.read_bytes()))
    ]
    assert found == []
