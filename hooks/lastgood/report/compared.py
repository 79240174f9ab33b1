"""Two score documents held against each other, for people."""

from __future__ import annotations

from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from lastgood.core.scores import Comparison

_SHOWN = 20  # moves; regressions are all shown


def compared(found: Comparison, moves: Sequence[tuple[str, str, str]], new: Mapping[str, Any]) -> str:
    """A line a case that regressed, was fixed or moved, then the counts."""
    return "\n".join(_lines(found, moves, new))


def _lines(found: Comparison, moves: Sequence[tuple[str, str, str]], new: Mapping[str, Any]) -> Iterator[str]:
    for name, failures in found.regressions:
        yield f"REGRESSED {printable(name)} {', '.join(map(printable, failures))}"
    yield from (f"FIXED {printable(name)}" for name in found.fixed)
    for name, old, now in moves[:_SHOWN]:
        yield f"MOVED {printable(name)} digest={now[:SHORT]} prev={old[:SHORT]}"
    if len(moves) > _SHOWN:
        yield f"… and {len(moves) - _SHOWN} more moved"
    still = new["failed"] - len(found.regressions)
    counts = f"{len(found.regressions)} regressed, {len(found.fixed)} fixed, {len(moves)} moved, {still} still failing"
    yield f"{new['n']} case{'s' * (new['n'] != 1)}: {counts}"
