"""Score documents are the same for the same scores, and compared only where that means something."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from json_values import values
from lastgood.core import strict_json
from lastgood.core.scores import Comparison, Score, compare, document, dump_scores, read_scores
from lastgood.core.verdict import BROKEN, HELD, OUT_OF_STEP
from lastgood.errors import Malformed

A, B, C = "a" * 16, "b" * 16, "c" * 16
PASSED = Score("first", A, ())
BROKE = Score("second", B, ("missing_tool:get_order",))


def test_the_document_is_the_article_s() -> None:
    assert document([PASSED, BROKE]) == {
        "suite_hash": "abf8fedeb2a96ae1",
        "n": 2,
        "passed": 1,
        "failed": 1,
        "scores": [
            {"id": "first", "case_hash": A, "pass": True, "failures": []},
            {"id": "second", "case_hash": B, "pass": False, "failures": ["missing_tool:get_order"]},
        ],
    }


def test_whose_scores_they_are_is_said_first() -> None:
    found = document([PASSED], prompt_id="p", prompt_sha256="0" * 64, completer="stub")
    assert list(found) == ["prompt_id", "prompt_sha256", "completer", "suite_hash", "n", "passed", "failed", "scores"]


def test_a_digest_stands_beside_its_score() -> None:
    assert document([Score("first", A, (), "d" * 64)])["scores"][0]["digest"] == "d" * 64


def test_what_is_written_is_read_back() -> None:
    found = document([PASSED, Score("é", B, ("error:None",), "d" * 64)], prompt_id="p")
    assert read_scores("scores.json", dump_scores(found)) == found


@given(values)
def test_the_document_is_laid_out_as_every_other_file_of_ours(found: object) -> None:
    written = {"scores": [], "prompt_id": found}
    assert dump_scores(written) == strict_json.dump(written)


def changed(**keys: object) -> dict[str, Any]:
    return document([PASSED, BROKE]) | keys


def scored(**keys: object) -> dict[str, Any]:
    rows = document([PASSED, BROKE])["scores"]
    return changed(scores=[rows[0] | keys, rows[1]])


MALFORMED: dict[str, tuple[object, str, str]] = {
    "no object": ([], "", "must be an object, not []"),
    "no sum": ({k: v for k, v in changed().items() if k != "n"}, "", "lacks the key 'n'"),
    "no failures": (
        changed(scores=[{"id": "x", "case_hash": A, "pass": True}]),
        "/scores/0",
        "lacks the key 'failures'",
    ),
    "unknown key": (changed(total=1), "/total", "unknown key of a score document 'total'"),
    "nothing scored": (document([]), "/scores", "must not be empty"),
    "one case twice": (changed(scores=changed()["scores"][:1] * 2), "/scores/1/id", "case 'first' is scored twice"),
    "passed beside failures": (scored(failures=["x"]), "/scores/0/pass", "is true beside failures"),
    "failed without one": (scored(**{"pass": False}), "/scores/0/pass", "is false without a failure"),
    "wrong n": (changed(n=3), "/n", "is 3, but the scores give 2"),
    "wrong passed": (changed(passed=2), "/passed", "is 2, but the scores give 1"),
    "wrong failed": (changed(failed=0), "/failed", "is 0, but the scores give 1"),
    "hash of another suite": (changed(suite_hash=C), "/suite_hash", f"is {C}, but the scores give abf8fedeb2a96ae1"),
    "no hash": (changed(suite_hash="x"), "/suite_hash", 'must be 16 hex digits, not "x"'),
    "no case hash": (scored(case_hash="A" * 16), "/scores/0/case_hash", "must be 16 hex digits, not "),
}


@pytest.mark.parametrize(("found", "pointer", "what"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(found: object, pointer: str, what: str) -> None:
    with pytest.raises(Malformed) as caught:
        read_scores("old.json", json.dumps(found).encode())
    assert caught.value.path == "old.json"
    assert caught.value.pointer == pointer
    assert caught.value.what.startswith(what)


def held_against(old: list[Score], new: list[Score]) -> Comparison:
    return compare(document(old), document(new))


def test_the_same_scores_hold() -> None:
    assert held_against([PASSED, BROKE], [PASSED, BROKE]) == Comparison(HELD, "", (), (), (), (), ())


def test_a_regression_is_named_with_its_failures() -> None:
    found = held_against([PASSED, BROKE], [Score("first", A, ("parse_fail:x", "y")), BROKE])
    assert (found.verdict, found.regressions, found.fixed) == (BROKEN, (("first", ("parse_fail:x", "y")),), ())


def test_a_case_that_healed_is_told_and_holds() -> None:
    found = held_against([PASSED, BROKE], [PASSED, Score("second", B, ())])
    assert (found.verdict, found.regressions, found.fixed) == (HELD, (), ("second",))


def test_a_regression_is_not_outweighed_by_a_case_that_healed() -> None:
    found = held_against([PASSED, BROKE], [Score("first", A, ("x",)), Score("second", B, ())])
    assert (found.verdict, found.fixed) == (BROKEN, ("second",))


def test_a_case_that_fails_otherwise_is_no_regression() -> None:
    assert held_against([BROKE], [Score("second", B, ("malformed_trace",))]).verdict == HELD


REFUSED = {
    "edited": ([PASSED, BROKE], [Score("first", C, ()), BROKE], "the suites differ: edited first"),
    "added": ([PASSED], [PASSED, BROKE], "the suites differ: added second"),
    "removed": ([PASSED, BROKE], [BROKE], "the suites differ: removed first"),
    "all at once": (
        [PASSED, BROKE],
        [Score("second", C, ()), Score("third", A, ())],
        "the suites differ: edited second; added third; removed first",
    ),
    "reordered": ([PASSED, BROKE], [BROKE, PASSED], "the suites differ: the same cases in another order"),
    "renamed": ([PASSED], [Score("other", A, ())], "the suites differ: added other; removed first"),
}


@pytest.mark.parametrize(("old", "new", "reason"), REFUSED.values(), ids=REFUSED)
def test_different_suites_are_not_compared(old: list[Score], new: list[Score], reason: str) -> None:
    found = held_against(old, new)
    assert (found.verdict, found.reason, found.regressions, found.fixed) == (OUT_OF_STEP, reason, (), ())


def test_scores_of_different_prompts_are_not_compared() -> None:
    found = compare(document([PASSED], prompt_id="p"), document([PASSED], prompt_id="q"))
    assert (found.verdict, found.reason) == (OUT_OF_STEP, "the prompts differ: p and q")


def test_scores_of_different_prompt_texts_and_completers_are_what_comparing_is_for() -> None:
    old = document([PASSED], prompt_id="p", prompt_sha256="0" * 64, completer="x")
    assert compare(old, document([PASSED], prompt_id="p", prompt_sha256="1" * 64, completer="y")).verdict == HELD
