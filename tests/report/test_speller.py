"""Commands as people type them where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lastgood.report.speller import Speller
from repository import LASTGOOD, Repository, standing

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("command", "at_the_top", "below"),
    [
        ("lastgood eval -p x", "make eval PROMPT=x", "make -C ../.. eval PROMPT=x"),
        ("lastgood catalog ship", ".venv/bin/lastgood catalog ship", "../../.venv/bin/lastgood catalog ship"),
        ("git add prompts/x.txt", "git add prompts/x.txt", "git -C ../.. add prompts/x.txt"),
        ("or git rm -r golden/x/", "or git rm -r golden/x/", "or git -C ../.. rm -r golden/x/"),
        ("rm -r baselines/s/x/", "rm -r baselines/s/x/", "(cd ../.. && rm -r baselines/s/x/)"),
        ("git checkout -- a && rm b", "git checkout -- a && rm b", "(cd ../.. && git checkout -- a && rm b)"),
        ("git fetch origin", "git fetch origin", "git fetch origin"),
        ("git does not hold it", "git does not hold it", "git does not hold it"),
        ("rename one of them", "rename one of them", "rename one of them"),
    ],
)
def test_what_names_files_from_the_top_says_where_the_top_is(command: str, at_the_top: str, below: str) -> None:
    assert Speller(make=True)(command) == at_the_top
    assert Speller(make=True, up="../..")(command) == below


def test_without_make_only_git_has_to_be_told_where_the_top_is() -> None:
    assert Speller(up="../..")("lastgood eval -p x") == "lastgood eval -p x"
    assert Speller(up="a b/..")("git add x") == "git -C 'a b/..' add x"


def test_the_loop_can_be_typed_as_printed_in_a_subdirectory(tmp_path: Path) -> None:
    """`next:` and `undo` of a record lead on where the record was typed."""
    repo = standing(tmp_path / "repo")
    before = repo.files("baselines")
    repo.write({"prompts/billing.txt": "say: refunded\n"})
    repo.lastgood("eval", cwd="golden/billing")
    done = repo.lastgood("record", "--reason", "x", "--accept", repo.token(), cwd="golden/billing")
    printed = dict(line.split(": ", 1) for line in done.out.splitlines())
    _type(repo, printed["undo, before that"], "golden/billing")
    assert repo.files("baselines") == before
    repo.accept()
    _type(repo, printed["next"].removesuffix(" && git commit"), "golden/billing")
    assert repo.git("status", "--porcelain", "--untracked-files").out.splitlines() == [
        f"M  baselines/stub/billing/{name}" if name[0] != "m" else f"A  baselines/stub/billing/{name}"
        for name in ("HEAD", "migrations/0002_as-wanted.json", "one.json", "two.json")
    ] + ["M  prompts/billing.txt"]


def test_an_error_below_the_top_is_mended_through_make_too(tmp_path: Path) -> None:
    repo = standing(tmp_path / "repo")
    repo.write({"Makefile": "eval:\n\t.venv/bin/lastgood eval\n"})
    said = repo.lastgood("diff", code=4, cwd="golden/billing").err
    assert said == "lastgood: no pending run of stub\n  run  make -C ../.. eval COMPLETER=stub\n"


def test_a_folder_that_is_gone_is_an_error_like_any_other(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo")
    done = repo.run("sh", "-c", f"mkdir gone && cd gone && rmdir ../gone && exec {LASTGOOD} diff", code=4)
    assert "Traceback" not in done.err


def _type(repo: Repository, command: str, where: str) -> None:
    repo.run("sh", "-c", command, cwd=where)
