"""The word that was probably meant."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def meant(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'must_call'?`, or nothing when no known word is near."""
    reach = max(1, len(word) // 3)
    near = sorted((edits(word, other), other) for other in known if abs(len(other) - len(word)) <= reach)
    return f"; did you mean {near[0][1]!r}?" if near and near[0][0] <= reach else ""


_SHOWN = 5


def known_names(word: str, known: Iterable[str]) -> str:
    """`there are: a, b and 9 more; did you mean 'b'?`: never longer for ten thousand names than for ten."""
    names = sorted(known)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"there are: {', '.join(names[:_SHOWN]) or 'none'}{more}{meant(word, names)}"


def edits(left: str, right: str) -> int:
    """Letters to add, drop, change or swap with their neighbour to make one word of the other."""
    older: list[int] = []
    old = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(old[j] + 1, row[-1] + 1, old[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        older, old = old, row
    return old[-1]
