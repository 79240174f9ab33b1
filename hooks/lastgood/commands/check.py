"""`lastgood check`: the audit of one tree. No completer is run, no socket opened."""

from __future__ import annotations

import sys

from lastgood.commands.judged import history, judged_tree, warnings
from lastgood.commands.survey import survey
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git
from lastgood.report.findings import FORMATS, Report
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from lastgood.commands.survey import Survey


class Options:
    """What `check`, `stub` and `gate` can be told."""

    base = ""
    from_ref = ""
    to_ref = ""
    format = "text"
    all = False


def run(options: Options) -> int:
    """Audit and print; the exit code is the verdict."""
    root = git.find_root()
    found = survey(root, judged_tree(root, options.to_ref))
    report = report_of(options, found)
    emit(report, options, found)
    return report.verdict


def report_of(options: Options, found: Survey) -> Report:
    """The findings of a survey and of its history, with what is only worth a note."""
    findings, notes = history(options, found)
    cases = sum(len(audited.suite.active) for audited in found.prompts.values())
    chains = sum(chain.tip is not None for audited in found.prompts.values() for chain in audited.chains)
    looked_at = f"{len(found.prompts)} prompts, {cases} cases, {chains} baselines of {found.tree.name}"
    everything = (*found.findings, *findings)
    if any(finding.code == "case-edited" for finding in everything):
        from lastgood.commands.shipped import explained

        everything = tuple(explained(found, everything))
    return Report("check", looked_at, everything, (*notes, *warnings(found, everything)))


def emit(report: Report, options: Options, found: Survey) -> None:
    """Print a report in the form asked for. Text goes to stderr when it complains, as git and pre-commit do."""
    if options.format == "text":
        spell = Speller.of(found.root) if report.findings else None
        print(FORMATS["text"](report, spell=spell), end="", file=sys.stderr if report.findings else sys.stdout)
    else:
        print(FORMATS[options.format](report), end="")
