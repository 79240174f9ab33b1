"""Every root of a tree, and those that are gone from it: for hooks and CI at the top of a repository of several."""

from __future__ import annotations

import os
import sys

from lastgood.commands.judged import ended_roots, pushed_ref
from lastgood.core.config import FILES, parse
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import WORDS
from lastgood.edge import roots, trees
from lastgood.errors import LastgoodError
from lastgood.report.findings import FORMATS, Report, document
from lastgood.report.speller import Speller
from lastgood.report.words import counted

if TYPE_CHECKING:
    from lastgood.commands.options import Options


class Every:
    """The roots of the tree that is to be judged, by their names from the top of the work tree."""

    def __init__(self, top: str, options: Options) -> None:
        self._top, self._options = top, options
        self._commit = pushed_ref(options.to_ref)
        self._listing = trees.commit_listing(top, self._commit) if self._commit else trees.index_listing(top)
        self.names = roots.in_listing(top, self._listing)
        self._tree = trees.tree(top, f"commit {self._commit[:12]}" if self._commit else "the index", self._listing)
        self.several = True
        self._judged = 0

    def meant(self) -> tuple[str, ...]:
        """Those that are judged from here: the nearest above, else all below; LastgoodError when there is none."""
        here = os.path.relpath(os.getcwd(), self._top)
        if self._options.every_root or here == os.curdir or here.startswith(os.pardir):
            found = self.names
        else:
            found = tuple(name for name in self.names if name and name.startswith(here + "/"))
            above = [name for name in self.names if f"{here}/".startswith(f"{name}/" if name else "")]
            if above:
                found, self.several = (max(above, key=len),), False
        if not found:
            roots.refuse_other(self._top, self.names or roots.on_disk(self._top))
            found, self.several = ("",), False
        self._judged = len(found)
        return found

    def report(self, command: str) -> Report:
        """What is to be said of them together: which are gone."""
        findings, notes = ended_roots(self._options, self._top, self._tree, self.names, self._bases())
        return Report(command, f"{counted(self._judged, 'root')} of {self._tree.name}", tuple(findings), tuple(notes))

    def _bases(self) -> list[str]:
        """The bases that the configurations of the tree name."""
        paths = [path for path in self._tree.entries if path.rpartition("/")[2] in FILES]
        found: dict[str, None] = {}
        for path, data in self._tree.read(paths).items():
            try:
                config = parse(path, data)
            except LastgoodError:  # said of the root itself
                continue
            if config and config.base:
                found[config.base] = None
        return list(found)

    def emit(self, report: Report, verdict: int) -> None:
        """Print what is said of all of them."""
        if self._options.gathered is not None:
            import json

            print(json.dumps(_merged(document(report), self._options.gathered, verdict), indent=2))
        elif self._options.format == "github":
            print(FORMATS["github"](report, verdict=verdict), end="")
        else:
            spell = Speller.of(self._top) if report.findings else None
            stream = sys.stderr if verdict else sys.stdout
            print(FORMATS["text"](report, spell=spell, verdict=verdict), end="", file=stream)


def _merged(own: dict[str, object], every: list[dict[str, object]], verdict: int) -> dict[str, object]:
    """One document of all roots: the findings of each, with the root they are of."""
    rows = [own, *every]
    return {
        **own,
        "verdict": verdict,
        "word": WORDS[verdict],
        "findings": [{"root": row["root"], **finding} for row in rows for finding in row["findings"]],  # type: ignore[attr-defined]
        "notes": [note for row in rows for note in row["notes"]],  # type: ignore[attr-defined]
        "roots": every,
    }
