"""One git process for many diffs, whatever the texts hold and whatever git is configured to do."""

from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from lastgood.core.text_diff import TextDiff
from lastgood.edge.text_diff import counted, unified
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from pathlib import Path

CASES = {
    "one line": ("a\n", "b\n", ("@@ -1 +1 @@", "-a", "+b")),
    "one line without an end": ("a", "b", ("@@ -1 +1 @@", "-a", "+b")),
    "an end of line added": ("a", "a\n", ("@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+a")),
    "an end of line removed": ("a\n", "a", ("@@ -1 +1 @@", "-a", "+a", "\\ No newline at end of file")),
    "from empty": ("", "a", ("@@ -0,0 +1 @@", "+a")),
    "to empty": ("a\nb", "", ("@@ -1,2 +0,0 @@", "-a", "-b")),
    "one empty line": ("", "\n", ("@@ -0,0 +1 @@", "+")),
    "context": ("a\nb\nc", "a\nx\nc", ("@@ -1,3 +1,3 @@", " a", "-b", "+x", " c")),
    "empty context line": ("\nb", "\nx", ("@@ -1,2 +1,2 @@", " ", "-b", "+x")),
    "looks like file headers": ("-- a\n++ a", "-- b\n++ b", ("@@ -1,2 +1,2 @@", "--- a", "-++ a", "+-- b", "+++ b")),
    "looks like a git header": (
        "diff --git a/x b/x\n@@ -1 +1 @@",
        "diff --git a/x b/x\n@@ -1 +2 @@",
        ("@@ -1,2 +1,2 @@", " diff --git a/x b/x", "-@@ -1 +1 @@", "+@@ -1 +2 @@"),
    ),
    "looks like the end marker": (
        "\\ No newline at end of file\na",
        "\\ No newline at end of file\nb",
        ("@@ -1,2 +1,2 @@", " \\ No newline at end of file", "-a", "+b"),
    ),
    "carriage returns": ("a\r\nb\rc", "a\nb\rc", ("@@ -1,2 +1,2 @@", "-a\r", "+a", " b\rc")),
    "only a carriage return": ("\r\na", "\r\nb", ("@@ -1,2 +1,2 @@", " \r", "-a", "+b")),
    "NUL": ("a\0b", "a\0c", ("@@ -1 +1 @@", "-a\0b", "+a\0c")),
    "other line separators": (
        "a\x0b\x0c\x1c\x85\u2028b\nc",
        "a\x0b\x0c\x1c\x85\u2028b\nd",
        ("@@ -1,2 +1,2 @@", " a\x0b\x0c\x1c\x85\u2028b", "-c", "+d"),
    ),
    "unicode": ("für 注文 🎉", "fur 注文 🎉", ("@@ -1 +1 @@", "-für 注文 🎉", "+fur 注文 🎉")),
    "lone surrogate": ("\ud800", "\udfff", ("@@ -1 +1 @@", "-\ud800", "+\udfff")),
    "byte order mark": ("\ufeffa", "a", ("@@ -1 +1 @@", "-\ufeffa", "+a")),
    "spaces at the end": ("a ", "a", ("@@ -1 +1 @@", "-a ", "+a")),
    "what git would take for a function": (
        "def f():\n1\n2\n3\n4\n5",
        "def f():\n1\n2\n3\n4\n6",
        ("@@ -3,4 +3,4 @@", " 2", " 3", " 4", "-5", "+6"),
    ),
    "equal": ("a\nb", "a\nb", ()),
}


@pytest.fixture
def scratch(tmp_path: Path) -> str:
    return str(tmp_path / "scratch")


@pytest.mark.parametrize(("old", "new", "lines"), CASES.values(), ids=CASES)
def test_lines_are_gits(scratch: str, old: str, new: str, lines: tuple[str, ...]) -> None:
    diff = unified([("case", old, new)], scratch=scratch)["case"]
    assert diff.lines == lines
    assert diff.truncated == 0
    assert (diff.added, diff.removed) == tuple(sum(line.startswith(mark) for line in lines) for mark in "+-")


@pytest.mark.parametrize(("old", "new", "lines"), CASES.values(), ids=CASES)
def test_counts_alone_are_the_same_counts(scratch: str, old: str, new: str, lines: tuple[str, ...]) -> None:
    expected = tuple(sum(line.startswith(mark) for line in lines) for mark in "+-")
    assert counted([("case", old, new)], scratch=scratch) == {"case": expected}


def test_many_cases_keep_their_order_and_labels(scratch: str) -> None:
    labels = ["../up", "-rf", "a b", "ü", "new\nline", *map(str, range(40))]
    pairs = [(label, f"old {label}", f"new {label}" if i % 3 else f"old {label}") for i, label in enumerate(labels)]
    found = unified(pairs, scratch=scratch)
    assert list(found) == labels
    assert [label for label in labels if not found[label].lines] == labels[::3]
    assert found["39"] == TextDiff() or found["39"].lines == ("@@ -1 +1 @@", "-old 39", "+new 39")


def test_nothing_to_compare_is_no_error(scratch: str) -> None:
    assert unified([], scratch=scratch) == {}
    assert counted([("a", "x", "x")], scratch=scratch) == {"a": (0, 0)}


def lines_of(count: int, word: str = "line") -> str:
    return "".join(f"{word} {number}\n" for number in range(count))


