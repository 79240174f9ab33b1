"""What moved, for people: one line a case, what is suspicious, then the diffs, then what it means."""

from __future__ import annotations

from lastgood.core.judgement import DIFF, FAIL, NEW, PASS, UNSTABLE
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.hunks import hunk_lines
from lastgood.report.paint import FAINT, PLAIN, TITLE, WARNING, Paint
from lastgood.report.paint import NEW as GREEN
from lastgood.report.paint import OLD as RED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lastgood.report.paint import Line

_INDENT = " " * 7
_STATUS_STYLES = {FAIL: RED, NEW: GREEN, DIFF: TITLE}


def text(found: Mapping[str, Any], paint: Paint | None = None) -> str:
    """For a terminal or a log: nothing of a completion at the start of a line, colour only where `paint` has it."""
    paint = paint or Paint()
    blocks = ["".join(f"{paint(line)}\n" for line in _prompt(item)) for item in found["prompts"]]
    return "\n".join(blocks) + "\n" + meaning(found) + "\n"


def _prompt(item: Mapping[str, Any]) -> list[Line]:
    lines: list[Line] = [[(TITLE, item["prompt_id"]), (PLAIN, f"  {pin(item)}  completer {item['completer']}")]]
    lines += [[(WARNING, f"  stale: {reason}")] for reason in item["stale"]]
    lines += [[(WARNING, f"  note: {item['note']}")]] * bool(item["note"])
    for case in item["cases"]:
        lines += [[(PLAIN, "  "), *headline(case)], *indented(body(case))]
    lines += [[(PLAIN, f"  GONE {case_id}: no active case; its baseline ends")] for case_id in item["obsolete"]]
    lines += [[(PLAIN, f"  ---- {case_id}: not answered by this run")] for case_id in item["unanswered"]]
    lines += [[(PLAIN, f"  ---- {case_id}: not asked often enough to be accepted")] for case_id in item["lacking"]]
    return lines


def pin(item: Mapping[str, Any]) -> str:
    """Which prompt the answers were taken of before, and which now."""
    now = item["to"][:SHORT]
    return f"{item['from'][:SHORT]} → {now}" if item["from"] and item["from"] != item["to"] else str(now)


def headline(case: Mapping[str, Any]) -> Line:
    """One case in one line: status, id, digests, and the kinds of its move or what failed."""
    status, now = case["status"], case["to"][:SHORT] or "-" * SHORT
    if status == DIFF:
        rest = f"{case['from'][:SHORT]} → {now}  {', '.join(case['moves'])}"
    elif status == UNSTABLE:
        rest = f"{now}, then {', '.join(other[:SHORT] for other in case['unequal'])}  {', '.join(case['moves'])}"
    elif status == FAIL:
        rest = f"{now}  {', '.join(case['failures'])}"
    else:
        rest = f"→ {now}" if status == NEW else now
    return [(_STATUS_STYLES.get(status, PLAIN), status), (PLAIN, f" {case['id']}  {rest}")]


def body(case: Mapping[str, Any]) -> list[Line]:
    """What stands below the headline: marks, reasons, the answer that failed, the diff."""
    if case["status"] == PASS:
        return []
    lines: list[Line] = [[(WARNING, f"! {mark}")] for mark in case["marks"]]
    lines += [[(PLAIN, reason)] for reason in case["explanations"]]
    lines += [[(FAINT, "| "), (PLAIN, said)] for said in case["said"]]
    if case["said_truncated"]:
        lines.append(_cut(case["said_truncated"], "characters", case["said_whole"]))
    lines += hunk_lines(case["diff"])
    if case["diff_truncated"]:
        lines.append(_cut(case["diff_truncated"], "lines", case["diff_whole"]))
    elif case["diff_whole"]:
        lines.append([(FAINT, f"whole: {case['diff_whole']}")])
    return lines


def _cut(count: int, what: str, whole: str) -> Line:
    return [(FAINT, f"… {count:,} more {what}{f'; whole: {whole}' if whole else ''}")]


def indented(lines: Sequence[Line]) -> list[Line]:
    """Below a headline."""
    return [[(PLAIN, _INDENT), *line] for line in lines]


def meaning(found: Mapping[str, Any]) -> str:
    """What it comes to, and the token that stands for all of it."""
    counts = found["counts"]
    total = sum(counts.values())
    legal = total - counts[FAIL]
    rate = f"{100 * legal // total}% pass" if total else "nothing answered"
    unstable = f", {counts[UNSTABLE]} unstable" if counts.get(UNSTABLE) else ""
    line = f"{rate}, {counts[DIFF]} moved, {counts[NEW]} new, {counts[FAIL]} failed{unstable}"
    if counts[DIFF] and not counts[FAIL]:
        line += ": a regression report, not a success"
    suspicious = sum(bool(case["marks"]) for item in found["prompts"] for case in item["cases"])
    marked = f"! {suspicious} with a mark: read {'it' if suspicious == 1 else 'them'} first\n" if suspicious else ""
    return f"{line}\n{marked}token {found['token']}"
