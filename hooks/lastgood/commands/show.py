"""`lastgood show`: one migration, whole, with the completions that it moved as git still holds them."""

from __future__ import annotations

from lastgood.commands.log import migrations_of
from lastgood.commands.survey import worktree_survey
from lastgood.core.baseline import read_baseline, read_completion_of
from lastgood.core.layout import baseline_folder
from lastgood.core.migration import migration_name
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import roots
from lastgood.errors import LastgoodError, Malformed
from lastgood.report import history

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable
    from typing import Any

    from lastgood.commands.survey import Survey
    from lastgood.core.text_diff import TextDiff
    from lastgood.core.trace import Completion


def run(options: Namespace) -> int:
    """Print one migration, known by its hash (or the beginning of it), its name, or PROMPT@NUMBER."""
    from lastgood.edge.terminal import coloured
    from lastgood.report.paint import Paint

    found = worktree_survey(roots.find_root())
    rows = [row for row in migrations_of(found, "", options.completer) if _named(row, options.migration)]
    if not rows:
        raise LastgoodError(f"no migration {options.migration!r}", fix="lastgood log")
    if len(rows) > 1:
        names = ", ".join(f"{row['hash']} ({row['completer']}/{row['prompt_id']})" for row in rows)
        raise LastgoodError(f"several migrations are called {options.migration!r}: {names}", fix="name one by its hash")
    paint = Paint(colour=coloured())
    print(history.whole(rows[0]), end="")
    if options.diff:
        print(history.moved(rows[0], _diffs(found, rows[0]), paint), end="")
    return 0


def _named(row: dict[str, Any], name: str) -> bool:
    full = migration_name(row["migration"], row["slug"])
    by_hash = len(name) >= 4 and row["hash"].startswith(name)
    return by_hash or name in (full, f"{full}.json", row["path"], f"{row['prompt_id']}@{row['migration']}")


def _diffs(found: Survey, row: dict[str, Any]) -> dict[str, TextDiff | None]:
    """Case id → diff of the completions that moved; None where neither git nor the tree holds both any more."""
    from lastgood.edge import history as past
    from lastgood.edge.folder import run_folder
    from lastgood.edge.text_diff import unified
    from lastgood.report.moves import diffable

    folder = baseline_folder(row["completer"], row["prompt_id"])
    paths = {case_id: f"{folder}{case_id}.json" for case_id in row["moved"]}
    now = found.tree.read(path for path in paths.values() if path in found.tree)
    held = past.versions(found.root, list(paths.values()))
    texts = []
    for case_id, path in paths.items():
        contents = [*([now[path]] if path in now else []), *held.get(path, [])]
        sides = [_by_digest(path, contents, row["moved"][case_id][side]) for side in ("from", "to")]
        if sides[0] and sides[1]:
            texts.append((case_id, diffable(sides[0]), diffable(sides[1])))
    diffs = unified(texts, scratch=run_folder(found.root, "tmp"))
    return {case_id: diffs.get(case_id) for case_id in paths}


def _by_digest(path: str, contents: Iterable[bytes], digest: str) -> Completion | None:
    for data in contents:
        try:
            if read_baseline(path, data).digest.startswith(digest):
                return read_completion_of(path, data)
        except Malformed:  # written by hand, or by another lastgood: not what was accepted
            continue
    return None
