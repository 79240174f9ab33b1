"""Score documents: what one run scored, and whether two of them can be compared at all."""

from __future__ import annotations

from lastgood.core.digest import joined_hash
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import BROKEN, HELD, OUT_OF_STEP
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


@value(frozen=True)
class Score:
    """What one case scored. `failures` are `kind:detail` strings; `digest` is empty when nothing came back."""

    id: str
    case_hash: str
    failures: tuple[str, ...]
    digest: str = ""


@value(frozen=True)
class Comparison:
    """Two score documents held against each other.

    `verdict`: HELD, BROKEN (there are regressions) or OUT_OF_STEP (not comparable: `reason` says why, and nothing is
    said of better or worse). `edited`, `added`, `removed`, `fixed`: case ids. `regressions`: (id, failures) pairs.
    """

    verdict: int
    reason: str
    edited: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    regressions: tuple[tuple[str, tuple[str, ...]], ...]
    fixed: tuple[str, ...]


def document(
    scores: Iterable[Score], *, prompt_id: str = "", prompt_sha256: str = "", completer: str = ""
) -> dict[str, Any]:
    """The score document of scores in suite order. Whom they are of is left out where it is not known."""
    rows = [_row(score) for score in scores]
    whose = {"prompt_id": prompt_id, "prompt_sha256": prompt_sha256, "completer": completer}
    return {
        **{name: known for name, known in whose.items() if known},
        "suite_hash": joined_hash(row["case_hash"] for row in rows),
        "n": len(rows),
        "passed": sum(row["pass"] for row in rows),
        "failed": sum(not row["pass"] for row in rows),
        "scores": rows,
    }


def dump_scores(found: Mapping[str, Any]) -> bytes:
    """The bytes of a score document, the same for the same scores; laid out as `strict_json.dump` does."""
    import json

    import msgspec

    # The json module indents in Python, which of 100,000 scores takes as long as grading them.
    return msgspec.json.format(json.dumps(found, ensure_ascii=False).encode("utf-8"), indent=2) + b"\n"


def read_scores(path: str, data: bytes) -> dict[str, Any]:
    """Parse a score document; Malformed when a key is missing, an id comes twice, or its own sums do not add up."""
    from lastgood.core import schema

    found: dict[str, Any] = schema.read("score", path, data)
    rows = found["scores"]
    seen: set[str] = set()
    for nth, row in enumerate(rows):
        if row["id"] in seen:
            raise Malformed(f"case {row['id']!r} is scored twice", path=path, pointer=f"/scores/{nth}/id")
        if row["pass"] is bool(row["failures"]):
            what = "is true beside failures" if row["pass"] else "is false without a failure"
            raise Malformed(what, path=path, pointer=f"/scores/{nth}/pass")
        seen.add(row["id"])
    passed = sum(row["pass"] for row in rows)
    true = {
        "n": len(rows),
        "passed": passed,
        "failed": len(rows) - passed,
        "suite_hash": joined_hash(row["case_hash"] for row in rows),
    }
    for name, right in true.items():
        if found[name] != right:
            raise Malformed(f"is {found[name]}, but the scores give {right}", path=path, pointer=f"/{name}")
    return found


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Comparison:
    """Hold two score documents, as `read_scores` gives them, against each other."""
    before = {row["id"]: row for row in old["scores"]}
    after = {row["id"]: row for row in new["scores"]}
    both = [name for name in after if name in before]
    edited = tuple(name for name in both if before[name]["case_hash"] != after[name]["case_hash"])
    added = tuple(name for name in after if name not in before)
    removed = tuple(name for name in before if name not in after)
    reason = _incomparable(old, new, edited, added, removed)
    if reason:
        return Comparison(OUT_OF_STEP, reason, edited, added, removed, (), ())
    regressions = tuple(
        (name, tuple(after[name]["failures"])) for name in both if before[name]["pass"] and not after[name]["pass"]
    )
    fixed = tuple(name for name in both if after[name]["pass"] and not before[name]["pass"])
    return Comparison(BROKEN if regressions else HELD, "", (), (), (), regressions, fixed)


def moved(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    """(id, old digest, new digest) of every case that passes in both and whose completion moved.

    A digest is "" where a document has none, as one written by the second article's program: then nobody can tell.
    """
    before = {row["id"]: row for row in old["scores"] if row["pass"]}
    pairs = ((before[row["id"]], row) for row in new["scores"] if row["pass"] and row["id"] in before)
    found = ((row["id"], was.get("digest", ""), row.get("digest", "")) for was, row in pairs)
    return tuple((name, left, right) for name, left, right in found if left != right or not left)


def _row(score: Score) -> dict[str, Any]:
    row = {
        "id": score.id,
        "case_hash": score.case_hash,
        "pass": not score.failures,
        "failures": list(score.failures),
    }
    return row | {"digest": score.digest} if score.digest else row


def _incomparable(old: Mapping[str, Any], new: Mapping[str, Any], *changed: tuple[str, ...]) -> str:
    prompts = [found["prompt_id"] for found in (old, new) if "prompt_id" in found]
    if len(set(prompts)) > 1:
        return f"the prompts differ: {prompts[0]} and {prompts[1]}"
    if old["suite_hash"] == new["suite_hash"] and not any(changed):
        return ""
    words = [f"{what} {', '.join(names)}" for what, names in zip(_CHANGES, changed, strict=True) if names]
    return f"the suites differ: {'; '.join(words) or 'the same cases in another order'}"


_CHANGES = ("edited", "added", "removed")
