"""Pages of documentation as data: their fenced blocks, their tables, and the commands in them with what they print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
_FENCE = re.compile(r"^( *)```(\w+) ?(.*)\n((?:.*\n)*?)\1```$", re.MULTILINE)
_HEADING = re.compile(r"^(##+) (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block; `label` is what stands behind its language: a path, or a word in parentheses."""

    language: str
    label: str
    text: str
    heading: str

    @property
    def is_file(self) -> bool:
        return bool(self.label) and not self.label.startswith("(")


def page(name: str) -> str:
    """A page by its path in this repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, *languages: str) -> list[Block]:
    """The fenced blocks of a page, of these languages (default: all)."""
    found = [
        Block(match[2], match[3], dedent(match[4]), _heading_before(text, match.start()))
        for match in _FENCE.finditer(text)
    ]
    return [block for block in found if not languages or block.language in languages]


def files(text: str) -> dict[str, str | bytes]:
    """The files that a page spells out."""
    return {block.label: block.text.encode("utf-8") for block in blocks(text) if block.is_file}


def prose(text: str) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", text)


def section(text: str, heading: str) -> str:
    """What stands below a heading, with the sections inside it."""
    (start,) = [match for match in _HEADING.finditer(text) if match[2] == heading]
    ends = (match.start() for match in _HEADING.finditer(text, start.end()) if len(match[1]) <= len(start[1]))
    return text[start.end() : next(ends, len(text))]


def headings(text: str) -> list[str]:
    """The names in code among the third-level headings of a section."""
    return re.findall(r"^### `(\w+)`$", text, re.MULTILINE)


def rows(text: str) -> list[list[str]]:
    """The rows of every table of a section, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    heads = {index for index, row in enumerate(cells) if index + 1 < len(cells) and set(cells[index + 1][0]) == {"-"}}
    return [row for index, row in enumerate(cells) if index not in heads and set(row[0]) != {"-"}]


def code(cell: str) -> list[str]:
    """What stands in code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a `console` block (a line that begins with `$ `), and the lines that it prints."""
    for part in ("\n" + text).split("\n$ ")[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def fits(printed: str, wanted: str) -> bool:
    """Whether that is what a page says: a line `…` stands for any number of lines, `…` in a line for any text."""
    pattern = ""
    for line in wanted.splitlines():
        anything = r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n"
        pattern += anything
    return re.fullmatch(pattern, printed if not printed or printed.endswith("\n") else printed + "\n") is not None


def _heading_before(text: str, end: int) -> str:
    return ([match[2] for match in _HEADING.finditer(text, 0, end)] or [""])[-1]
