"""`lastgood show`: one migration, whole."""

from __future__ import annotations

from lastgood.commands.log import migrations_of
from lastgood.commands.survey import worktree_survey
from lastgood.core.migration import migration_name
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git
from lastgood.errors import LastgoodError
from lastgood.report import history

if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any


def run(options: Namespace) -> int:
    """Print one migration, known by its hash (or the beginning of it), its name, or PROMPT@NUMBER."""
    found = worktree_survey(git.find_root())
    rows = [row for row in migrations_of(found, "", options.completer) if _named(row, options.migration)]
    if not rows:
        raise LastgoodError(f"no migration {options.migration!r}", fix="lastgood log")
    if len(rows) > 1:
        names = ", ".join(f"{row['hash']} ({row['completer']}/{row['prompt_id']})" for row in rows)
        raise LastgoodError(f"several migrations are called {options.migration!r}: {names}", fix="name one by its hash")
    print(history.whole(rows[0]), end="")
    return 0


def _named(row: dict[str, Any], name: str) -> bool:
    full = migration_name(row["migration"], row["slug"])
    by_hash = len(name) >= 4 and row["hash"].startswith(name)
    return by_hash or name in (full, f"{full}.json", row["path"], f"{row['prompt_id']}@{row['migration']}")
