"""`lastgood compare`: a trend is only told between scores of the very same cases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lastgood.core.scores import Score, document
from repository import Done, Repository

if TYPE_CHECKING:
    from pathlib import Path

ARTICLE = ("compare", "--old", "./scores/baseline.json", "--new", "./scores/2026-09-07.json")
LOST = ("missing_tool:get_order",)


def score(case_id: str, *failures: str, digest: str = "1", case_hash: str = "") -> Score:
    return Score(case_id, case_hash or case_id[0] * 16, failures, digest * 64)


def scores(*found: Score, **whose: str) -> dict[str, Any]:
    return document(found, **whose)


A, B, C = score("a"), score("b"), score("c", *LOST)
OLD = scores(A, B, C)


class Desk(Repository):
    """Two score documents."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, init=False)

    def compare(self, old: Any, new: Any, *flags: str, code: int = 0) -> Done:
        self.write({"scores/baseline.json": json.dumps(old), "scores/2026-09-07.json": json.dumps(new)})
        return self.lastgood(*ARTICLE, *flags, code=code)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk")


def test_the_same_scores_hold(desk: Desk) -> None:
    assert desk.compare(OLD, OLD).out == (
        "3 cases: 0 regressed, 0 fixed, 0 moved, 1 still failing\nlastgood compare: held (0)\n"
    )


def test_a_regression_is_exit_1_and_names_the_contract_that_broke(desk: Desk) -> None:
    done = desk.compare(OLD, scores(A, score("b", *LOST, "forbid_pattern:I assume"), C), code=1)
    assert done.out == (
        "REGRESSED b missing_tool:get_order, forbid_pattern:I assume\n"
        "3 cases: 1 regressed, 0 fixed, 0 moved, 1 still failing\n"
        "lastgood compare: broken (1)\n"
    )


def test_one_fixed_does_not_make_up_for_one_broken(desk: Desk) -> None:
    out = desk.compare(OLD, scores(A, score("b", *LOST), score("c")), code=1).out
    assert "REGRESSED b missing_tool:get_order\nFIXED c\n" in out
    assert "1 regressed, 1 fixed, 0 moved, 0 still failing" in out


def test_what_moved_and_still_passes_is_named(desk: Desk) -> None:
    out = desk.compare(OLD, scores(A, score("b", digest="2"), C)).out
    assert out.startswith("MOVED b digest=222222222222 prev=111111111111\n")


def test_a_move_is_exit_3_where_that_counts(desk: Desk) -> None:
    done = desk.compare(OLD, scores(A, score("b", digest="2"), C), "--fail-on-diff", code=3)
    assert done.out.endswith("lastgood compare: moved (3)\n")
    desk.compare(OLD, OLD, "--fail-on-diff", code=0)


def test_a_regression_weighs_more_than_a_move(desk: Desk) -> None:
    desk.compare(OLD, scores(score("a", digest="2"), score("b", *LOST), C), "--fail-on-diff", code=1)


def test_many_moves_are_counted_and_the_first_are_named(desk: Desk) -> None:
    names = [f"a{number:02}" for number in range(25)]
    old, new = (scores(*(score(name, digest=digest) for name in names)) for digest in "12")
    out = desk.compare(old, new).out
    assert out.count("MOVED") == 20
    assert "… and 5 more moved\n25 cases: 0 regressed, 0 fixed, 25 moved" in out


INCOMPARABLE: dict[str, tuple[Any, str]] = {
    "a case was edited": (scores(A, score("b", case_hash="f" * 16), C), "  edited  b\n"),
    "a case was added": (scores(A, B, C, score("d")), "  added  d\n"),
    "a case is gone": (scores(A, C), "  removed  b\n"),
    "a case was renamed": (scores(A, score("x", case_hash="b" * 16), C), "  added    x\n  removed  b\n"),
    "another order": (scores(B, A, C), "  why  the same cases in another order\n"),
}


@pytest.mark.parametrize("change", INCOMPARABLE)
def test_other_cases_are_exit_2_and_no_trend_is_invented(desk: Desk, change: str) -> None:
    new, said = INCOMPARABLE[change]
    done = desk.compare(OLD, new, code=2)
    assert said in done.err
    assert "# once a person accepted the new contract" in done.err
    assert done.out == ""


def test_scores_of_another_prompt_are_exit_2(desk: Desk) -> None:
    done = desk.compare(scores(A, prompt_id="p"), scores(A, prompt_id="q"), code=2)
    assert "the prompts differ" in done.err
    assert "  why  p and q\n" in done.err


# Documents that the second article's program wrote: without digests


def plain(*failures: str) -> dict[str, Any]:
    return scores(Score("a", "a" * 16, failures))


def test_a_document_without_digests_is_compared_by_its_scores(desk: Desk) -> None:
    desk.compare(plain(), scores(A), code=0)
    desk.compare(plain(), plain(*LOST), code=1)


@pytest.mark.parametrize(
    ("old", "new", "named"), [(plain(), scores(A), "baseline"), (scores(A), plain(), "2026-09-07")]
)
def test_where_no_digest_is_nobody_can_tell_whether_it_moved(desk: Desk, old: Any, new: Any, named: str) -> None:
    done = desk.compare(old, new, "--fail-on-diff", code=4)
    assert f"{named}.json: holds no digest of 'a' to compare" in done.err


MALFORMED: dict[str, tuple[Any, str]] = {
    "no score": ({**OLD, "scores": []}, "/scores: must not be empty"),
    "no object": ([], "must be an object"),
    "a sum that is wrong": ({**OLD, "passed": 3}, "/passed: is 3, but the scores give 2"),
    "a suite_hash that is wrong": ({**OLD, "suite_hash": "0" * 16}, "/suite_hash: is 0000000000000000, but"),
    "one case twice": (scores(A, A), "/scores/1/id: case 'a' is scored twice"),
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_a_document_that_does_not_add_up_is_exit_4(desk: Desk, fault: str) -> None:
    found, said = MALFORMED[fault]
    done = desk.compare(OLD, found, code=4)
    assert done.err.startswith("lastgood: ./scores/2026-09-07.json")
    assert said in done.err


def test_a_document_that_is_not_there_is_exit_4(desk: Desk) -> None:
    done = desk.lastgood(*ARTICLE, code=4)
    assert done.err == "lastgood: ./scores/baseline.json: cannot be read: No such file or directory\n"
