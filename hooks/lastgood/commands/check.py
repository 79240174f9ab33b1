"""`lastgood check`: the audit of one tree. No completer is run, no socket opened."""

from __future__ import annotations

import os
import sys

from lastgood.commands.each import each
from lastgood.commands.judged import history, pushed_ref
from lastgood.commands.look import Look
from lastgood.core.layout import owner_of
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.roots import name_of
from lastgood.report.findings import FORMATS, Report, document
from lastgood.report.speller import Speller
from lastgood.report.words import counted

if TYPE_CHECKING:
    from lastgood.commands.options import Options
    from lastgood.commands.survey import Survey


def run(options: Options) -> int:
    """Audit and print; the exit code is the verdict."""
    return each(options, "check", check)


def check(options: Options, root: str) -> int:
    """The verdict on one root."""
    look = Look(options, root)
    report = report_of(options, look)
    emit(report, options, look.survey)
    return report.verdict


def report_of(options: Options, look: Look) -> Report:
    """The findings of a tree and of its history, with what is only worth a note."""
    found = look.survey
    findings, notes = history(options, found, {*look.sizes(), *map(owner_of, found.layout.strays)})
    everything = (*found.findings, *findings)
    if not everything:
        look.keep()
    if any(finding.code == "case-edited" for finding in everything):
        from lastgood.commands.shipped import explained

        everything = tuple(explained(found, everything))
    if any(finding.code == "prompt-moved" for finding in everything):
        from lastgood.commands.forms import formed

        everything = tuple(formed(found, everything))
    sizes = look.sizes()
    cases, baselines = (sum(row[column] for row in sizes.values()) for column in (0, 1))
    parts = (counted(len(sizes), "prompt"), counted(cases, "case"), counted(baselines, "baseline"))
    looked_at = f"{', '.join(parts)} of {found.tree.name}"
    # Of a clean commit nothing is left to say: leaving edits out is what staging is for.
    if not pushed_ref(options.to_ref) and (everything or not os.environ.get("GIT_INDEX_FILE")):
        from lastgood.commands.unstaged import advised

        everything, more = advised(found, everything)
        notes += more
    below = name_of(look.root)
    return Report("check", looked_at, everything, tuple(notes), below and f"{below}/")


def emit(report: Report, options: Options, found: Survey) -> None:
    """Print a report in the form asked for. Text goes to stderr when it complains, as git and pre-commit do."""
    if options.gathered is not None:
        options.gathered.append(document(report))
    elif options.format == "text":
        spell = Speller.of(found.root) if report.findings else None
        print(FORMATS["text"](report, spell=spell), end="", file=sys.stderr if report.findings else sys.stdout)
    else:
        print(FORMATS[options.format](report), end="")
