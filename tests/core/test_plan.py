"""Which cases are asked, and how often, on top of what a pending run holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lastgood.core.case import read_golden
from lastgood.core.plan import plan
from lastgood.core.run import Header, Recorded, Run
from lastgood.core.value import replace

if TYPE_CHECKING:
    from lastgood.core.case import Case

HEADER = Header("p", "stub", "a" * 64, "b" * 16, "c" * 16, ("x",), "text", "2026-12-01T00:00:00Z")


def cases(*names: str) -> list[Case]:
    rows = [{"id": name, "input": {}, "expect": {"json": True}} for name in names]
    return list(read_golden("suite.json", json.dumps({"prompt_id": "p", "cases": rows}).encode()).cases)


def run(*answers: tuple[Case, str | None], header: Header = HEADER) -> Run:
    found: dict[tuple[str, int], tuple[Recorded, ...]] = {}
    for case, output in answers:
        key = (case.id, case.version)
        error = "" if output is not None else "completer_failed:exit 3"
        found[key] = (*found.get(key, ()), Recorded(*key, case.case_hash, output, error, "", 0.1))
    return Run(header, found)


ONE, TWO = cases("one", "two")


@pytest.mark.parametrize(
    ("before", "repeat", "anew", "times"),
    [
        pytest.param(None, 1, False, [1, 1], id="no run"),
        pytest.param(run((ONE, "x")), 1, False, [0, 1], id="one answered"),
        pytest.param(run((ONE, "x")), 3, False, [2, 3], id="not often enough"),
        pytest.param(run((ONE, "x"), (ONE, "y"), (TWO, "x")), 1, False, [0, 0], id="more often than asked"),
        pytest.param(run((ONE, None), (TWO, "x")), 1, False, [1, 0], id="a failure is no answer"),
        pytest.param(run((ONE, "x"), (TWO, "x")), 1, True, [1, 1], id="anew"),
        pytest.param(run((ONE, "x"), header=replace(HEADER, prompt_sha256="d" * 64)), 1, False, [1, 1], id="prompt"),
        pytest.param(run((ONE, "x"), header=replace(HEADER, fingerprint="d" * 16)), 1, False, [1, 1], id="completer"),
        pytest.param(run((ONE, "x"), header=replace(HEADER, output="trace")), 1, False, [1, 1], id="output"),
        pytest.param(run((ONE, "x"), header=replace(HEADER, suite_hash="d" * 16)), 1, False, [0, 1], id="other cases"),
    ],
)
def test_what_is_left_to_ask(before: Run | None, repeat: int, anew: bool, times: list[int]) -> None:
    found = plan(replace(HEADER, repeat=repeat), [ONE, TWO], before, anew=anew)
    assert list(found.times.values()) == times
    assert (found.to_ask, found.skipped) == (sum(times), times.count(0))


def test_an_edited_case_is_asked_and_its_old_answer_goes() -> None:
    (edited,) = list(
        read_golden(
            "suite.json",
            json.dumps(
                {"prompt_id": "p", "cases": [{"id": "one", "input": {"n": 1}, "expect": {"json": True}}]}
            ).encode(),
        ).cases
    )
    found = plan(HEADER, [edited], run((ONE, "x"), (TWO, "x")))
    assert found.times == {("one", 1): 1}
    assert list(found.kept) == [("two", 1)]


def test_cases_that_nobody_asks_for_now_keep_their_answers_also_anew() -> None:
    found = plan(HEADER, [TWO], run((ONE, "x"), (TWO, "y")), anew=True)
    assert list(found.kept) == [("one", 1)]
    assert found.answered(TWO) == ()
