"""Which items of two sequences stayed."""

from __future__ import annotations

import random

import pytest

from lastgood.core.align import aligned, trimmed

CASES = {
    "both empty": ("", "", ""),
    "old empty": ("", "ab", ""),
    "equal": ("abc", "abc", "abc"),
    "nothing in common": ("abc", "xyz", ""),
    "one added in front": ("bc", "abc", "bc"),
    "one removed inside": ("abc", "ac", "ac"),
    "one replaced": ("abc", "axc", "ac"),
    "swapped": ("ab", "ba", "b"),
    "repeated": ("aaa", "aa", "aa"),
}


@pytest.mark.parametrize(("old", "new", "kept"), CASES.values(), ids=CASES)
def test_the_longest_common_part_stays(old: str, new: str, kept: str) -> None:
    pairs = aligned(old, new)
    assert pairs is not None
    assert "".join(old[left] for left, _ in pairs) == kept
    assert "".join(new[right] for _, right in pairs) == kept


def longest(old: str, new: str) -> int:
    """Length of the longest common subsequence, by the textbook table."""
    row = [0] * (len(new) + 1)
    for sign in old:
        before = row[:]
        for index, other in enumerate(new):
            row[index + 1] = before[index] + 1 if sign == other else max(row[index], before[index + 1])
    return row[-1]


def test_random_sequences_keep_as_much_as_can_be_kept() -> None:
    dice = random.Random(7)
    for _ in range(400):
        old, new = ("".join(dice.choices("abc", k=dice.randrange(12))) for _ in range(2))
        pairs = aligned(old, new)
        assert pairs is not None
        assert len(pairs) == longest(old, new)
        assert all(old[left] == new[right] for left, right in pairs)
        assert pairs == sorted(set(pairs))
        assert len({left for left, _ in pairs}) == len({right for _, right in pairs}) == len(pairs)


def test_too_many_edits_are_given_up() -> None:
    assert aligned("a" * 3, "b" * 3, most_edits=5) is None
    assert aligned("a" * 3, "b" * 3, most_edits=6) == []


def test_equal_ends_never_overlap() -> None:
    assert trimmed("aa", "aaa") == (2, 0)
    assert trimmed("abcxa", "abya") == (2, 1)
