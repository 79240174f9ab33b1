"""The screens of `lastgood review`, as lines that any terminal can show."""

from __future__ import annotations

import json

from lastgood.core.review import ACCEPT, REJECT, SKIP, alike
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.hunks import hunk_lines
from lastgood.report.moves_text import headline, pin
from lastgood.report.paint import FAINT, NEW, OLD, PLAIN, TITLE, WARNING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.core.review import Walk
    from lastgood.report.paint import Line, Paint

INDENT = 2
_LEAST_OF_A_DIFF = 3  # rows that long reasons leave to the answer
_WORDS = {ACCEPT: (NEW, "accepted"), REJECT: (OLD, "rejected"), SKIP: (FAINT, "skipped")}

HELP = (
    "a  accept: this is the new last good answer",
    "A  accept this one, and every undecided one that moved the same way",
    "r  reject: the prompt is to be edited; nothing of its run will be recorded",
    "s  skip: decide later; nothing of its run is recorded before",
    "b  back to the case before",
    "w  the whole diff, nothing shortened",
    "p  what changed in the prompt since its answers were accepted",
    "i  what was asked",
    "q  leave; decisions are kept, and `lastgood review` goes on here",
    "?  this list",
)


def item_lines(prompt: Mapping[str, Any], case: Mapping[str, Any], walk: Walk) -> list[Line]:
    """What is above the diff: where we are, what moved and how, what is suspicious."""
    style, word = _WORDS.get(walk.decisions.get(walk.here.key, ""), (PLAIN, ""))
    where = f"{walk.at + 1} of {len(walk.items)}  {prompt['prompt_id']}  {pin(prompt)}  {prompt['completer']}"
    lines: list[Line] = [[(TITLE, where), (style, f"  {word}" if word else "")]]
    return [*lines, *told_lines(case)]


def told_lines(case: Mapping[str, Any]) -> list[Line]:
    """What moved and how, what is suspicious, what failed and why."""
    lines: list[Line] = [headline(case), *([(WARNING, f"! {mark}")] for mark in case["marks"])]
    return lines + [[(PLAIN, reason)] for reason in case["explanations"]]


def diff_lines(case: Mapping[str, Any], *, whole: bool = False) -> list[Line]:
    """The diff of a case, or the answer that failed."""
    said: list[Line] = [[(FAINT, "| "), (PLAIN, line)] for line in case["said"]]
    return said + hunk_lines(case["diff"], whole=whole)


def keys_line(walk: Walk) -> Line:
    """The keys that do something here."""
    if not walk.here.acceptable:
        return [(TITLE, "r"), (PLAIN, " reject  "), (TITLE, "s"), (PLAIN, " skip  "), *_others()]
    others = len(alike(walk))
    all_of = [(TITLE, "A"), (PLAIN, f" +{others} alike  ")] if others else []
    decide = [(TITLE, "a"), (PLAIN, " accept  "), *all_of, (TITLE, "r"), (PLAIN, " reject  "), (TITLE, "s")]
    return [*decide, (PLAIN, " skip  "), *_others()]


def _others() -> Line:
    words = (("w", "whole"), ("p", "prompt"), ("q", "quit"), ("?", "help"))
    found = [piece for key, word in words for piece in ((TITLE, key), (PLAIN, f" {word}  "))]
    return [*found[:-1], (PLAIN, f" {words[-1][1]}")]


def asked_lines(case_input: Any) -> list[Line]:
    """The input of a case."""
    return [[(PLAIN, line)] for line in json.dumps(case_input, indent=2, ensure_ascii=False).split("\n")]


def screen(paint: Paint, head: list[Line], body: list[Line], foot: Line, size: tuple[int, int]) -> list[str]:
    """Rows that fit `size` (columns, rows) as far as head and diff can be cut for it; what is cut is counted."""
    width, height = size
    top = [row for line in head for row in paint.folded(line, width, INDENT)]
    bottom = paint.folded(foot, width, 0)
    most = max(height - len(bottom) - _LEAST_OF_A_DIFF - 3, 3)
    if len(top) > most:
        cut = [(FAINT, f"… {len(top) - most + 1:,} more rows: w shows them")]
        top = [*top[: most - 1], *paint.folded(cut, width, INDENT)]
    rows = [row for line in body for row in paint.folded([(PLAIN, " " * INDENT), *line], width, INDENT + 1)]
    room = max(height - len(top) - len(bottom) - 3, 3)  # a blank row above and below the diff, and the cursor's own
    if len(rows) > room:
        hidden = len(rows) - room + 1
        rows = [*rows[: room - 1], *paint.folded([(FAINT, f"  … {hidden:,} more rows: w shows them")], width, INDENT)]
    return [*top, "", *rows, "", *bottom]


def rule(width: int) -> str:
    """Between two screens where nothing can be cleared."""
    return "-" * min(width, 80)


def summary(walk: Walk) -> str:
    """How far it went."""
    parts = [f"{walk.count(decision)} {word}" for decision, (_, word) in _WORDS.items() if walk.count(decision)]
    undecided = len(walk.items) - sum(map(walk.count, _WORDS))
    parts += [f"{undecided} not decided"] if undecided else []
    return f"{len(walk.items)} to review: {', '.join(parts) or 'nothing decided'}"
