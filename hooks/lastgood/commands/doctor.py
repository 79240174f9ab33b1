"""`lastgood doctor`: what is wrong with the set-up of this repository, and what mends it."""

from __future__ import annotations

from lastgood.core.checkup import checkup
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import roots
from lastgood.edge.config import config_on_disk
from lastgood.edge.surroundings import surroundings
from lastgood.report.checkup import as_json, text, verdict_of
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> int:
    """Print the complaints; the exit code says whether there is one."""
    root = roots.find_root()
    config = config_on_disk(root)
    complaints, notes = checkup(config, surroundings(root, config))
    print(as_json(complaints, notes) if options.json else text(complaints, notes, Speller.of(root)), end="")
    return verdict_of(complaints)