@pytest.mark.parametrize("most", [0, 1, 7, 10, 11, 19, 20, 21, 200])
def test_what_is_left_out_is_counted(scratch: str, most: int) -> None:
    diff = unified([("a", lines_of(10, "old"), lines_of(10, "new"))], scratch=scratch, max_lines=most)["a"]
    body = [line for line in diff.lines if line[0] in " +-"]
    assert len(body) == min(most, 20)
    assert diff.truncated == 20 - len(body)
    assert (diff.added, diff.removed) == (10, 10)


def test_a_hunk_cut_short_says_its_own_length(scratch: str) -> None:
    diff = unified([("a", "a\nb\nc\nd", "a\nx\ny\nd")], scratch=scratch, max_lines=3)["a"]
    assert diff == TextDiff(2, 2, ("@@ -1,3 +1,1 @@", " a", "-b", "-c"), 3)


def test_later_hunks_are_left_out_whole(scratch: str) -> None:
    old = lines_of(30)
    new = old.replace("line 2\n", "x\n").replace("line 20\n", "y\n")
    diff = unified([("a", old, new)], scratch=scratch, context=0, max_lines=2)["a"]
    assert diff == TextDiff(2, 2, ("@@ -3 +3 @@", "-line 2", "+x"), 2)


def test_no_bound_shows_everything(scratch: str) -> None:
    diff = unified([("a", "", lines_of(1000))], scratch=scratch, max_lines=None)["a"]
    assert (len(diff.lines), diff.truncated) == (1001, 0)


def test_the_diff_applied_gives_the_new_text(scratch: str) -> None:
    dice = random.Random(7)
    words = ["a", "b", "", "\r", "- x", "+ y", "@@ z", "\x0c", "\u2028"]
    for _ in range(30):
        old, new = ["\n".join(dice.choices(words, k=dice.randrange(30))) + "\n" for _ in range(2)]
        diff = unified([("a", old, new)], scratch=scratch, context=1000, max_lines=None)["a"]
        if old != new:
            body = [line for line in diff.lines if not line.startswith("@@")]
            assert "".join(line[1:] + "\n" for line in body if line[0] in " -") == old
            assert "".join(line[1:] + "\n" for line in body if line[0] in " +") == new


def test_nothing_stays_behind(scratch: str, tmp_path: Path) -> None:
    unified([("a", "x", "y")], scratch=scratch)
    assert list((tmp_path / "scratch").iterdir()) == []


def test_configuration_and_environment_have_no_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The repository, the person and the environment each ask for another diff than ours."""
    home = tmp_path / "home"
    home.mkdir()
    settings = (
        "[diff]\n noprefix = true\n mnemonicPrefix = true\n context = 0\n algorithm = minimal\n external = false\n"
        " wsErrorHighlight = all\n suppressBlankEmpty = true\n interHunkContext = 9\n renames = copies\n"
        "[color]\n ui = always\n[core]\n autocrlf = true\n pager = false\n"
    )
    (home / ".gitconfig").write_text(settings)
    (home / ".config" / "git").mkdir(parents=True)
    (home / ".config" / "git" / "attributes").write_text("* binary\n")
    root = tmp_path / "repository"
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    with (root / ".git" / "config").open("a") as config:
        config.write(settings)
    (root / ".gitattributes").write_text("* text=auto eol=crlf -diff\n")
    for name, text in {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_DIR": str(root / ".git"),
        "GIT_WORK_TREE": str(root),
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_DIFF_OPTS": "--unified=0",
        "GIT_PAGER": "false",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "diff.noprefix",
        "GIT_CONFIG_VALUE_0": "true",
    }.items():
        monkeypatch.setenv(name, text)
    monkeypatch.chdir(root)
    pair = ("a", "1\n\n3\r\n4\nx\n", "1\n\n3\n4\nx\n")
    for scratch in (str(root / ".lastgood" / "tmp"), ".lastgood/here"):
        diff = unified([pair], scratch=scratch)["a"]
        assert diff.lines == ("@@ -1,5 +1,5 @@", " 1", " ", "-3\r", "+3", " 4", " x")
        assert counted([pair], scratch=scratch) == {"a": (1, 1)}


def test_no_git_is_an_error(scratch: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LastgoodError, match="cannot be compared"):
        unified([("a", "x", "y")], scratch=scratch)


ODD_GITS = {
    "fails": ("echo 'fatal: no such option' >&2; exit 129", "git diff failed: fatal: no such option"),
    "dies without a word": ("exit 3", "git diff failed: exit 3"),
    "says that all is equal": ("exit 0", "told 0 of 1 completions apart"),
    "breaks off": (
        r"printf 'diff --git a/old/0 b/new/0\n--- a/old/0\n+++ b/new/0\n@@ -1,9 +1 @@\n+x\n'; exit 1",
        "cannot be read",
    ),
}


@pytest.mark.parametrize(("script", "reason"), ODD_GITS.values(), ids=ODD_GITS)
def test_a_git_that_does_otherwise_is_an_error(
    scratch: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, reason: str
) -> None:
    git = tmp_path / "git"
    git.write_text(f"#!/bin/sh\n{script}\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(LastgoodError, match=reason):
        unified([("a", "x", "y")], scratch=scratch)


def test_a_scratch_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LastgoodError, match="cannot be compared"):
        unified([("a", "x", "y")], scratch=str(tmp_path / "file" / "scratch"))
