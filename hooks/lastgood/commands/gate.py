"""`lastgood gate`: `check`, then `stub`, in one process, over one tree."""

from __future__ import annotations

import sys

from lastgood.commands.check import emit, report_of
from lastgood.commands.each import each
from lastgood.commands.look import Look
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.core.verdict import BROKEN, CANNOT_TELL, HELD, gravest

if TYPE_CHECKING:
    from lastgood.commands.options import Options


def run(options: Options) -> int:
    """The graver verdict of both; what cannot be told is not worth asking a completer about."""
    return each(options, "gate", gate)


def gate(options: Options, root: str) -> int:
    """The verdict on one root."""
    look = Look(options, root)
    report = report_of(options, look)
    stub = HELD
    try:
        if report.verdict != CANNOT_TELL:
            from lastgood.commands.stub import judge_stub

            stub = judge_stub(look, options)
            if stub == BROKEN and report.findings:
                report = replace(report, notes=(*report.notes, _BREAKS))
            if report.findings and options.format == "text":
                print(file=sys.stderr)
    finally:
        emit(report, options, look.survey)  # last, so that what to run next stands where people look
    return gravest([report.verdict, stub])


_BREAKS = (
    "an answer that breaks an assertion is never recorded: mend the prompt first, "
    "or bump the case whose contract changed"
)
