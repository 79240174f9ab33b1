"""What `pair` prints of a case: the first article's lines."""

from __future__ import annotations

from lastgood.core.judgement import DIFF
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.lines import case_line
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.core.judgement import Judgement


def pair_line(judgement: Judgement, length: int, kinds: Iterable[str]) -> str:
    """As `case_line`; a move has its old digest, new length in characters, and kinds on a line of its own."""
    if judgement.status != DIFF:
        return case_line(judgement)
    now = f"{DIFF} {printable(judgement.case.id)} digest={judgement.digest[:SHORT]}"
    before = f"  prev={judgement.previous[:SHORT]} len {length}"
    return f"{now}\n{before}  {', '.join(map(printable, kinds))}".rstrip()
