"""What moved, as one JSON document: the only source of what people read as text, markdown or anything else."""

from __future__ import annotations

from lastgood.core.judgement import counts
from lastgood.core.text_diff import pretty
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lastgood.core.judgement import Judgement
    from lastgood.core.text_diff import TextDiff
    from lastgood.core.trace import Completion

_MOST_SAID = 12, 900  # lines and characters shown of an answer that failed


@value(frozen=True)
class Said:
    """The beginning of an answer, how many of its characters are left out, and the file that holds all of it."""

    lines: tuple[str, ...]
    truncated: int = 0
    whole: str = ""


@value(frozen=True)
class Shown:
    """One prompt's run as `diff` shows it. `kinds`, `marks`, `diffs` and `said` (of failures) are by case id."""

    prompt_id: str
    completer: str
    source: str
    target: str
    judgements: tuple[Judgement, ...]
    kinds: dict[str, tuple[str, ...]]
    marks: dict[str, tuple[str, ...]]
    diffs: dict[str, TextDiff]
    said: dict[str, Said]
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


def beginning(text: str, whole: str = "") -> Said:
    """What is shown of an answer; `whole` is named only where something is left out."""
    most_lines, most = _MOST_SAID
    start = "\n".join(text[:most].split("\n")[:most_lines])
    hidden = len(text) - len(start)
    return Said(tuple(start.split("\n")) if start else (), hidden, whole if hidden else "")


def document(shown: Sequence[Shown], token: str) -> dict[str, Any]:
    """Everything that `diff` tells, as values of JSON."""
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
                "cases": [_case(item, judgement) for judgement in item.judgements],
            }
            for item in shown
        ],
    }


def _case(item: Shown, judgement: Judgement) -> dict[str, Any]:
    case_id = judgement.case.id
    diff = item.diffs.get(case_id)
    said = item.said.get(case_id)
    return {
        "id": case_id,
        "version": judgement.case.version,
        "case_hash": judgement.case.case_hash,
        "status": judgement.status,
        "from": judgement.previous,
        "to": judgement.digest,
        "moves": list(item.kinds.get(case_id, ())),
        "unequal": [other.digest for other in judgement.unequal],
        "marks": list(item.marks.get(case_id, ())),
        "failures": [str(failure) for failure in judgement.failures],
        "explanations": [failure.explanation or str(failure) for failure in judgement.failures],
        "added": diff.added if diff else 0,
        "removed": diff.removed if diff else 0,
        "diff": list(diff.lines) if diff else [],
        "diff_truncated": diff.truncated if diff else 0,
        "diff_whole": diff.whole if diff else "",
        "said": list(said.lines) if said else [],
        "said_truncated": said.truncated if said else 0,
        "said_whole": said.whole if said else "",
    }
