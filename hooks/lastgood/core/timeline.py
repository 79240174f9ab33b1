"""The tool calls of two traces side by side, in the order they were made."""

from __future__ import annotations

from lastgood.core.moves import paired
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Any

SAME, CHANGED, ADDED, REMOVED = "same", "changed", "added", "removed"
ELSEWHERE = "elsewhere"  # a call of a tool that stands at another place in the other trace


@value(frozen=True)
class Step:
    """One place of the timeline: a call of the old trace, of the new one, or of both where they belong together.

    `old_place` and `new_place` count from 1; 0 where that trace has no such call.
    """

    state: str
    old_place: int
    new_place: int
    old: dict[str, Any] | None
    new: dict[str, Any] | None


def timeline(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> tuple[Step, ...]:
    """Every call of both traces once: those that belong together in one step, each trace's own order kept."""
    pairs, gone, come = paired(old, new)
    swapped = {old[at]["name"] for at in gone} & {new[at]["name"] for at in come}
    steps: list[Step] = []
    left = right = 0
    for left_end, right_end in [*pairs, (len(old), len(new))]:
        steps += [Step(_alone(old[at], REMOVED, swapped), at + 1, 0, old[at], None) for at in range(left, left_end)]
        steps += [Step(_alone(new[at], ADDED, swapped), 0, at + 1, None, new[at]) for at in range(right, right_end)]
        if left_end < len(old):
            before, after = old[left_end], new[right_end]
            steps.append(Step(_state(before, after), left_end + 1, right_end + 1, before, after))
        left, right = left_end + 1, right_end + 1
    return tuple(steps)


def _alone(call: dict[str, Any], state: str, swapped: Container[str]) -> str:
    return ELSEWHERE if call["name"] in swapped else state


def _state(old: dict[str, Any], new: dict[str, Any]) -> str:
    import json

    # Written out, for the order of arguments is a move too.
    return SAME if json.dumps(old["arguments"]) == json.dumps(new["arguments"]) else CHANGED
