"""The report as GitHub annotations: what broke beside its golden case, what moved beside the edit that moved it."""

from __future__ import annotations

from lastgood.core.judgement import DIFF, FAIL, NEW, PASS
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.findings import workflow_command
from lastgood.report.moves_text import meaning

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

MOST_SHOWN = 10  # of one level in one step: GitHub drops the rest without a word
_TITLES = {FAIL: "broken", DIFF: "moved", NEW: "new"}
_MOST_TOLD = 600  # characters of one annotation


def github(report: Mapping[str, Any], *, fail_on_diff: bool) -> str:
    """Workflow commands, at most MOST_SHOWN of a level, then what it comes to. Nothing in them can start a command."""
    lines: list[str] = []
    for status in dict.fromkeys((FAIL, DIFF, NEW, *report["counts"])):
        if status != PASS:
            level = "error" if status == FAIL or (fail_on_diff and status != NEW) else "warning"
            found = [(item, case) for item in report["prompts"] for case in item["cases"] if case["status"] == status]
            lines += _bounded(level if status != NEW else "notice", status, found)
    return "\n".join([*lines, *meaning(report).split("\n")]) + "\n"


def _bounded(level: str, status: str, found: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> Iterator[str]:
    title = f"lastgood {_TITLES.get(status, status.lower())}"
    shown = found if len(found) <= MOST_SHOWN else found[: MOST_SHOWN - 1]
    for item, case in shown:
        path, line = _place(item, case)
        yield workflow_command(level, _told(item, case), file=path, line=str(line), title=title)
    if len(shown) < len(found):
        yield workflow_command(level, f"and {len(found) - len(shown)} more: lastgood report --html F", title=title)


def _told(item: Mapping[str, Any], case: Mapping[str, Any]) -> str:
    name = f"{item['prompt_id']} {case['id']}"
    if case["status"] == FAIL:
        told = "\n".join([f"{name}: {', '.join(case['failures'])}", *case["explanations"]])
    else:
        old, new = (case[side][:SHORT] or "none" for side in ("from", "to"))
        told = "\n".join([f"{name}: {old} → {new}  {', '.join(case['moves'])}".rstrip(), *case["marks"]])
    return told if len(told) <= _MOST_TOLD else f"{told[:_MOST_TOLD]}…"


def _place(item: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[str, int]:
    """File and line that a case is about: of the prompt, where its edit may be what moved the answer."""
    if case["status"] == FAIL or item["prompt_state"] != "moved" or len(item["files"]) > 1:
        return case["path"], case["line"]
    return item["path"], _first_moved(item["prompt_diff"])


def _first_moved(diff: Sequence[str]) -> int:
    """The first line of the new text that a diff adds, or behind which it takes one away."""
    number = 1
    for line in diff:
        if line.startswith("@@"):
            number = int(line.split(" ")[2][1:].partition(",")[0])
        elif line[:1] in "+-":
            return max(number, 1)
        else:
            number += 1
    return 1
