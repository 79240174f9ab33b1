"""Which items of two sequences stayed: Myers' greedy alignment, with an upper bound on its work."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

MOST_EDITS = 400  # work and memory grow with its square; two texts further apart have nothing worth pairing


def aligned(
    old: Sequence[Hashable], new: Sequence[Hashable], *, most_edits: int = MOST_EDITS
) -> list[tuple[int, int]] | None:
    """Index pairs of equal items, rising on both sides; None when more than `most_edits` items came or went."""
    start, same_end = trimmed(old, new)
    middle = _middle(old[start : len(old) - same_end], new[start : len(new) - same_end], most_edits)
    if middle is None:
        return None
    pairs = [(index, index) for index in range(start)]
    pairs += [(start + left, start + right) for left, right in middle]
    pairs += [(len(old) - back, len(new) - back) for back in range(same_end, 0, -1)]
    return pairs


def trimmed(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[int, int]:
    """How many items are equal at the start, and how many of the rest at the end."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, end


def _middle(old: Sequence[Hashable], new: Sequence[Hashable], most_edits: int) -> list[tuple[int, int]] | None:
    furthest = {1: 0}  # on each diagonal (old index - new index), the furthest old index reached
    trail: list[dict[int, int]] = []
    for edits in range(min(len(old) + len(new), most_edits) + 1):
        trail.append(dict(furthest))
        for diagonal in range(-edits, edits + 1, 2):
            before = _from(diagonal, edits, furthest)
            left = furthest[before] + (before < diagonal)
            right = left - diagonal
            while left < len(old) and right < len(new) and old[left] == new[right]:
                left += 1
                right += 1
            furthest[diagonal] = left
            if left >= len(old) and right >= len(new):
                return _walk_back(trail, len(old), len(new))
    return None


def _from(diagonal: int, edits: int, furthest: dict[int, int]) -> int:
    """The neighbouring diagonal from which this one is best reached."""
    down = diagonal == -edits or (diagonal != edits and furthest[diagonal - 1] < furthest[diagonal + 1])
    return diagonal + 1 if down else diagonal - 1


def _walk_back(trail: list[dict[int, int]], left: int, right: int) -> list[tuple[int, int]]:
    pairs = []
    for edits in range(len(trail) - 1, -1, -1):
        diagonal = left - right
        before = _from(diagonal, edits, trail[edits])
        stop = trail[edits][before]
        while left > stop and right > stop - before:
            left, right = left - 1, right - 1
            pairs.append((left, right))
        left, right = stop, stop - before
    return pairs[::-1]
