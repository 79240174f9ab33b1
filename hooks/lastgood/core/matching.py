"""Maximum bipartite matching: as many pairs as there can be, nobody in two of them."""

from __future__ import annotations

from itertools import islice

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeVar

    Left = TypeVar("Left")
    Right = TypeVar("Right")


def matched(fitting: Sequence[Iterable[int]]) -> dict[int, int]:
    """A largest set of pairs, each left and each right in at most one: place of the left → of the right.

    `fitting`: for each left, the places of the rights that fit it.
    """
    # As many rights as there are lefts are enough for each: whatever the other lefts take, one of these stays free. So
    # the search takes at most lefts³ steps, however many rights there are.
    most = len(fitting)
    friends = [list(islice(rights, most)) for rights in fitting]
    chosen: dict[int, int] = {}
    taken: dict[int, int] = {}  # the same, right → left
    for left in range(most):
        _pair(left, friends, chosen, taken)
    return chosen


def _pair(start: int, friends: Sequence[Sequence[int]], chosen: dict[int, int], taken: dict[int, int]) -> None:
    """Kuhn's method: `start` takes a free right, or one whose left can move to another, and so forth."""
    asked_by: dict[int, int] = {}  # right → the left that asked for it first
    waiting = [start]
    for left in waiting:  # breadth first, so that no long chain exhausts the stack; it grows while it is walked
        for right in friends[left]:
            if right not in asked_by:
                asked_by[right] = left
                if right not in taken:
                    _move(right, asked_by, chosen, taken)
                    return
                waiting.append(taken[right])


def _move(free: int, asked_by: dict[int, int], chosen: dict[int, int], taken: dict[int, int]) -> None:
    """Back along the chain, each left takes the right it asked for and leaves its own to the one before it."""
    right: int | None = free
    while right is not None:
        left = asked_by[right]
        left_behind = chosen.get(left)
        chosen[left], taken[right] = right, left
        right = left_behind


def in_order(lefts: Sequence[Left], rights: Sequence[Right], fit: Callable[[Left, Right], bool]) -> int:
    """How many of the lefts, from the first on, fit rights that stand in the same order, others between them or not."""
    # Each takes the earliest right after its predecessor's, and no choice is better: by induction none places the lefts
    # so far at an earlier right, and whatever stands after a later right stands after an earlier one too.
    coming = iter(rights)
    for placed, left in enumerate(lefts):
        if not any(fit(left, right) for right in coming):
            return placed
    return len(lefts)
