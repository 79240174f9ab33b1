"""`lastgood upgrade`: which formats the files here are of. There is one so far, so there is nothing to write yet."""

from __future__ import annotations

import sys
from collections import Counter

from lastgood.commands.survey import read_facts
from lastgood.core.baseline import Baseline
from lastgood.core.catalog import Catalog
from lastgood.core.facts import Bad, GoldenFact, HeadFact, bad_of
from lastgood.core.formats import NEWEST
from lastgood.core.layout import lay_out
from lastgood.core.migration import Migration
from lastgood.core.suite_audit import malformed
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD, WORDS, Finding
from lastgood.edge.config import config_on_disk
from lastgood.edge.roots import find_root
from lastgood.edge.runs import read_run
from lastgood.edge.worktree import working_tree
from lastgood.errors import LastgoodError
from lastgood.report.findings import Report, text
from lastgood.report.speller import Speller
from lastgood.report.words import counted

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.core.config import Config
    from lastgood.core.layout import Layout

_NOUNS = {
    Catalog: "catalog|catalogs",
    GoldenFact: "file of golden cases|files of golden cases",
    Baseline: "baseline|baselines",
    Migration: "migration|migrations",
    HeadFact: "HEAD|HEADs",
}


def run(_options: Namespace) -> int:
    """Read every file of the working tree and every pending run; CANNOT_TELL, naming them, when one is no such file.

    A file of a newer format is one of those, and a newer configuration is refused before anything else is read.
    """
    root = find_root()
    config = config_on_disk(root)
    tree = working_tree(root, config)
    layout = lay_out(config, tree.entries)
    found: Counter[str] = Counter({"configuration|configurations": 1} | dict.fromkeys(_NOUNS.values(), 0))
    bad = []
    for path, fact in sorted(read_facts(tree, layout).items()):
        if isinstance(fact, Bad):
            bad.append(malformed(path, fact))
        elif type(fact) in _NOUNS:
            found[_NOUNS[type(fact)]] += 1
    unreadable = _runs(root, config, layout, found)
    bad += unreadable
    if bad:
        report = Report("upgrade", "the working tree; nothing was written", tuple(bad))
        print(text(report, spell=Speller.of(root)), end="", file=sys.stderr)
        return report.verdict
    if found.total() == 1:
        raise LastgoodError("no golden cases, baselines or runs here: nothing to look at", fix="lastgood init")
    parts = [f"{count} {noun.split('|')[count != 1]}" for noun, count in found.items() if count]
    print(f"{', '.join(parts)}: all of format {NEWEST}, the newest")
    print(f"lastgood upgrade: {WORDS[HELD]} ({HELD}): {counted(found.total(), 'file')}, nothing to upgrade")
    return HELD


def _runs(root: str, config: Config, layout: Layout, found: Counter[str]) -> list[Finding]:
    """Count the pending runs; what keeps one from being read, as a finding."""
    bad = []
    for completer in config.completers:
        for prompt_id in layout.prompts:
            try:
                if read_run(root, completer.name, prompt_id):
                    found["pending run|pending runs"] += 1
            except LastgoodError as exc:
                bad.append(malformed(exc.path, bad_of(exc), prompt_id, completer.name))
    return bad
