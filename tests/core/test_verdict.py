"""The exit codes are documented numbers, and which of several wins is a table, not the greatest."""

from __future__ import annotations

import itertools

import pytest

from lastgood.core.verdict import BROKEN, CANNOT_TELL, HELD, INTERRUPTED, MOVED, OUT_OF_STEP, WORDS, gravest


def test_the_codes() -> None:
    assert (HELD, BROKEN, OUT_OF_STEP, MOVED, CANNOT_TELL, INTERRUPTED) == (0, 1, 2, 3, 4, 130)
    assert WORDS == {0: "held", 1: "broken", 2: "out of step", 3: "moved", 4: "cannot tell", 130: "interrupted"}


ORDER = [INTERRUPTED, CANNOT_TELL, OUT_OF_STEP, BROKEN, MOVED, HELD]


@pytest.mark.parametrize(("graver", "other"), list(itertools.combinations(ORDER, 2)))
def test_of_two_the_graver_wins(graver: int, other: int) -> None:
    assert gravest([graver, other]) == gravest([other, graver]) == graver


def test_nothing_is_held() -> None:
    assert gravest([]) == HELD
    assert gravest(iter([])) == HELD
