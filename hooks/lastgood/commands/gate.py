"""`lastgood gate`: `check`, then `stub`, in one process, over one tree."""

from __future__ import annotations

from lastgood.commands.check import Options, emit, report_of
from lastgood.commands.look import Look
from lastgood.core.verdict import CANNOT_TELL, gravest

__all__ = ["Options", "run"]


def run(options: Options) -> int:
    """The graver verdict of both; what cannot be told is not worth asking a completer about."""
    look = Look(options)
    report = report_of(options, look)
    emit(report, options, look.survey)
    if report.verdict == CANNOT_TELL:
        return CANNOT_TELL
    from lastgood.commands.stub import judge_stub

    return gravest([report.verdict, judge_stub(look, options)])
