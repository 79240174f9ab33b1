"""A unified diff as rows of two sides, words marked, bounded in what one line and one case may show."""

from __future__ import annotations

from lastgood.core.text_diff import word_pieces
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Piece: TypeAlias = tuple[str, str]  # one of the kinds below, and text

PLAIN, MARKED, CUT = "", "marked", "cut"  # a CUT piece says how much stands there, and is no part of the text
MOST_ROWS = 400  # of one case
_LONG = 1_200  # characters of a line that is shown as it is
_KEPT = 240  # of what stayed in a longer one, on each side of what moved
_ALIKE = 0.3  # share of the shorter line that must have stayed, for words to be worth marking
_MOST_PAIRED = 2_500  # lines that went times lines that came, compared each with each


@value(frozen=True)
class Side:
    """One line of one text: its number, and its pieces."""

    number: int
    pieces: tuple[Piece, ...]


@value(frozen=True)
class Row:
    """A line on both sides, or on one; both None between two hunks."""

    same: bool
    old: Side | None
    new: Side | None


@value(frozen=True)
class Sides:
    """The rows of a diff; `hidden` is how many rows are left out, `cut` whether any text is."""

    rows: tuple[Row, ...]
    hidden: int
    cut: bool


def sides(lines: Sequence[str], most: int = MOST_ROWS) -> Sides:
    """The rows of a `TextDiff`'s lines."""
    rows = list(_rows(lines))
    hidden = max(0, len(rows) - most)
    shown = tuple(rows[:most] if hidden else rows)
    pieces = (piece for row in shown for side in (row.old, row.new) if side for piece in side.pieces)
    return Sides(shown, hidden, bool(hidden) or any(kind == CUT for kind, _ in pieces))


def _rows(lines: Sequence[str]) -> Iterator[Row]:
    old_number = new_number = 0
    went: list[Side] = []
    came: list[Side] = []
    for line in [*lines, ""]:
        mark, text = line[:1], line[1:]
        if mark in ("", " ", "@"):
            yield from _changed(went, came)
            went, came = [], []
        if mark == "@":
            if old_number or new_number:
                yield Row(same=True, old=None, new=None)
            old_number, new_number = (int(place[1:].partition(",")[0]) for place in line.split(" ")[1:3])
        elif mark == "-":
            went.append(Side(old_number, ((PLAIN, text),)))
            old_number += 1
        elif mark == "+":
            came.append(Side(new_number, ((PLAIN, text),)))
            new_number += 1
        elif mark == " ":
            pieces = shortened([(PLAIN, text)])
            yield Row(same=True, old=Side(old_number, pieces), new=Side(new_number, pieces))
            old_number, new_number = old_number + 1, new_number + 1


def _changed(went: Sequence[Side], came: Sequence[Side]) -> Iterator[Row]:
    left = right = 0
    for left_end, right_end in [*_pairs(went, came), (len(went), len(came))]:
        yield from (Row(same=False, old=_bounded(side), new=None) for side in went[left:left_end])
        yield from (Row(same=False, old=None, new=_bounded(side)) for side in came[right:right_end])
        if left_end < len(went):
            old, new = went[left_end], came[right_end]
            before, after = marked(old.pieces[0][1], new.pieces[0][1])
            yield Row(same=False, old=Side(old.number, before), new=Side(new.number, after))
        left, right = left_end + 1, right_end + 1


def _pairs(went: Sequence[Side], came: Sequence[Side]) -> list[tuple[int, int]]:
    """Which lines stand beside one another: by place where as many came as went, else those that share most words."""
    if len(went) == len(came) or len(went) * len(came) > _MOST_PAIRED:
        return [(at, at) for at in range(min(len(went), len(came)))]
    words = [[set(side.pieces[0][1][:_LONG].split()) for side in sides] for sides in (went, came)]
    found: list[tuple[int, int]] = []
    start = 0
    for left, ours in enumerate(words[0]):
        shares = ((len(ours & theirs), -right) for right, theirs in enumerate(words[1]) if right >= start)
        most, place = max(shares, default=(0, 0))
        if 2 * most >= len(ours) > 0:
            found.append((left, -place))
            start = 1 - place
    return found


def _bounded(side: Side | None) -> Side | None:
    return side and Side(side.number, shortened(side.pieces))


def marked(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces of two lines that became one another; nothing is marked where they have too little in common."""
    found = word_pieces(old, new)
    stayed = sum(len(text) for mark, text in found if mark == " ")
    if stayed < _ALIKE * min(len(old), len(new)):
        return shortened([(PLAIN, old)]), shortened([(PLAIN, new)])
    before, after = (
        shortened([(PLAIN if mark == " " else MARKED, text) for mark, text in found if mark in (" ", side)])
        for side in "-+"
    )
    return before, after


def shortened(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """A line of bounded length: of what stayed, what stands beside what moved; of what moved, beginning and end."""
    if sum(len(text) for _, text in pieces) <= _LONG:
        return tuple(pieces)
    found: list[Piece] = []
    for at, (kind, text) in enumerate(pieces):
        alone = len(pieces) == 1
        head = _KEPT if kind == MARKED or alone or at > 0 else 0
        tail = _KEPT if kind == MARKED or alone or at < len(pieces) - 1 else 0
        hidden = len(text) - head - tail
        if hidden <= _KEPT:
            found.append((kind, text))
        else:
            end = text[len(text) - tail :] if tail else ""
            found += [(kind, text[:head]), (CUT, f"{hidden:,} characters"), (kind, end)]
    return tuple(piece for piece in found if piece[1])
