"""Migrations as people read them: like `git log`."""

from __future__ import annotations

from lastgood.core.migration import migration_name
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.hunks import hunk_lines
from lastgood.report.paint import FAINT, PLAIN, TITLE
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lastgood.core.text_diff import TextDiff
    from lastgood.report.paint import Line, Paint


def log(migrations: Sequence[dict[str, Any]]) -> str:
    """A paragraph a migration."""
    return "\n".join(map(_paragraph, migrations))


def _paragraph(row: dict[str, Any]) -> str:
    lines = [
        f"migration {row['hash']}  {printable(row['completer'])}/{printable(row['prompt_id'])}  "
        f"{migration_name(row['migration'], row['slug'])}",
        f"Accepted: {printable(row['accepted_by'])}",
        f"Date:     {row['accepted_at']}",
        f"Prompt:   {_from_to(row)}",
        f"Cases:    {_counts(row)}",
        "",
        f"    {printable(row['reason'])}",
        "",
    ]
    lines += [f"    {_move(case_id, move)}" for case_id, move in row["moved"].items()]
    return "\n".join(lines).rstrip() + "\n"


def _from_to(row: dict[str, Any]) -> str:
    now = row["to"]["prompt_sha256"][:12]
    before = row["from"]["prompt_sha256"][:12] if row["from"] else ""
    if not before:
        return f"{now} (first baseline)"
    return f"{before} → {now}" if before != now else f"{now} (not moved)"


def _counts(row: dict[str, Any]) -> str:
    counts = [(len(row[name]), name) for name in ("moved", "added", "removed")] + [(row["kept"], "kept")]
    return ", ".join(f"{count} {name}" for count, name in counts if count) or "none"


def _move(case_id: str, move: dict[str, Any]) -> str:
    kinds = ", ".join(map(printable, move["moves"]))
    return f"{printable(case_id)}  {move['from']} → {move['to']}  {kinds}"


def whole(row: dict[str, Any]) -> str:
    """One migration with its pins, parents and every case it names."""
    lines = [_paragraph(row)]
    for name in ("added", "removed"):
        lines += [f"    {name} {printable(case_id)}" for case_id in row[name]]
    lines.append(f"\n  parents  {', '.join(row['parents']) or 'none: the first of its chain'}")
    for field, was in sorted((row["from"] or dict.fromkeys(row["to"], "")).items()):
        now = row["to"][field]
        shown = now[:16] if was in ("", now) else f"{was[:16]} → {now[:16]}"
        lines.append(f"  {field:<13}  {shown}")
    return "\n".join(lines) + "\n"


def moved(row: dict[str, Any], diffs: Mapping[str, TextDiff | None], paint: Paint) -> str:
    """The completions that a migration moved, as diffs; None where they are nowhere to be found any more."""
    lines: list[Line] = []
    for case_id, diff in diffs.items():
        move = row["moved"][case_id]
        lines += [[], [(TITLE, f"  {case_id}"), (PLAIN, f"  {move['from']} → {move['to']}")]]
        if diff is None:
            lines.append([(FAINT, "       not in git's history here: in a shallow clone, git fetch --unshallow")])
            continue
        lines += [[(PLAIN, "       "), *line] for line in hunk_lines(diff.lines)]
        if diff.truncated:
            lines.append([(FAINT, f"       … {diff.truncated:,} more lines")])
    return "".join(f"{paint(line)}\n" for line in lines)
