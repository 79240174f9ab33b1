"""`lastgood init`: set up a repository that has prompts already. Plan, show, ask, write."""

from __future__ import annotations

import os

from lastgood import __version__
from lastgood.commands.agreeing import agree
from lastgood.core.config import FILES, parse
from lastgood.core.setup import Wanted, plan
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.core.verdict import HELD, OUT_OF_STEP
from lastgood.edge import roots, setup
from lastgood.edge.config import config_on_disk
from lastgood.report.setup import next_steps, shown

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.core.config import Config


def run(options: Namespace) -> int:
    """Write what is missing, after a yes; the exit code is 2 when something is left to paste."""
    root = roots.find_root()
    modes, files = setup.files_of(root)
    found = plan(modes, files, Wanted(tuple(options.only), options.hook_repo, __version__), _standing(root))
    hidden = setup.ignored(root, found.steps)
    if hidden and found.steps:
        more = f" and {len(hidden) - 1} more" if len(hidden) > 1 else ""
        told = f"git ignores {hidden[0]}{more}: let .gitignore have them, or git add -f"
        found = replace(found, notes=(*found.notes, told))
    setup.refuse_unwritable(root, found.steps, files)
    print(shown(found, files), end="")
    if found.steps and not options.dry_run:
        agree(yes=options.yes, fix="lastgood init --yes")
        setup.write(root, found.steps)
        print(next_steps([quoted(step.path) for step in found.steps]), end="")
    return OUT_OF_STEP if found.notes else HELD


def _standing(root: str) -> Config | None:
    for name in FILES:
        path = os.path.join(root, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                data = file.read()
            if name == "lastgood.toml" or (b"lastgood" in data and parse(name, data)):
                return config_on_disk(root)
    return None
