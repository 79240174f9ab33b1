"""`calls`: where any assignment of actual calls satisfies the expected ones the case passes, and nowhere else."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_values import case_of
from lastgood.core.grading import grade
from lastgood.core.trace import read_trace

A, B, C = ({"name": "get", "arguments": {"id": n}} for n in "ABC")
MAIL = {"name": "mail", "arguments": {}}
FAILED = {**A, "error": "timeout"}


def get(rule: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"name": "get", "args": {"id": rule}, **more}


IS_A, IS_B, ANY = get({"eq": "A"}), get({"eq": "B"}), {"name": "get"}
A_OR_B, B_OR_C = get({"in": ["A", "B"]}), get({"in": ["B", "C"]})


def found(wanted: dict[str, Any], calls: list[Any], **parts: object) -> list[Any]:
    case = case_of(assertions={"calls": wanted}, **parts)
    return list(grade(case, read_trace({"tool_calls": calls, "final_text": ""}), {}))


def failures(wanted: dict[str, Any], calls: list[Any]) -> list[str]:
    return [str(failure) for failure in found(wanted, calls)]


MISSING, EXTRA, ORDER = ["missing_call:get"], ["unexpected_call:get"], ["call_order:get"]
LEAST: dict[str, Any] = {"match": "at_least"}
IN_ORDER = {"order": "subsequence"}
TABLE: dict[str, tuple[dict[str, Any], list[Any], list[str]]] = {
    "one": ({"of": [IS_A]}, [A], []),
    "none": ({"of": [IS_A]}, [], MISSING),
    "one off": ({"of": [IS_A]}, [B], MISSING),
    "one more": ({"of": [IS_A]}, [A, B], EXTRA),
    "one more of another tool": ({"of": [IS_A]}, [A, MAIL], ["unexpected_call:mail"]),
    "one off and one more": ({"of": [IS_A]}, [B, C], MISSING + EXTRA),
    "another tool": ({"of": [IS_A]}, [MAIL], ["missing_call:get", "unexpected_call:mail"]),
    "two in any order": ({"of": [IS_A, IS_B]}, [B, A], []),
    "one call for two": ({"of": [IS_A, IS_A]}, [A], MISSING),
    "two calls for two": ({"of": [IS_A, IS_A]}, [A, A], []),
    "no call expected": ({"of": []}, [], []),
    "no call expected, one made": ({"of": []}, [A], EXTRA),
    # Where the first that fits is the wrong one.
    "first fit goes wrong": ({"of": [ANY, IS_A]}, [A, B], []),
    "chain": ({"of": [A_OR_B, B_OR_C, IS_A]}, [B, A, C], []),
    "chain that is too short": ({"of": [A_OR_B, A_OR_B, IS_A]}, [A, B, C], MISSING),
    # match
    "at least": ({**LEAST, "of": [IS_A]}, [B, A, MAIL], []),
    "not even at least": ({**LEAST, "of": [IS_A, IS_B]}, [A, C, A], MISSING),
    "exactly said": ({"match": "exact", "of": [IS_A]}, [A, A], EXTRA),
    # order
    "in order": ({**IN_ORDER, "of": [IS_A, IS_B]}, [A, B], []),
    "out of order": ({**IN_ORDER, "of": [IS_A, IS_B]}, [B, A], ORDER),
    "in order, others between": ({**LEAST, **IN_ORDER, "of": [IS_A, IS_B]}, [C, A, MAIL, B], []),
    "in order, the second time": ({**LEAST, **IN_ORDER, "of": [IS_A, IS_B]}, [B, A, B], []),
    "out of order among others": ({**LEAST, **IN_ORDER, "of": [IS_A, IS_B]}, [B, MAIL, A], ORDER),
    "too many in order": ({**IN_ORDER, "of": [IS_A, IS_B]}, [A, C, B], EXTRA),
    "exact order of what several fit": ({**IN_ORDER, "of": [ANY, IS_A]}, [A, B], ORDER),
    "any order, said": ({"order": "any", "of": [IS_A, IS_B]}, [B, A], []),
    # among, ignore_failed
    "among": ({"among": ["get"], "of": [IS_A]}, [MAIL, A], []),
    "among others": ({"among": ["get", "mail"], "of": [IS_A]}, [MAIL, A], ["unexpected_call:mail"]),
    "none among": ({"among": ["mail"], "of": []}, [A, B], []),
    "one among none": ({"among": ["mail"], "of": []}, [A, MAIL], ["unexpected_call:mail"]),
    "failed and tried again": ({"ignore_failed": True, "of": [IS_A]}, [FAILED, A], []),
    "only failed": ({"ignore_failed": True, "of": [IS_A]}, [FAILED], MISSING),
    "failed counts": ({"ignore_failed": False, "of": [IS_A]}, [FAILED, A], EXTRA),
    "failed counts by default": ({"of": [IS_A]}, [FAILED], []),
    "failed true": ({"ignore_failed": True, "of": []}, [{**A, "error": True}], []),
    "failed object": ({"ignore_failed": True, "of": []}, [{**A, "error": {"code": 404}}], []),
    "no error": ({"ignore_failed": True, "of": [IS_A]}, [{**A, "error": None, "result": "error"}], []),
    "false is no error": ({"ignore_failed": True, "of": []}, [{**A, "error": False}], EXTRA),
    # arguments
    "open": ({"of": [ANY]}, [A], []),
    "closed": ({"of": [get({"eq": "A"}, closed=True)]}, [A], []),
    "closed, one more": (
        {"of": [get({"eq": "A"}, closed=True)]},
        [{"name": "get", "arguments": {"id": "A", "note": ""}}],
        MISSING,
    ),
    "closed, without any": ({"of": [{"name": "mail", "closed": True}]}, [MAIL], []),
    "closed, none allowed": ({"of": [{**ANY, "closed": True}]}, [A], MISSING),
    "closed, one that may be there": (
        {"of": [{"name": "get", "args": {"id": {"optional": True}}, "closed": True}]},
        [A],
        [],
    ),
    "optional absent": ({"of": [get({"optional": True, "in": ["A"]})]}, [{**A, "arguments": {}}], []),
    "optional off": ({"of": [get({"optional": True, "in": ["A"]})]}, [B], MISSING),
    "in, folded": ({"of": [get({"in": ["a.", "b"], "fold": ["case", "punctuation"]})]}, [A], []),
    "true is not 1": ({"of": [get({"eq": 1})]}, [{**A, "arguments": {"id": True}}], MISSING),
    "text is not 1": ({"of": [get({"eq": 1})]}, [{**A, "arguments": {"id": "1"}}], MISSING),
    "object inside": (
        {"of": [get({"fields": {"city": {"in": ["Bern", "Basel"]}}, "closed": True})]},
        [{**A, "arguments": {"id": {"city": "Bern"}}}],
        [],
    ),
    "list inside": (
        {"of": [get({"items": {"in": ["a b"], "fold": ["case", "space"]}})]},
        [{**A, "arguments": {"id": ["A B", "ab"]}}],
        [],
    ),
}


@pytest.mark.parametrize(("wanted", "calls", "expected"), TABLE.values(), ids=TABLE)
def test_calls(wanted: dict[str, Any], calls: list[Any], expected: list[str]) -> None:
    assert failures(wanted, calls) == expected


IS = 'get {"id": {"eq": "%s"}}'
TOLD: dict[str, tuple[dict[str, Any], list[Any], list[str]]] = {
    "nothing called": ({"of": [IS_A]}, [], [f"expected {IS % 'A'} (call 1 of 1), got no call"]),
    "the argument that keeps them apart": (
        {"of": [IS_A, IS_B]},
        [A, C],
        [
            f"expected {IS % 'B'} (call 2 of 2), got nothing nearer than "
            'call 2, get {"id": "C"}: id: expected "B", got "C"'
        ],
    ),
    "the nearest of several": (
        {"of": [{"name": "get", "args": {"id": {"eq": "A"}, "n": {"eq": 1}}}], "match": "at_least"},
        [A | {"arguments": {"id": "B", "n": 2}}, A | {"arguments": {"id": "B", "n": 1}}],
        [
            'expected get {"id": {"eq": "A"}, "n": {"eq": 1}} (call 1 of 1), got nothing nearer than '
            'call 2, get {"id": "B", "n": 1}: id: expected "A", got "B"'
        ],
    ),
    "several apart": (
        {"of": [{"name": "get", "args": {"id": {"eq": "A"}, "n": {"eq": 1}}, "closed": True}]},
        [A | {"arguments": {"x": 1}}],
        [
            'expected get {"id": {"eq": "A"}, "n": {"eq": 1}} (call 1 of 1), got nothing nearer than '
            'call 1, get {"x": 1}: id: expected eq "A", got nothing (and 2 more)'
        ],
    ),
    "only the name": (
        {"of": [IS_A], "match": "at_least"},
        [MAIL, {**A, "name": "fetch"}],
        [
            f"expected {IS % 'A'} (call 1 of 1), got nothing nearer than "
            'call 2, fetch {"id": "A"}: its name is "fetch"'
        ],
    ),
    "taken by another": (
        {"of": [IS_A, IS_A, IS_A]},
        [A],
        [
            f"expected {IS % 'A'} (call 2 of 3) and 1 more of it, got nothing nearer than "
            'call 1, get {"id": "A"}: it is the partner of expected call 1'
        ],
    ),
    "numbered as in the trace": (
        {"of": [IS_A], "among": ["get"]},
        [MAIL, MAIL, B],
        [
            f"expected {IS % 'A'} (call 1 of 1), got nothing nearer than "
            'call 3, get {"id": "B"}: id: expected "A", got "B"'
        ],
    ),
    "too many": (
        {"of": [IS_A]},
        [B, A],
        ['expected 1 call of "get", got 2; without a partner: call 1, get {"id": "B"}'],
    ),
    "not expected at all": (
        {"of": []},
        [MAIL],
        ['expected no call of "mail", got 1; without a partner: call 1, mail'],
    ),
    "out of order": (
        {"of": [IS_A, IS_B], "order": "subsequence"},
        [B, A],
        [f'expected {IS % "B"} after {IS % "A"}, got the order ["get", "get"]'],
    ),
}


@pytest.mark.parametrize(("wanted", "calls", "told"), TOLD.values(), ids=TOLD)
def test_the_long_form(wanted: dict[str, Any], calls: list[Any], told: list[str]) -> None:
    assert [failure.explanation for failure in found(wanted, calls)] == told


# Properties -----------------------------------------------------------------------------------------------------------

# Equal to a reader, to Python or to nobody: only JSON's equality may pair them.
IDS: list[Any] = ["A", "B", "1", 1, 1.0, True, None]
rules = st.one_of(
    st.lists(st.sampled_from(IDS), min_size=1, max_size=3).map(lambda ids: {"in": ids}),
    st.sampled_from(IDS).map(lambda one: {"eq": one}),
    st.sampled_from(IDS).map(lambda one: {"eq": one, "optional": True}),
    st.sampled_from("ab").map(lambda one: {"eq": one, "fold": ["case"]}),
)
expecteds = st.lists(
    st.sampled_from(["get", "mail"]).flatmap(lambda n: rules.map(lambda r: get(r) | {"name": n})), max_size=4
)
actuals = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["get", "mail"]),
            "arguments": st.sampled_from([*({"id": one} for one in IDS), {}]),
        }
    ),
    max_size=5,
)
matches = st.sampled_from(["exact", "at_least"])
orders = st.sampled_from(["any", "subsequence"])


def wants(of: list[Any], match: str, order: str = "any") -> dict[str, Any]:
    return {"of": of, "match": match if of else "exact", "order": order}


def one_fits(expected: dict[str, Any], call: dict[str, Any]) -> bool:
    rule, given = expected["args"]["id"], call["arguments"]
    if expected["name"] != call["name"]:
        return False
    if "id" not in given:
        return "optional" in rule
    found = given["id"].lower() if "fold" in rule and isinstance(given["id"], str) else given["id"]
    return any(
        isinstance(one, bool) == isinstance(found, bool) and one == found for one in rule.get("in", [rule.get("eq")])
    )


def some_assignment_fits(wanted: dict[str, Any], calls: list[Any]) -> bool:
    """By trying every way of giving each expected call an actual one of its own."""
    of = wanted["of"]
    if wanted["match"] == "exact" and len(of) != len(calls):
        return False
    return any(
        all(one_fits(expected, calls[place]) for expected, place in zip(of, way, strict=True))
        for way in permutations(range(len(calls)), len(of))
        if wanted["order"] == "any" or list(way) == sorted(way)
    )


@given(expecteds, actuals, matches, orders)
def test_it_passes_exactly_where_some_assignment_fits(of: list[Any], calls: list[Any], match: str, order: str) -> None:
    wanted = wants(of, match, order)
    assert (failures(wanted, calls) == []) == some_assignment_fits(wanted, calls)


@given(expecteds, actuals, matches, st.data())
def test_no_permutation_changes_what_fails(of: list[Any], calls: list[Any], match: str, data: st.DataObject) -> None:
    others = data.draw(st.permutations(of)), data.draw(st.permutations(calls))
    assert sorted(failures(wants(others[0], match), others[1])) == sorted(failures(wants(of, match), calls))


@given(expecteds, actuals, actuals.filter(bool), orders)
def test_no_call_more_mends_an_exact_match_that_has_enough(
    of: list[Any], calls: list[Any], more: list[Any], order: str
) -> None:
    wanted = wants(of, "exact", order)
    if failures(wanted, calls) == [] or len(calls) >= len(of):
        assert failures(wanted, calls + more) != []


@given(expecteds.filter(bool), actuals, actuals, orders)
def test_no_call_more_breaks_what_has_at_least_enough(
    of: list[Any], calls: list[Any], more: list[Any], order: str
) -> None:
    wanted = wants(of, "at_least", order)
    if failures(wanted, calls) == []:
        assert failures(wanted, more + calls + more) == []


def test_a_huge_trace_of_calls_that_almost_fit_is_judged() -> None:
    calls = [{"name": "get", "arguments": {"id": n}} for n in range(20_000)]
    assert failures({**LEAST, "of": [get({"ge": 19_990})] * 10}, calls) == []
    assert failures({**LEAST, "of": [get({"ge": 19_990})] * 11}, calls) == MISSING
    assert failures({"of": [{"name": "get"}] * 2}, calls) == EXTRA


def test_a_huge_trace_of_calls_that_fit_nothing_is_judged() -> None:
    calls = [{"name": "get", "arguments": {"id": f"{n}", "items": [{"n": n}]}} for n in range(100_000)]
    assert failures({"of": [get({"eq": f"A{n}"}) for n in range(6)]}, calls) == MISSING + EXTRA
    inside = {"name": "get", "args": {"items": {"items": {"fields": {"n": {"type": "string"}}}}}}
    assert failures({"of": [inside] * 6}, calls) == MISSING + EXTRA
    assert failures({**LEAST, "of": [get({"eq": f"{n}"}) for n in range(1000)]}, calls) == []
