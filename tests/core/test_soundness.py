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


def with_assertions(**assertions: object) -> dict[str, Any]:
    return {**CASE, "assertions": assertions}


def with_calls(*of: object, **more: object) -> dict[str, Any]:
    return with_assertions(calls={"of": list(of), **more})


GET, REFUND = {"name": "get_order"}, {"name": "create_refund"}
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
    "call_order outside tools": (
        with_assertions(call_order=["get_order", "getorder"]),
        "/assertions/call_order/1",
        "'getorder' is not in tools; did you mean 'get_order'?",
    ),
    "call_count outside tools": (
        with_assertions(call_count={"*": 1, "get/order": 1}),
        "/assertions/call_count/get~1order",
        "'get/order' is not in tools; did you mean 'get_order'?",
    ),
    "calls outside tools": (
        with_calls(GET, {"name": "get_orders"}),
        "/assertions/calls/of/1/name",
        "'get_orders' is not in tools; did you mean 'get_order'?",
    ),
    "among outside tools": (
        with_calls(GET, among=["get_order", "x"]),
        "/assertions/calls/among/1",
        "'x' is not in tools (tools: get_order, create_refund)",
    ),
    "calls that are not judged": (
        with_calls(GET, REFUND, among=["get_order"]),
        "/assertions/calls/of/1/name",
        '"create_refund" is not in among, so no call of it is judged',
    ),
    "calls without of": (with_assertions(calls={"match": "exact"}), "/assertions/calls", "lacks the key 'of'"),
    "at least no calls": (
        with_calls(match="at_least"),
        "/assertions/calls/of",
        "is empty, and any calls are at least none, so it checks nothing",
    ),
    "unknown match": (
        with_calls(GET, match="most"),
        "/assertions/calls/match",
        'must be one of "exact", "at_least", not "most"',
    ),
    "unknown order": (
        with_calls(GET, order="exact"),
        "/assertions/calls/order",
        'must be one of "any", "subsequence", not "exact"',
    ),
    "misspelt key of calls": (
        with_calls(GET, amongst=["get_order"]),
        "/assertions/calls/amongst",
        "unknown key of a set of calls 'amongst'; did you mean 'among'?",
    ),
    "misspelt key of an expected call": (
        with_calls({"name": "get_order", "arguments": {}}),
        "/assertions/calls/of/0/arguments",
        "unknown key of an expected call 'arguments'",
    ),
    "expected call without a name": (with_calls({"args": {}}), "/assertions/calls/of/0", "lacks the key 'name'"),
    "rule of an expected call that checks nothing": (
        with_calls(GET | {"args": {"id": {"optional": True}}}),
        "/assertions/calls/of/0/args/id",
        "has only optional, so it checks nothing",
    ),
    "rule far inside an expected call": (
        with_calls(GET | {"args": {"id": {"items": {"matches": "("}}}, "closed": True}),
        "/assertions/calls/of/0/args/id/items/matches",
        "pattern '(' is not usable: ",
    ),
    "argument that may be there, where any may be": (
        with_assertions(args={"get_order": {"id": {"optional": True}}}),
        "/assertions/args/get_order/id",
        "has only optional, so it checks nothing",
    ),
    "closed_args alone": (
        with_assertions(must_call=["get_order"], closed_args=True),
        "/assertions/closed_args",
        "names no argument that a call may have: needs args or calls beside it",
    ),
    "closed_args false": (with_assertions(closed_args=False), "/assertions/closed_args", "must be true, not false"),
    "no_calls false": (with_assertions(no_calls=False), "/assertions/no_calls", "must be true, not false"),
    "no calls counted": (with_assertions(call_count={}), "/assertions/call_count", "must not be empty"),
    "no order": (with_assertions(call_order=[]), "/assertions/call_order", "must not be empty"),
    "a count of at least 0": (
        with_assertions(call_count={"get_order": {"ge": 0}}),
        "/assertions/call_count/get_order",
        "every count is at least 0, so it checks nothing",
    ),
    "a count that cannot be": (
        with_assertions(call_count={"*": {"ge": 3, "le": 2}}),
        "/assertions/call_count/*",
        "no count is at least 3 and at most 2",
    ),
    "a count twice": (
        with_assertions(call_count={"*": {"eq": 3, "le": 4}}),
        "/assertions/call_count/*/eq",
        "stands alone: it leaves nothing for ge and le to say",
    ),
    "half a count": (
        with_assertions(call_count={"*": 1.5}),
        "/assertions/call_count/*",
        "must be an integer, not 1.5",
    ),
    "none called and one called": (
        with_assertions(no_calls=True, must_call=["get_order"]),
        "/assertions/no_calls",
        "allows no call, but must_call/0 asks for 1",
    ),
    "none called and one expected": (
        with_assertions(no_calls=True, calls={"of": [GET]}),
        "/assertions/no_calls",
        "allows no call, but calls asks for 1",
    ),
    "called in order and not at all": (
        with_assertions(must_not_call=["get_order"], call_order=["get_order"]),
        "/assertions/must_not_call/0",
        'allows no call of "get_order", but call_order asks for 1',
    ),
    "expected more often than counted": (
        with_assertions(call_count={"get_order": {"le": 1}}, calls={"match": "at_least", "of": [GET, GET]}),
        "/assertions/call_count/get_order",
        'allows 1 call of "get_order", but calls asks for 2',
    ),
    "counted more often than expected": (
        with_assertions(call_count={"get_order": 3}, calls={"of": [GET, GET]}),
        "/assertions/calls",
        'allows 2 calls of "get_order", but call_count/get_order asks for 3',
    ),
    "must be called, but not expected": (
        with_assertions(must_call=["create_refund"], calls={"of": [GET]}),
        "/assertions/calls",
        "allows 1 call, but those of single tools come to 2",
    ),
    "must be called, but not expected among": (
        with_assertions(must_call=["create_refund"], calls={"among": ["create_refund"], "of": []}),
        "/assertions/calls",
        'allows no call of "create_refund", but must_call/0 asks for 1',
    ),
    "more of each than of all": (
        with_assertions(
            call_count={"*": {"le": 2}}, must_call=["create_refund"], call_order=["get_order", "get_order"]
        ),
        "/assertions/call_count/*",
        "allows 2 calls, but those of single tools come to 3",
    ),
    "identifiers of any kind": (
        with_assertions(identifiers={"pattern": "[0-9]*"}),
        "/assertions/identifiers/pattern",
        "pattern '[0-9]*' matches the empty string, which identifies nothing",
    ),
    "identifiers between letters": (
        with_assertions(identifiers={"pattern": r"\b"}),
        "/assertions/identifiers/pattern",
        "pattern '\\\\b' matches the empty string",
    ),
    "identifiers at the end": (
        with_assertions(identifiers={"pattern": "x|$"}),
        "/assertions/identifiers/pattern",
        "pattern 'x|$' matches the empty string",
    ),
    "identifiers that backtrack": (
        with_assertions(identifiers={"pattern": r"(a)\1"}),
        "/assertions/identifiers/pattern",
        "pattern '(a)\\\\1' is not usable: ",
    ),
    "identifiers from nowhere": (
        with_assertions(identifiers={"pattern": "a", "from": []}),
        "/assertions/identifiers/from",
        "must not be empty",
    ),
    "identifiers from elsewhere": (
        with_assertions(identifiers={"pattern": "a", "from": ["arguments"]}),
        "/assertions/identifiers/from/0",
        'must be one of "input", "tool_results", not "arguments"',
    ),
    "turns of a text": (
        with_expect(forbidden={"of": ["a"], "in": "turns"}),
        "/expect/forbidden",
        "must be an array, not {",
    ),
    "elsewhere than in turns": (
        with_assertions(forbidden={"of": ["a"], "in": "results"}),
        "/assertions/forbidden/in",
        'must be "turns", not "results"',
    ),
    "nothing to look for in turns": (
        with_assertions(forbid_patterns={"of": [], "in": "turns"}),
        "/assertions/forbid_patterns/of",
        "must not be empty",
    ),
    "pattern in turns that matches everything": (
        with_assertions(require_patterns={"of": ["a", "b*"], "in": "turns"}),
        "/assertions/require_patterns/of/1",
        "pattern 'b*' matches the empty string anywhere",
    ),
    "phrase in turns that nobody sees": (
        with_assertions(forbidden={"of": ["\u200b"], "in": "turns"}),
        "/assertions/forbidden/of/0",
        "nothing visible is left of the phrase ",
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
    "exactly no calls": with_calls(),
    "none of some calls": with_calls(among=["get_order"]),
    "failed calls beside what may be called once": with_assertions(
        calls={"of": [GET], "ignore_failed": True}, call_count={"get_order": {"ge": 2}}, must_call=["get_order"]
    ),
    "more calls than are judged": with_assertions(
        calls={"of": [GET], "among": ["get_order"]}, must_call=["create_refund"], call_count={"*": {"ge": 2}}
    ),
    "an argument that may be there, where no other may": with_calls(
        GET | {"args": {"id": {"optional": True}}, "closed": True}
    ),
    "a key that may be there, where no other may": with_rule(fields={"a": {"optional": True}}, closed=True),
    "arguments that may be there": with_assertions(
        args={"get_order": {"id": {"optional": True}}}, calls={"of": [GET]}, closed_args=True
    ),
    "an identifier with an end": with_assertions(identifiers={"pattern": "\\b[0-9]{4}\\b", "max_new": 0}),
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
