"""One line a case, and the line that sums them up: what `eval`, `stub` and `pair` print."""

from __future__ import annotations

from lastgood.core.judgement import DIFF, NEW, UNSTABLE, counts
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.printable import printable
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lastgood.core.judgement import Judgement


def case_line(judgement: Judgement) -> str:
    """`PASS id digest=…`, with the old digest of a move and the failures of a failure, explained below."""
    digest = judgement.digest[:SHORT] or "-" * SHORT
    line = f"{judgement.status} {printable(judgement.case.id)} digest={digest}"
    if judgement.status == DIFF:
        return f"{line} prev={judgement.previous[:SHORT]}"
    if judgement.status == UNSTABLE:
        others = ",".join(other.digest[:SHORT] for other in judgement.unequal)
        return f"{line} also={others} {', '.join(map(printable, judgement.wobble))}"
    if judgement.failures:
        kinds = ", ".join(printable(str(failure)) for failure in judgement.failures)
        reasons = [
            f"\n     {printable(text)}" for failure in judgement.failures for text in _lines(failure.explanation)
        ]
        return f"{line} {kinds}{''.join(reasons)}"
    return line


def _lines(explanation: str) -> list[str]:
    return [text for text in explanation.split("\n") if text.strip()]


def summary(judgements: Sequence[Judgement]) -> str:
    """`8 cases: 6 PASS, 2 DIFF`, and what a move among passing cases means."""
    found = counts(judgements)
    parts = ", ".join(f"{count} {status}" for status, count in found.items() if count)
    line = f"{counted(len(judgements), 'case')}: {parts}"
    if found[DIFF] and not found["FAIL"]:
        line += f"\nevery assertion holds, {found[DIFF]} moved: a regression report, not a success"
    if found[UNSTABLE]:
        line += f"\n{found[UNSTABLE]} unstable: asked again, the answer was another"
    if found[NEW] and not found[DIFF]:
        line += f"\n{found[NEW]} never accepted yet"
    return line


def beyond_replay(prompts: Iterable[Mapping[str, Sequence[str]]]) -> list[str]:
    """A note of the assertions that no replay could be held against: case id → their names, of each prompt."""
    found = [f"{name} of {printable(case_id)}" for cases in prompts for case_id in cases for name in cases[case_id]]
    if not found:
        return []
    more = f" and {len(found) - _NOTED} more" if len(found) > _NOTED else ""
    shown = ", ".join(found[:_NOTED])
    return [f"note: not graded, as no baseline keeps what tools answered or earlier turns: {shown}{more}"]


_NOTED = 5
