"""What `eval` says around its cases."""

from __future__ import annotations

import pytest

from lastgood.core.usage import Usage
from lastgood.report.asked import duration, money, progress, took


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0.0 s"), (1.26, "1.3 s"), (59.96, "1 min 0 s"), (125, "2 min 5 s"), (3780, "1 h 3 min")],
)
def test_a_duration(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_small_costs_are_not_nothing() -> None:
    assert (money(0.0004), money(12.345)) == ("0.0004", "12.35")


def test_what_it_took() -> None:
    assert took(0, 3, 0.0, Usage(), ()) == "nothing asked: 3 cases answered already; --all asks anew"
    assert took(1, 0, 1.0, Usage(), (1, 2)) == "1 answer in 1.0 s"
    assert took(3, 1, 1.0, Usage(2, 10, 5), ()) == (
        "3 answers in 1.0 s, 10 tokens in, 5 out (told by 2)\n1 case answered already; --all asks anew"
    )


def test_how_far_it_is() -> None:
    assert progress(0, 9, {}, 0.0) == "0/9 answers, 0 moved, 0 failed"
    found = {"DIFF": 1, "NEW": 1, "FAIL": 2, "PASS": 1}
    assert progress(5, 10, found, 2.5) == "5/10 answers, 2 moved, 2 failed, 2.0/s, 2.5 s left"
