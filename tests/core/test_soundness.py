"""What is unknown or unsound in a golden file is refused with file, place and reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_values import CASE, PATH, SUITE, read
from json_values import values
from lastgood.core.case import read_golden
from lastgood.errors import Malformed


def refusal(found: object) -> tuple[str, str]:
    with pytest.raises(Malformed) as caught:
        read(found)
    assert caught.value.path == PATH
    return caught.value.pointer, caught.value.what


def with_expect(**expect: object) -> dict[str, Any]:
    return {"id": "a", "version": 1, "prompt_id": "p", "input": {}, "expect": expect}


def with_rule(**rule: object) -> dict[str, Any]:
    return with_expect(fields={"/a": rule})


RULE_NAMES = "known here: json, required_keys, status_in, error_equals, fields, output_schema, length, forbidden, "
REFUSED: dict[str, tuple[object, str, str]] = {
    "no object": ([CASE], "", "must be an object, not "),
    "nothing in it": ({}, "", "lacks the key 'id'"),
    "unknown key": ({**CASE, "tool": []}, "/tool", "unknown key of a golden case 'tool'; did you mean 'tools'?"),
    "misspelt required key": (
        {"prompt_id": "p", "version": 1, "ID": "a", "input": {}},
        "/ID",
        "unknown key of a golden case 'ID'",
    ),
    "prompt of a case in a suite": (
        {**SUITE, "cases": [CASE]},
        "/cases/0/prompt_id",
        "unknown key of a golden case 'prompt_id'",
    ),
    "unknown key of a suite": ({**SUITE, "case": 1}, "/case", "unknown key of a suite 'case'; did you mean 'cases'?"),
    "misspelt assertion": (
        {**CASE, "assertions": {"must_cal": ["get_order"]}},
        "/assertions/must_cal",
        "unknown assertion 'must_cal'; did you mean 'must_call'?",
    ),
    "swapped letters": (with_expect(jsno=True), "/expect/jsno", "unknown assertion 'jsno'; did you mean 'json'?"),
    "assertion of the trace in expect": (
        with_expect(must_call=["a"]),
        "/expect/must_call",
        f"unknown assertion 'must_call' ({RULE_NAMES}",
    ),
    "unknown rule": (with_rule(equals=1), "/expect/fields/~1a/equals", "unknown rule 'equals' (known here: eq, in, "),
    "unknown rule far inside": (
        with_rule(any_of=[{"items": [{"eq": 1}, {"fields": {"b": {"typ": "null"}}}]}]),
        "/expect/fields/~1a/any_of/0/items/1/fields/b/typ",
        "unknown rule 'typ'; did you mean 'type'?",
    ),
    "unknown type": (with_rule(type="int"), "/expect/fields/~1a/type", 'must be one of "string", "integer", '),
    "rule that is no object": (with_expect(fields={"/a": 1}), "/expect/fields/~1a", "must be an object, not 1"),
    "pointer without slash": (
        with_expect(fields={"a": {"eq": 1}}),
        "/expect/fields",
        'has an unusable key: must be a JSON Pointer, such as /total, not "a"',
    ),
    "same case twice": (
        {**SUITE, "cases": [*SUITE["cases"], SUITE["cases"][0]]},
        "/cases/2/id",
        "case 'paid' version 1 is already at /cases/0",
    ),
    "ids of one file name": (
        {**SUITE, "cases": [*SUITE["cases"], {**SUITE["cases"][0], "id": "Paid"}]},
        "/cases/2/id",
        "'Paid' and 'paid' are one file name on some systems",
    ),
    "version 0": ({**CASE, "version": 0}, "/version", "must be at least 1, not 0"),
    "version 1.0": ({**CASE, "version": 1.0}, "/version", "must be a whole number written without a fraction, not 1.0"),
    "version true": ({**CASE, "version": True}, "/version", "must be an integer, not true"),
    "empty suite": ({**SUITE, "cases": []}, "/cases", "must not be empty"),
    "no list of cases": ({**SUITE, "cases": {}}, "/cases", "must be an array, not {}"),
    "neither expect nor assertions": (
        {"id": "a", "version": 1, "prompt_id": "p", "input": {}},
        "",
        "has neither expect nor assertions, so it checks nothing",
    ),
    "empty expect": (with_expect(), "/expect", "checks nothing"),
    "empty expect beside assertions": ({**CASE, "expect": {}}, "/expect", "checks nothing"),
    "json false alone": (with_expect(json=False), "/expect", "checks nothing"),
    "only empty lists": (with_expect(forbidden=[], required_keys=[]), "/expect", "checks nothing"),
    "no arguments": ({**CASE, "assertions": {"args": {}}}, "/assertions", "checks nothing"),
    "empty rule": (with_rule(), "/expect/fields/~1a", "must not be empty"),
    "json false against itself": (
        with_expect(json=False, status_in=["a"]),
        "/expect/json",
        "is false, but status_in asks for JSON",
    ),
    "pattern that does not compile": (
        with_expect(forbid_patterns=["ok", "(a"]),
        "/expect/forbid_patterns/1",
        "pattern '(a' is not usable: missing ): (a ",
    ),
    "pattern that backtracks": (
        with_expect(require_patterns=["(?=a)b"]),
        "/expect/require_patterns/0",
        "pattern '(?=a)b' is not usable: ",
    ),
    "pattern that matches everything": (
        with_expect(forbid_patterns=["x*"]),
        "/expect/forbid_patterns/0",
        "pattern 'x*' matches the empty string anywhere, so it matches every text",
    ),
    "phrase that nobody sees": (
        with_expect(forbidden=["\u200b\u00ad "]),
        "/expect/forbidden/0",
        "nothing visible is left of the phrase ",
    ),
    "must_call outside tools": (
        {**CASE, "assertions": {"must_call": ["get_oder"]}},
        "/assertions/must_call/0",
        "'get_oder' is not in tools; did you mean 'get_order'?",
    ),
    "must_not_call outside tools": (
        {**CASE, "assertions": {"must_not_call": ["issue"]}},
        "/assertions/must_not_call/0",
        "'issue' is not in tools (tools: get_order, create_refund)",
    ),
    "args outside tools": (
        {**CASE, "assertions": {"args": {"get/order": {"a": {"eq": 1}}}}},
        "/assertions/args/get~1order",
        "'get/order' is not in tools; did you mean 'get_order'?",
    ),
    "called and not called": (
        {**CASE, "assertions": {"must_call": ["get_order"], "must_not_call": ["create_refund", "get_order"]}},
        "/assertions/must_not_call/1",
        "must_call names 'get_order' too",
    ),
    "tool named twice": ({**CASE, "tools": ["a", "a"]}, "/tools", 'names something twice: ["a", "a"]'),
    "unknown mode": (
        {**CASE, "normalize": "lower"},
        "/normalize",
        'must be one of "whitespace", "exact", "json", not ',
    ),
    "unknown mode of a suite": ({**SUITE, "normalize": {"mode": "x"}}, "/normalize/mode", "must be one of "),
    "bad replace pattern": (
        {**CASE, "normalize": {"replace": [{"pattern": "[", "with": ""}]}},
        "/normalize/replace/0/pattern",
        "pattern '[' is not usable: ",
    ),
    "bad replace pattern of a suite": (
        {**SUITE, "normalize": {"replace": [{"pattern": ".*", "with": ""}]}},
        "/normalize/replace/0/pattern",
        "pattern '.*' matches the empty string anywhere",
    ),
    "placeholder with a group": (
        {**CASE, "normalize": {"replace": [{"pattern": "a", "with": r"\1"}]}},
        "/normalize/replace/0/with",
        "must be a text without backslash, not ",
    ),
    "schema outside its folder": (
        with_expect(output_schema="../x"),
        "/expect/output_schema",
        "must be a schema's file name without .json, not ",
    ),
    "two schemas": (
        {**with_expect(output_schema="a"), "assertions": {"output_schema": "b"}},
        "/assertions/output_schema",
        "names another schema than expect does",
    ),
    "absent and more": (with_rule(absent=True, eq=1), "/expect/fields/~1a/absent", "stands alone: "),
    "optional alone": (with_rule(optional=True), "/expect/fields/~1a", "has only optional, so it checks nothing"),
    "optional false": (with_rule(optional=False, eq=1), "/expect/fields/~1a/optional", "must be true, not false"),
    "closed alone": (with_rule(closed=True, eq={}), "/expect/fields/~1a/closed", "needs fields beside it"),
    "fold of nothing": (with_rule(fold=["case"], gt=1), "/expect/fields/~1a/fold", "needs eq, in, not_in or contains"),
    "contains nothing": (
        with_rule(contains=""),
        "/expect/fields/~1a/contains",
        "every string contains the empty string",
    ),
    "contains nothing, folded": (
        with_rule(contains="-", fold=["punctuation"]),
        "/expect/fields/~1a/contains",
        "folded, nothing is left of it",
    ),
    "matches does not compile": (with_rule(matches="("), "/expect/fields/~1a/matches", "pattern '(' is not usable: "),
    "rule that checks nothing far inside": (
        with_rule(items={"not": {"optional": True}}),
        "/expect/fields/~1a/items/not",
        "has only optional, so it checks nothing",
    ),
    "rule by position that checks nothing": (
        with_rule(items=[{"eq": 1}, {"optional": True}]),
        "/expect/fields/~1a/items/1",
        "has only optional, so it checks nothing",
    ),
    "length of at least 0": (with_expect(length={"ge": 0}), "/expect/length", "every length is at least 0"),
    "length that cannot be": (
        with_expect(length={"ge": 3, "le": 2}),
        "/expect/length",
        "no length is at least 3 and at most 2",
    ),
}


@pytest.mark.parametrize(("found", "pointer", "what"), REFUSED.values(), ids=REFUSED)
def test_refused(found: object, pointer: str, what: str) -> None:
    where, why = refusal(found)
    assert (where, why[: len(what)]) == (pointer, what)


def test_bytes_that_are_no_json_are_refused_with_their_file() -> None:
    with pytest.raises(Malformed) as caught:
        read_golden("golden/p/a.json", b'{"id": 1, "id": 2}')
    assert (caught.value.path, caught.value.pointer, caught.value.what) == ("golden/p/a.json", "/id", "duplicate key")


ACCEPTED = {
    "an empty list of states, which allows none": with_expect(status_in=[]),
    "an empty error": with_expect(error_equals=""),
    "an empty list beside a check": with_expect(json=True, forbidden=[]),
    "no tool allowed": {**with_expect(json=True), "tools": []},
    "a pattern for an empty text": with_expect(forbid_patterns=["^$"]),
    "must_not_call without tools": {**with_expect(json=True), "assertions": {"must_not_call": ["x"]}},
}


@pytest.mark.parametrize("found", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(found: object) -> None:
    assert read(found).cases


@given(
    found=values
    | st.fixed_dictionaries(dict.fromkeys(CASE, values))
    | st.fixed_dictionaries(dict.fromkeys(SUITE, values))
)
def test_any_value_is_read_or_refused(found: object) -> None:
    what = ""
    try:
        read(found)
    except Malformed as exc:
        what = exc.what
    assert what.isprintable()
    assert len(what) < 2000
