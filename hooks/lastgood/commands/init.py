"""`lastgood init`: set up a repository that has prompts already. Plan, show, ask, write."""

from __future__ import annotations

import os

from lastgood import __version__
from lastgood.commands.agreeing import agree
from lastgood.core.config import FILES, parse
from lastgood.core.manager_config import FILE
from lastgood.core.setup import Wanted, plan
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.core.verdict import HELD, OUT_OF_STEP
from lastgood.edge import roots, setup
from lastgood.edge.config import config_on_disk
from lastgood.report.setup import next_steps, shown
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.core.config import Config


def run(options: Namespace) -> int:
    """Write what is missing, after a yes; the exit code is 2 when something is left to paste."""
    top = roots.find_top()
    root = roots.nearest(top)
    if not root:  # a root above others would take them in, which nobody should do unasked
        roots.refuse_other(top, roots.on_disk(top), fix="lastgood --root . init")
    root = roots.stand(root or top, top)
    wanted = _wanted(options, root, top)
    modes, files = setup.files_of(root, wanted.manager)
    found = plan(modes, files, wanted, _standing(root))
    hidden = setup.ignored(root, found.steps)
    if hidden and found.steps:
        more = f" and {len(hidden) - 1} more" if len(hidden) > 1 else ""
        told = f"git ignores {hidden[0]}{more}: let .gitignore have them, or git add -f"
        found = replace(found, notes=(*found.notes, told))
    setup.refuse_unwritable(root, top, found.steps, files)
    spell = Speller.of(root)
    print(shown(found, files, spell.down), end="")
    if found.steps and not options.dry_run:
        agree(yes=options.yes, fix="lastgood init --yes")
        setup.write(root, found.steps)
        print(next_steps([quoted(step.path) for step in found.steps], spell), end="")
    return OUT_OF_STEP if found.notes else HELD


def _wanted(options: Namespace, root: str, top: str) -> Wanted:
    """With the manager's configuration: the root's own where it is a project of a workspace; else the top's."""
    own = os.path.lexists(os.path.join(root, FILE))
    manager = FILE if own else os.path.relpath(os.path.join(top, FILE), root)
    above = roots.has_configuration(top)
    return Wanted(tuple(options.only), options.hook_repo, __version__, roots.name_of(root), manager, above)


def _standing(root: str) -> Config | None:
    for name in FILES:
        path = os.path.join(root, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                data = file.read()
            if name == "lastgood.toml" or (b"lastgood" in data and parse(name, data)):
                return config_on_disk(root)
    return None
