"""`lastgood log`: the history of accepted moves, the newest first."""

from __future__ import annotations

import json

from lastgood.commands.survey import worktree_survey
from lastgood.core import strict_json
from lastgood.core.migration import of_object
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import roots
from lastgood.errors import LastgoodError
from lastgood.report import history

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from lastgood.commands.survey import Survey


def run(options: Namespace) -> int:
    """Print the migrations of the working tree."""
    found = worktree_survey(roots.find_root())
    migrations = migrations_of(found, options.prompt, options.completer)
    if not migrations:
        raise LastgoodError("no migration yet: nothing was accepted", fix="lastgood status")
    print(json.dumps(migrations, indent=2) if options.json else history.log(migrations), end="\n" * options.json)
    return 0


def migrations_of(found: Survey, prompt_id: str, completer: str) -> list[dict[str, Any]]:
    """The migration objects of the tree with their `hash` and `path`, the newest first."""
    if prompt_id and prompt_id not in found.layout.prompts:
        raise LastgoodError(f"no prompt {prompt_id!r} (there are: {', '.join(found.layout.prompts) or 'none'})")
    known = {chain.completer for audited in found.prompts.values() for chain in audited.chains}
    known |= {one.name for one in found.config.completers}
    if completer and completer not in known:
        raise LastgoodError(f"no completer {completer!r} (there are: {', '.join(sorted(known)) or 'none'})")
    paths = [
        migration.path
        for audited in found.prompts.values()
        for chain in audited.chains
        for migration in chain.migrations
        if prompt_id in ("", audited.prompt.prompt_id) and completer in ("", chain.completer)
    ]
    blobs = found.tree.read(paths)
    objects = [(path, strict_json.loads(blobs[path])) for path in paths]
    rows = [{"hash": of_object(path, migration).hash, "path": path, **migration} for path, migration in objects]
    return sorted(rows, key=lambda row: (row["accepted_at"], row["migration"], row["path"]), reverse=True)
