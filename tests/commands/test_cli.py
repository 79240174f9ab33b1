"""The command line itself: what every command has in common."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from lastgood import __version__
from lastgood.arguments import COMMANDS, parse
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from repository import Repository


def test_help_lists_every_command_and_every_exit_code(repo: Repository) -> None:
    out = repo.lastgood("--help").out
    assert [command for command in COMMANDS if f"\n    {command}" not in out] == []
    flat = " ".join(out.split())
    assert (
        "exit codes: 0 held, 1 broken, 2 out of step, 3 moved (with --fail-on-diff), 4 cannot tell, 130 inter" in flat
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(repo: Repository, command: str) -> None:
    out = " ".join(repo.lastgood(command, "--help").out.split())
    assert COMMANDS[command] in out or command == "catalog"
    assert "exit codes: " in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_module_that_runs_it(command: str) -> None:
    from importlib import import_module

    assert callable(import_module(f"lastgood.commands.{command}").run)


def test_the_version(repo: Repository) -> None:
    version, formats = repo.lastgood("--version").out.splitlines()
    assert version == f"lastgood {__version__}"
    assert formats.startswith("formats read: 1 (configuration, golden case, suite, catalog, ")


def test_python_m_lastgood_is_the_same_command(repo: Repository) -> None:
    assert repo.run(sys.executable, "-m", "lastgood", "status").out == repo.lastgood("status").out
    repo.run(sys.executable, "-m", "lastgood", "nonsense", code=4)


@pytest.mark.parametrize(
    ("words", "command_line"),
    [
        (["eval", "--", "a", "-p", "x"], ["a", "-p", "x"]),
        (["eval", "-p", "b", "--", "a", "--", "-h"], ["a", "--", "-h"]),
        (["eval"], None),
    ],
)
def test_what_stands_after_two_dashes_is_untouched(words: list[str], command_line: list[str] | None) -> None:
    assert parse(words).command_line == command_line


@pytest.mark.parametrize("words", [["check", "--forma", "json"], ["eval", "--fail"], ["record", "--reas", "x"]])
def test_options_are_not_abbreviated(words: list[str]) -> None:
    with pytest.raises(LastgoodError) as caught:
        parse(words)
    assert caught.value.fix.endswith("--help")


@pytest.mark.parametrize("command", ["check", "stub", "gate"])
def test_a_bare_hook_and_one_with_options_say_the_same(repo: Repository, command: str) -> None:
    bare, long = repo.lastgood(command), repo.lastgood(command, "--format", "text")
    assert (bare.out, bare.err) == (long.out, long.err)


def test_a_bare_hook_needs_no_terminal(repo: Repository) -> None:
    """No process group has a terminal here, so whoever opened /dev/tty would fail."""
    done = subprocess.run(
        [repo.tool("lastgood"), "gate"], cwd=repo.root, stdin=subprocess.DEVNULL, start_new_session=True, check=False
    )
    assert done.returncode == 0


@pytest.mark.parametrize("where", ["prompts", "golden/billing"])
def test_every_command_works_from_a_folder_below(repo: Repository, where: str) -> None:
    for command in ("status", "check", "gate", "eval", "diff", "log"):
        repo.lastgood(command, cwd=where)


def test_it_works_in_a_linked_worktree(repo: Repository) -> None:
    repo.git("worktree", "add", "-q", "../linked")
    for command in ("status", "check", "gate", "eval", "diff"):
        repo.lastgood(command, cwd="../linked")
    repo.lastgood("diff", code=4)  # runs are each worktree's own


def test_a_prompt_may_be_called_like_an_option() -> None:
    assert parse(["eval", "-p", "-x", "-p", "--all", "-p", "plain", "--all"]).prompt == ["-x", "--all", "plain"]
    assert parse(["eval", "-c", "stub", "-p", "-x"]).completer == "stub"
