"""Versions of the files that lastgood keeps: which are read here, and how a newer one is told from a broken one.

Files of format 1 say no number: their hashes are part of the promise, and a key that says the same everywhere would be
in each of them. A later format says its own in the key `format` (of a configuration, or at the top of a JSON file), in
`format=N` as the third word of a HEAD, or as the number of a run or review (`lastgood_run`, `lastgood_review`).
"""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

NEWEST = 1

# Kind of file → what people call such files, in the order in which they meet them. Every kind has a schema or a reader
# of its own; all are of one number, so that one answer tells whether a repository can be read.
FILES = {
    "config": "configuration",
    "case": "golden case",
    "suite": "suite",
    "catalog": "catalog",
    "baseline": "baseline",
    "migration": "migration",
    "HEAD": "HEAD",
    "run": "pending run",
    "review": "review",
    "score": "score document",
    "pair_baseline": "one-file baseline",
}
_FIX = "install a newer lastgood; for hooks, raise `rev` in .pre-commit-config.yaml: pre-commit autoupdate"


class Newer(Malformed):
    """A file of a format that only a newer lastgood reads. It is whole: never to be replaced or passed over."""


def newer(found: int, *, path: str = "", pointer: str = "") -> Newer:
    """What to raise for a file of format `found`."""
    what = f"is of format {found}, and this lastgood reads {NEWEST}"
    return Newer(what, path=path, pointer=pointer, fix=_FIX)


def number_of(found: Any, key: str = "format") -> int:
    """The format that a parsed file says it is of; NEWEST where it says none, or nothing that is a newer number."""
    said = found.get(key) if isinstance(found, dict) else None
    return said if type(said) is int and said > NEWEST else NEWEST


def number_of_head(line: str) -> int:
    """The format of a HEAD, by its third word."""
    words = line.split()
    said = words[2].partition("format=")[2] if len(words) == 3 else ""
    return int(said) if said.isdecimal() and len(said) < 10 and int(said) > NEWEST else NEWEST


def refuse_newer(found: Any, *, path: str = "", key: str = "format", pointer: str = "/format") -> None:
    """Newer when a parsed file is of such a format."""
    number = number_of(found, key)
    if number > NEWEST:
        raise newer(number, path=path, pointer=pointer)


def said() -> str:
    """What `lastgood --version` says of formats."""
    return f"formats read: {NEWEST} ({', '.join(FILES.values())})"
