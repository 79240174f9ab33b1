"""What moved, for people: one line a case, then the diffs, then what it means."""

from __future__ import annotations

from lastgood.core.judgement import DIFF, FAIL, NEW, PASS, UNSTABLE, counts
from lastgood.core.sha256 import SHORT
from lastgood.core.text_diff import pretty
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lastgood.core.judgement import Judgement
    from lastgood.core.text_diff import TextDiff
    from lastgood.core.trace import Completion


@value(frozen=True)
class Shown:
    """One prompt's run as `diff` shows it. `kinds` and `diffs` are by case id."""

    prompt_id: str
    completer: str
    source: str
    target: str
    judgements: tuple[Judgement, ...]
    kinds: dict[str, tuple[str, ...]]
    diffs: dict[str, TextDiff]
    unanswered: tuple[str, ...]
    stale: tuple[str, ...]
    obsolete: tuple[str, ...]
    lacking: tuple[str, ...] = ()
    note: str = ""


def diffable(completion: Completion) -> str:
    """A completion as text in lines: JSON laid out, tool calls before the final text."""
    import json

    calls = completion.tool_calls
    if calls is None:
        return pretty(completion.final_text)
    lines = [f"{call['name']} {pretty(json.dumps(call['arguments'], ensure_ascii=False))}" for call in calls]
    return "\n".join([*(f"call {line}" for line in lines), pretty(completion.final_text)])


def text(shown: Sequence[Shown], token: str) -> str:
    """For a terminal or a log: no colour, nothing of a completion at the start of a line."""
    blocks = [_prompt(item) for item in shown]
    return "\n".join(blocks) + "\n" + _meaning(shown, token) + "\n"


def _prompt(item: Shown) -> str:
    now = item.target[:SHORT]
    pin = f"{item.source[:SHORT]} → {now}" if item.source and item.source != item.target else now
    lines = [f"{printable(item.prompt_id)}  {pin}  completer {item.completer}"]
    lines += [f"  stale: {reason}" for reason in item.stale]
    lines += [f"  note: {printable(item.note)}"] * bool(item.note)
    lines += [line for judgement in item.judgements for line in _case(item, judgement)]
    lines += [f"  GONE {printable(case_id)}: no active case; its baseline ends" for case_id in item.obsolete]
    lines += [f"  ---- {printable(case_id)}: not answered by this run" for case_id in item.unanswered]
    lines += [f"  ---- {printable(case_id)}: not asked often enough to be accepted" for case_id in item.lacking]
    return "\n".join(lines) + "\n"


def _case(item: Shown, judgement: Judgement) -> list[str]:
    case_id, now = judgement.case.id, judgement.digest[:SHORT] or "-" * SHORT
    line = f"  {judgement.status} {printable(case_id)}  "
    if judgement.status == PASS:
        return [line + now]
    if judgement.status == FAIL:
        reasons = [f"       {printable(failure.explanation or str(failure))}" for failure in judgement.failures]
        head = [line + f"{now}  {', '.join(printable(str(failure)) for failure in judgement.failures)}", *reasons]
    elif judgement.status == UNSTABLE:
        others = ", ".join(other.digest[:SHORT] for other in judgement.unequal)
        head = [line + f"{now}, then {others}  {', '.join(map(printable, judgement.wobble))}"]
    elif judgement.status == NEW:
        head = [line + f"→ {now}"]
    else:
        head = [line + f"{judgement.previous[:SHORT]} → {now}  {', '.join(map(printable, item.kinds[case_id]))}"]
    return head + _hunks(item.diffs.get(case_id))


def _hunks(diff: TextDiff | None) -> list[str]:
    if not diff:
        return []
    lines = [f"       {printable(line)}" for line in diff.lines if not line.startswith("@@")]
    if diff.truncated:
        lines.append(f"       … {diff.truncated} more lines; whole: lastgood diff --format json")
    return lines


def _meaning(shown: Sequence[Shown], token: str) -> str:
    found = counts(judgement for item in shown for judgement in item.judgements)
    total = sum(found.values())
    legal = total - found[FAIL]
    rate = f"{100 * legal // total}% pass" if total else "nothing answered"
    unstable = f", {found[UNSTABLE]} unstable" if found[UNSTABLE] else ""
    lines = [f"{rate}, {found[DIFF]} moved, {found[NEW]} new, {found[FAIL]} failed{unstable}"]
    if found[DIFF] and not found[FAIL]:
        lines[0] += ": a regression report, not a success"
    lines.append(f"token {token}")
    return "\n".join(lines)


def document(shown: Sequence[Shown], token: str) -> dict[str, Any]:
    """The same as one JSON document."""
    return {
        "token": token,
        "counts": counts(judgement for item in shown for judgement in item.judgements),
        "prompts": [
            {
                "prompt_id": item.prompt_id,
                "completer": item.completer,
                "from": item.source,
                "to": item.target,
                "stale": list(item.stale),
                "unanswered": list(item.unanswered),
                "obsolete": list(item.obsolete),
                "lacking": list(item.lacking),
                "note": item.note,
                "cases": [_case_document(item, judgement) for judgement in item.judgements],
            }
            for item in shown
        ],
    }


def _case_document(item: Shown, judgement: Judgement) -> dict[str, Any]:
    diff = item.diffs.get(judgement.case.id)
    return {
        "id": judgement.case.id,
        "version": judgement.case.version,
        "case_hash": judgement.case.case_hash,
        "status": judgement.status,
        "from": judgement.previous,
        "to": judgement.digest,
        "moves": list(item.kinds.get(judgement.case.id, ())),
        "unequal": [other.digest for other in judgement.unequal],
        "failures": [str(failure) for failure in judgement.failures],
        "added": diff.added if diff else 0,
        "removed": diff.removed if diff else 0,
        "diff": list(diff.lines) if diff else [],
    }
