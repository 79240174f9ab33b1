"""What kind of move a completion made: one short line a reviewer reads before the diff."""

from __future__ import annotations

import json

from lastgood.core.align import aligned
from lastgood.core.answer_moves import answer_moves
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from lastgood.core.trace import Completion

MOST_SHOWN = 12

# How much a user would feel them: what was done, what was said, how it was laid out.
ORDER = (
    "tool_added",
    "tool_removed",
    "tool_order",
    "arg_value",
    "type",
    "value",
    "key_removed",
    "key_added",
    "preface",
    "ending",
    "text",
    "length",
    "list_order",
    "key_order",
    "arg_order",
    "code_fence",
    "case",
    "unicode_form",
    "whitespace",
)
KINDS = frozenset(ORDER)


def moves(old: Completion, new: Completion) -> tuple[str, ...]:
    """Kinds of move from `old` to `new`, the most felt first; at most MOST_SHOWN, then `and N more`.

    Each begins with one of KINDS; a path, a tool, a direction or a size may follow: `value /order/status`,
    `arg_value lookup.order_id`, `preface added`, `length +37%`. Empty only when the two are equal.
    """
    found: list[str] = []
    if not (old.malformed or new.malformed):
        found += _tool_moves(old.tool_calls or (), new.tool_calls or ())
        found += answer_moves(old.final_text, new.final_text)
    if not found and _accepted(old) != _accepted(new):
        found.append("text" if _sort(old) == _sort(new) else "type")
    ordered = sorted(dict.fromkeys(found), key=lambda move: ORDER.index(kind(move)))
    if len(ordered) > MOST_SHOWN:
        ordered = [*ordered[:MOST_SHOWN], f"and {len(ordered) - MOST_SHOWN} more"]
    return tuple(ordered)


def kind(move: str) -> str:
    """The kind of one entry of `moves`: its first word."""
    return move.split(" ", 1)[0]


def _accepted(completion: Completion) -> tuple[Any, ...]:
    """What a person accepts of it: not what the tools answered, nor earlier turns."""
    calls = completion.tool_calls
    made = None if calls is None else [(call["name"], call["arguments"]) for call in calls]
    return made, completion.final_text, completion.malformed, completion.detail


def _sort(completion: Completion) -> tuple[bool, bool]:
    """What it is at all: readable or not, a trace or a plain text."""
    return bool(completion.malformed), completion.tool_calls is None


def _tool_moves(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> Iterator[str]:
    pairs, gone, come = paired(old, new)
    # A call left over on both sides stands elsewhere now: moved, not removed and added.
    waiting: dict[str, list[int]] = {}
    for left in reversed(gone):
        waiting.setdefault(old[left]["name"], []).append(left)
    swapped = [(waiting[name].pop(), right) for right in come if waiting.get(name := new[right]["name"])]
    gone = sorted(left for lefts in waiting.values() for left in lefts)
    placed = {right for _, right in swapped}
    come = [right for right in come if right not in placed]
    yield from (f"tool_added {new[right]['name']}" for right in come)
    yield from (f"tool_removed {old[left]['name']}" for left in gone)
    if swapped:
        yield "tool_order"
    for left, right in [*pairs, *swapped]:
        yield from _argument_moves(old[left]["name"], old[left]["arguments"], new[right]["arguments"])


def paired(
    old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Calls that belong together, and the calls left over on each side."""
    pairs = aligned(_whole(old), _whole(new)) or []
    pairs = _within_gaps(pairs, [call["name"] for call in old], [call["name"] for call in new])
    lefts, rights = {left for left, _ in pairs}, {right for _, right in pairs}
    gone = [left for left in range(len(old)) if left not in lefts]
    return pairs, gone, [right for right in range(len(new)) if right not in rights]


def _within_gaps(pairs: list[tuple[int, int]], old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Identical calls hold their place; between them, calls of one name belong together, in order.

    So that one more call in front of three of the same tool is one added call, and not three moved arguments.
    """
    found = []
    left = right = 0
    for left_end, right_end in [*pairs, (len(old), len(new))]:
        names, others = old[left:left_end], new[right:right_end]
        inner = aligned(names, others)
        if inner is None:  # too far apart to align: by position
            inner = [(i, i) for i in range(min(len(names), len(others))) if names[i] == others[i]]
        found += [(left + i, right + j) for i, j in inner]
        found.append((left_end, right_end))
        left, right = left_end + 1, right_end + 1
    return found[:-1]


def _argument_moves(name: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    reordered = [key for key in old if key in new] != [key for key in new if key in old]
    for key in [*old, *(key for key in new if key not in old)]:
        if key not in old or key not in new or _sorted_text(old[key]) != _sorted_text(new[key]):
            yield f"arg_value {name}.{key}"
        elif _text(old[key]) != _text(new[key]):
            reordered = True
    if reordered:
        yield f"arg_order {name}"


def _whole(calls: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(call["name"], _text(call["arguments"])) for call in calls]


def _text(found: Any) -> str:
    return json.dumps(found)


def _sorted_text(found: Any) -> str:
    return json.dumps(found, sort_keys=True)
