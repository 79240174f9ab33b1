"""`lastgood gate`: `check`, then `stub`, in one process, over one tree."""

from __future__ import annotations

from lastgood.commands.check import Options, emit, report_of
from lastgood.commands.judged import judged_tree
from lastgood.commands.survey import survey
from lastgood.core.verdict import CANNOT_TELL, gravest
from lastgood.edge import git

__all__ = ["Options", "run"]


def run(options: Options) -> int:
    """The graver verdict of both; what cannot be told is not worth asking a completer about."""
    root = git.find_root()
    found = survey(root, judged_tree(root, options.to_ref))
    report = report_of(options, found)
    emit(report, options, found)
    if report.verdict == CANNOT_TELL:
        return CANNOT_TELL
    from lastgood.commands.stub import judge_stub

    return gravest([report.verdict, judge_stub(found, options)])
