"""Which roots a hook judges: the one that is meant, or every one of the judged tree where none is."""

from __future__ import annotations

import os
import sys

from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, gravest
from lastgood.edge import roots
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lastgood.commands.options import Options


def each(options: Options, command: str, judge: Callable[[Options, str], int]) -> int:
    """The verdict of `judge` on the root that is meant; of several roots, the gravest."""
    top = roots.find_top()
    root = roots.nearest(top)
    if root and not options.every_root:
        return judge(options, roots.stand(root, top))
    from lastgood.commands.every import Every

    roots.stand(top, top)
    every = Every(top, options)
    names = every.meant()
    if len(names) == 1 and not every.several:
        return judge(options, roots.stand(os.path.normpath(os.path.join(top, names[0])), top))
    if options.format == "json":
        options.gathered = []
    verdicts = [_judged(options, os.path.normpath(os.path.join(top, name)), top, judge) for name in names]
    roots.stand(top, top)
    report = every.report(command)
    verdict = gravest([*verdicts, report.verdict])
    every.emit(report, verdict)
    return verdict


def _judged(options: Options, root: str, top: str, judge: Callable[[Options, str], int]) -> int:
    """The verdict on one of several: that one cannot be told of keeps nobody from judging the others."""
    try:
        verdict = judge(options, roots.stand(root, top))
        sys.stdout.flush()  # before what the next one says on the other stream
        return verdict
    except LastgoodError as exc:
        from lastgood.report.findings import sentence
        from lastgood.report.speller import Speller

        name = roots.name_of(root) or "."
        what = exc.what if exc.path else f"{name}: {exc.what}"
        print(sentence(what, exc.path, exc.pointer, exc.fix, Speller.of(root)), file=sys.stderr)
        return CANNOT_TELL
