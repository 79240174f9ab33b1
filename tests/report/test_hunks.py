"""Diffs as they are read: with colour and without, words marked, long lines shortened, nothing hidden unsaid."""

from __future__ import annotations

import re

import pytest

from lastgood.edge.terminal import colour_wanted
from lastgood.report.hunks import hunk_lines
from lastgood.report.paint import Paint, columns

LONG = "The order ord_1042 was paid on Monday by credit card, and it will leave our house tomorrow"


def plain(*diff: str) -> list[str]:
    return [Paint()(line) for line in hunk_lines(diff)]


CASES = {
    "short lines stay lines": (["@@ -1 +1 @@", "-a b", "+a c"], ["-a b", "+a c"]),
    "context": (["@@ -1,2 +1,2 @@", " x", "-a", "+b"], [" x", "-a", "+b"]),
    "between hunks": (["@@ -1 +1 @@", "-a", "+b", "@@ -9 +9 @@", "-c", "+d"], ["-a", "+b", "  …", "-c", "+d"]),
    "a long line and its like": (
        [f"-{LONG}.", f"+{LONG.replace('paid', 'refunded')}."],
        [f"~{LONG.replace('paid', '[-paid-]{+refunded+}')}."],
    ),
    "a preface on a line of its own": (
        [f"-{LONG}", "+Sure!", "+", f"+{LONG}, I think"],
        ["+Sure!", "+", f"~{LONG}{{+, I think+}}"],
    ),
    "long lines with nothing in common": (
        ["-" + "a" * 100, "+" + "b" * 100],
        ["-" + "a" * 100, "+" + "b" * 100],
    ),
    "a very long line": (
        ["-" + "word " * 100 + "end", "+Sure! " + "word " * 100 + "end"],
        ["~{+Sure! +}" + "word " * 12 + "…(443 the same)…"],
    ),
    "a very long line that came": (["+" + "x" * 5000], ["+" + "x" * 600 + " …(4,400 more)…"]),
    "no end of line": (
        ["-a", "\\ No newline at end of file", "+b"],
        ["-a", "\\ No newline at end of file", "+b"],
    ),
}


@pytest.mark.parametrize(("diff", "shown"), CASES.values(), ids=CASES)
def test_without_colour(diff: list[str], shown: list[str]) -> None:
    assert plain(*diff) == shown


def test_with_colour_the_words_are_marked_in_short_lines_too() -> None:
    old, new = (Paint(colour=True)(line) for line in hunk_lines(["-a b", "+a c"]))
    assert old == "\x1b[31m-\x1b[0m\x1b[31ma \x1b[0m\x1b[7;31mb\x1b[0m"
    assert new == "\x1b[32m+\x1b[0m\x1b[32ma \x1b[0m\x1b[7;32mc\x1b[0m"


@pytest.mark.parametrize("diff", [diff for diff, _ in CASES.values()], ids=CASES)
def test_colour_takes_the_place_of_the_signs_and_of_nothing_else(diff: list[str]) -> None:
    coloured = [re.sub(r"\x1b\[[0-9;]*m", "", Paint(colour=True)(line)) for line in hunk_lines(diff)]
    assert coloured == [re.sub(r"\[-|-\]|\{\+|\+\}", "", line) for line in plain(*diff)]


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "plain"])
def test_what_a_completion_holds_drives_no_terminal(colour: bool) -> None:
    line = "-" + LONG + " \x1b[2J \u202e ##[section] "
    for shown in hunk_lines([line, line.replace("-", "+", 1) + "::error::x"]):
        text = re.sub(r"\x1b\[[0-9;]*m", "", Paint(colour=colour)(shown))
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "##[" not in text


@pytest.mark.parametrize("colour", [True, False], ids=["colour", "plain"])
@pytest.mark.parametrize("width", [20, 80])
def test_folded_lines_fit_and_lose_nothing(colour: bool, width: int) -> None:
    line = [("old word", "注文は支払済 " * 30), ("", LONG), ("new word", "e\u0301" * 50)]
    rows = Paint(colour=colour).folded(line, width, 4)
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", row) for row in rows]
    assert max(map(columns, bare)) <= width
    whole = re.sub(r"\x1b\[[0-9;]*m", "", Paint(colour=colour)(line))
    assert bare[0] + "".join(row[4:] for row in bare[1:]) == whole


@pytest.mark.parametrize(
    ("environ", "terminal", "wanted"),
    [
        ({"TERM": "xterm"}, True, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({}, True, False),
        ({"TERM": "xterm"}, False, False),
    ],
)
def test_colour_is_for_terminals_that_have_it(environ: dict[str, str], terminal: bool, wanted: bool) -> None:
    assert colour_wanted(environ, terminal=terminal) is wanted


def test_thousands_of_long_lines_are_not_compared_for_ever() -> None:
    diff = [*(f"-{LONG} {n}" for n in range(9000)), *(f"+{n} {LONG}" for n in range(9000))]
    assert len(hunk_lines(diff)) == 18_000
