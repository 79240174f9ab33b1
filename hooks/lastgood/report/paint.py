"""Lines for a terminal: pieces with a style each, coloured where that is wanted, folded at a width."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from typing import TypeAlias

    Line: TypeAlias = list[tuple[str, str]]  # style and text of each piece; the text may hold anything

PLAIN, TITLE, WARNING, FAINT = "", "title", "warning", "faint"
OLD, NEW = "old", "new"  # lines that went or came
OLD_LINE_WORD, NEW_LINE_WORD = "old line word", "new line word"  # what differs in them; without colour nothing is said
OLD_WORD, NEW_WORD = "old word", "new word"  # what went and came inside one line
_CODES = {
    TITLE: "1",
    WARNING: "1;33",
    FAINT: "2",
    OLD: "31",
    NEW: "32",
    OLD_LINE_WORD: "7;31",
    NEW_LINE_WORD: "7;32",
    OLD_WORD: "7;31",
    NEW_WORD: "7;32",
}
_SIGNS = {OLD_WORD: ("[-", "-]"), NEW_WORD: ("{+", "+}")}  # as git's --word-diff has them


class Paint:
    """Turns lines into text: with colour codes, or with signs in their place."""

    def __init__(self, *, colour: bool = False) -> None:
        self.colour = colour

    def __call__(self, line: Line) -> str:
        """One line, safe to print."""
        if self.colour:
            return "".join(self._coloured(style, printable(text)) for style, text in line)
        return printable("".join(_signed(style, text) for style, text in line))

    def folded(self, line: Line, width: int, indent: int) -> list[str]:
        """The same in as many lines as `width` columns need, all but the first indented."""
        pieces = [(style, sign) for style, text in line for sign in self._safe(style, text)]
        rows: list[Line] = [[]]
        at = 0
        for style, sign in pieces:
            wide = columns(sign)
            if at + wide > width:
                rows[-1], tail = _broken(rows[-1], least=indent + (width - indent) // 2)
                rows.append([(PLAIN, " " * indent), *tail])
                at = indent + columns("".join(text for _, text in tail))
            rows[-1].append((style, sign))
            at += wide
        return ["".join(self._coloured(style, text) for style, text in _runs(row)) for row in rows]

    def _safe(self, style: str, text: str) -> str:
        return printable(text if self.colour else _signed(style, text))

    def _coloured(self, style: str, text: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and text and style in _CODES else text


def _broken(row: Line, least: int) -> tuple[Line, Line]:
    """A row of single signs cut behind its last space, when that leaves `least` of them; else at its end."""
    end = next((at + 1 for at in range(len(row) - 1, least, -1) if row[at][1] == " "), len(row))
    return row[:end], row[end:]


def _signed(style: str, text: str) -> str:
    before, after = _SIGNS.get(style, ("", ""))
    return f"{before}{text}{after}"


def _runs(line: Line) -> Line:
    found: Line = []
    for style, text in line:
        if found and found[-1][0] == style:
            found[-1] = (style, found[-1][1] + text)
        else:
            found.append((style, text))
    return found


def columns(text: str) -> int:
    """How many columns a terminal needs for it."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)
