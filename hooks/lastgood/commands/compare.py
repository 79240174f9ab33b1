"""`lastgood compare`: two score documents, when they are of the very same cases."""

from __future__ import annotations

import sys

from lastgood.core.scores import compare, moved, read_scores
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD, MOVED, OUT_OF_STEP, WORDS, Finding, gravest
from lastgood.edge.files import read_file
from lastgood.errors import LastgoodError
from lastgood.report.compared import compared
from lastgood.report.findings import Report, text

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.core.scores import Comparison


def run(options: Namespace) -> int:
    """OUT_OF_STEP when not comparable, BROKEN with the regressions, MOVED where that counts, else HELD."""
    old, new = (read_scores(path, read_file(path)) for path in (options.old, options.new))
    found = compare(old, new)
    if found.verdict == OUT_OF_STEP:
        return _incomparable(options, found)
    moves = moved(old, new)
    known = [(name, was, now) for name, was, now in moves if was and now]
    print(compared(found, known, new))
    if options.fail_on_diff and len(known) < len(moves):
        untold, was = next((name, was) for name, was, now in moves if not (was and now))
        raise LastgoodError(
            f"holds no digest of {untold!r} to compare, so nobody can tell whether it moved",
            path=options.old if not was else options.new,
            fix="lastgood grade --help   # grade its traces again",
        )
    verdict = gravest([found.verdict, MOVED if known and options.fail_on_diff else HELD])
    print(f"lastgood compare: {WORDS[verdict]} ({verdict})")
    return verdict


def _incomparable(options: Namespace, found: Comparison) -> int:
    changes = (("edited", found.edited), ("added", found.added), ("removed", found.removed))
    finding = Finding(
        "suites-differ",
        OUT_OF_STEP,
        options.new,
        f"not comparable with {options.old}: {found.reason.partition(':')[0]}, so better or worse means nothing",
        details=tuple((label, ", ".join(names)) for label, names in changes if names)
        or (("why", found.reason.partition(": ")[2]),),
        fix=(f"cp {quoted(options.new)} {quoted(options.old)}   # once a person accepted the new contract",),
    )
    print(text(Report("compare", options.new, (finding,))), end="", file=sys.stderr)
    return OUT_OF_STEP
