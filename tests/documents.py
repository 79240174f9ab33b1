"""Report documents as `report/document.py` makes them, small ones, for the forms that are projections of them."""

from __future__ import annotations

from typing import Any

OLD, NEW = "a" * 64, "b" * 64
VERDICTS = ("PASS", "FAIL", "DIFF", "NEW", "UNSTABLE")


def told(case_id: str, status: str = "DIFF", **changes: Any) -> dict[str, Any]:
    """One case of a prompt; of a DIFF, one line became another."""
    moved = status == "DIFF"
    found = {
        "id": case_id,
        "version": 1,
        "case_hash": "c" * 16,
        "status": status,
        "from": "" if status == "NEW" else OLD,
        "to": NEW,
        "moves": ["text"] if moved else [],
        "kinds": ["text"] if moved else [],
        "marks": [],
        "failures": ["forbidden:x"] if status == "FAIL" else [],
        "explanations": ["expected no x"] if status == "FAIL" else [],
        "added": int(moved),
        "removed": int(moved),
        "diff": ["@@ -1 +1 @@", "-the old line", "+the new line"] if moved else [],
        "diff_truncated": 0,
        "diff_whole": "",
        "said": [],
        "said_truncated": 0,
        "said_whole": "",
        "path": "golden/one/suite.json",
        "line": 7,
        "input": {"question": "what?"},
        "seconds": 0.25,
        "old": "the old line" if moved else None,
        "new": "the new line",
        "steps": [],
    }
    return found | changes


def of_prompt(prompt_id: str, *cases: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """One prompt of a document."""
    statuses = [case["status"] for case in cases]
    found = {
        "prompt_id": prompt_id,
        "completer": "stub",
        "from": OLD,
        "to": NEW,
        "stale": [],
        "unanswered": [],
        "obsolete": [],
        "lacking": [],
        "note": "",
        "path": f"prompts/{prompt_id}.txt",
        "files": [f"prompts/{prompt_id}.txt"],
        "started_at": "2026-12-01T03:49:57Z",
        "suite_hash": "d" * 16,
        "fingerprint": "e" * 16,
        "counts": {status: statuses.count(status) for status in VERDICTS},
        "prompt_state": "moved",
        "prompt_diff": ["@@ -3,2 +3,2 @@", " kept", "-plain", "+warm"],
        "prompt_added": 1,
        "prompt_removed": 1,
        "history": [],
        "length": 12,
        "cases": list(cases),
    }
    return found | changes


def migration(number: int, **changes: Any) -> dict[str, Any]:
    """One migration of a prompt's history."""
    counts = {"moved": 1, "added": 0, "removed": 0, "kept": 2, "length": 10 * number}
    who = {"reason": f"Reason {number}", "accepted_by": "Ada <ada@example.com>", "accepted_at": "2026-11-30T22:10:00Z"}
    return {"migration": number, "slug": f"reason-{number}", "hash": "f" * 16, **who, **counts, **changes}


def document(*prompts: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A whole document."""
    counts = {status: sum(item["counts"][status] for item in prompts) for status in VERDICTS}
    total = sum(counts.values())
    kinds: dict[str, int] = {}
    for kind in (kind for item in prompts for case in item["cases"] for kind in case["kinds"]):
        kinds[kind] = kinds.get(kind, 0) + 1
    found = {
        "repository": "shop",
        "verdict": 0,
        "word": "held",
        "token": "0123456789ab",
        "counts": counts,
        "total": total,
        "pass_rate": 100 * (total - counts["FAIL"]) // total if total else None,
        "kinds": kinds,
        "unanswered": sum(len(item["unanswered"]) for item in prompts),
        "next": "accept: lastgood record -c stub --accept 0123456789ab --reason '…'",
        "prompts": list(prompts),
    }
    return found | changes
