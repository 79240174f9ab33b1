"""A failure: one assertion that a completion broke, as a stable string and as a sentence."""

from __future__ import annotations

import json

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from typing import Any

_LONGEST = 160  # characters shown of a value


@value(frozen=True)
class Failure:
    """One broken assertion.

    `kind_detail` is the stable string `kind:detail` of score documents (`missing_key:status`); `explanation` one line
    for people: what was expected, what came.
    """

    kind_detail: str
    explanation: str

    def __str__(self) -> str:
        return self.kind_detail


def shown(found: Any) -> str:
    """A JSON value on one line, cut when long; what would move a cursor or hide is escaped."""
    if isinstance(found, str):
        found = found[: _LONGEST + 1]
    return one_line(json.dumps(found, ensure_ascii=False))


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Text for a terminal: one line, cut when long, nothing unprintable left as it is."""
    cut = text[:longest]
    if not cut.isprintable():
        cut = "".join(mark if mark.isprintable() else ascii(mark)[1:-1] for mark in cut)
    return cut if len(text) <= longest else f"{cut}…"
