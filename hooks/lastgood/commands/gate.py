"""`lastgood gate`: `check`, then `stub`, in one process, over one tree."""

from __future__ import annotations

from lastgood.commands.check import emit, report_of
from lastgood.commands.look import Look
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, gravest

if TYPE_CHECKING:
    from lastgood.commands.options import Options


def run(options: Options) -> int:
    """The graver verdict of both; what cannot be told is not worth asking a completer about."""
    look = Look(options)
    report = report_of(options, look)
    emit(report, options, look.survey)
    if report.verdict == CANNOT_TELL:
        return CANNOT_TELL
    from lastgood.commands.stub import judge_stub

    return gravest([report.verdict, judge_stub(look, options)])
