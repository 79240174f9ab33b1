"""The report as one JSON document: what `diff` tells, and everything beside it. Every other form is a projection."""

from __future__ import annotations

from lastgood.core.judgement import DIFF, FAIL, NEW, PASS, UNSTABLE
from lastgood.core.moves import kind
from lastgood.core.timeline import timeline
from lastgood.core.value import TYPE_CHECKING, fields_of, value
from lastgood.core.verdict import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from lastgood.core.text_diff import TextDiff
    from lastgood.core.trace import Completion

MOVED, SAME, FIRST, LOST = "moved", "same", "first", "lost"  # what became of a prompt since it was pinned
# Every verdict of a case, the gravest first, and what it is called in a sentence.
VERDICTS = {FAIL: "failed", UNSTABLE: "unstable", DIFF: "moved", NEW: "new", PASS: "as accepted"}
_STEP = ("state", "old_place", "new_place", "old", "new")


@value(frozen=True)
class Evidence:
    """One case beyond its judgement.

    `line` is where it begins in its file; `old` and `new` are what was accepted and what came back, None where there is
    none; `raw` is what the completer wrote, or why it did not; `diff` is None where `document` has it already.
    """

    path: str
    line: int
    input: dict[str, Any]
    seconds: float
    old: Completion | None
    new: Completion | None
    raw: str
    diff: TextDiff | None


@value(frozen=True)
class Background:
    """One prompt beyond its cases.

    `state` is one of MOVED, SAME, FIRST and LOST, and `diff` is of its own text where it moved; `history` are its
    migrations as `log` has them, the oldest first; `lengths` the median length of a completion, in characters, by the
    path of the migration that accepted it; `length` the same of this run.
    """

    path: str
    files: tuple[str, ...]
    started_at: str
    suite_hash: str
    fingerprint: str
    state: str
    diff: TextDiff
    history: tuple[dict[str, Any], ...]
    lengths: dict[str, int]
    length: int | None
    cases: dict[str, Evidence]


def extended(
    moved: Mapping[str, Any], backgrounds: Sequence[Background], *, repository: str, verdict: int, after: str
) -> dict[str, Any]:
    """`moved` (of `moves.document`) with the background of each of its prompts; `after` is what to type next."""
    prompts = [_prompt(item, known, moved["counts"]) for item, known in zip(moved["prompts"], backgrounds, strict=True)]
    cases = [case for item in prompts for case in item["cases"]]
    counts = moved["counts"]
    total = sum(counts.values())
    return {
        "repository": repository,
        "verdict": verdict,
        "word": WORDS[verdict],
        **moved,
        "total": total,
        "pass_rate": 100 * (total - counts[FAIL]) // total if total else None,
        "kinds": _counted(name for case in cases for name in case["kinds"]),
        "unanswered": sum(len(item["unanswered"]) for item in prompts),
        "next": after,
        "prompts": prompts,
    }


def _counted(names: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items(), key=lambda row: (-row[1], row[0])))


def _prompt(item: Mapping[str, Any], known: Background, verdicts: Iterable[str]) -> dict[str, Any]:
    cases = [_case(case, known.cases[case["id"]]) for case in item["cases"]]
    statuses = [case["status"] for case in cases]
    history = [_migration(row, known.lengths.get(row["path"])) for row in known.history]
    return {
        **item,
        "path": known.path,
        "files": list(known.files),
        "started_at": known.started_at,
        "suite_hash": known.suite_hash,
        "fingerprint": known.fingerprint,
        "counts": {status: statuses.count(status) for status in verdicts},
        "prompt_state": known.state,
        "prompt_diff": list(known.diff.lines),
        "prompt_added": known.diff.added,
        "prompt_removed": known.diff.removed,
        "history": history,
        "length": known.length,
        "cases": cases,
    }


def _migration(row: Mapping[str, Any], length: int | None) -> dict[str, Any]:
    return {
        "migration": row["migration"],
        "slug": row["slug"],
        "hash": row["hash"],
        "reason": row["reason"],
        "accepted_by": row["accepted_by"],
        "accepted_at": row["accepted_at"],
        **{name: len(row[name]) for name in ("moved", "added", "removed")},
        "kept": row["kept"],
        "length": length,
    }


def _case(case: Mapping[str, Any], known: Evidence) -> dict[str, Any]:
    diff = known.diff
    old_calls, new_calls = (side.calls if side else () for side in (known.old, known.new))
    return {
        **case,
        **(_instead(diff) if diff else {}),
        "kinds": list(dict.fromkeys(kind(move) for move in case["moves"] if not move.startswith("and "))),
        "path": known.path,
        "line": known.line,
        "input": known.input,
        "seconds": known.seconds,
        "old": _said(known.old, ""),
        "new": _said(known.new, known.raw),
        "steps": [dict(zip(_STEP, fields_of(step), strict=True)) for step in timeline(old_calls, new_calls)],
    }


def _instead(diff: TextDiff) -> dict[str, Any]:
    """A diff to the accepted answer says more than the answer alone."""
    return {"added": diff.added, "removed": diff.removed, "diff": list(diff.lines), "said": [], "said_truncated": 0}


def _said(completion: Completion | None, raw: str) -> str | None:
    """The final text; of an answer that could not be read, what was written. None where nothing was said."""
    if completion is None:
        return None
    return raw if completion.malformed else completion.final_text
