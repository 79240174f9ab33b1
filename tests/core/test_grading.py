"""Grading: one case, one completion, the failures in a fixed order, and never an exception."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from json_values import values
from lastgood.core.case import read_golden
from lastgood.core.failure import Failure
from lastgood.core.grading import grade
from lastgood.core.trace import Completion, read_completion, read_trace

SCHEMAS = {
    "reply": {"type": "object", "required": ["reply"], "additionalProperties": False, "properties": {"reply": {}}}
}
LOOKUP: dict[str, Any] = {
    "id": "order_lookup_missing_id_v3",
    "version": 3,
    "prompt_id": "support_agent_v12",
    "input": {"messages": [{"role": "user", "content": "Where is my package? Order is 1842-AX."}]},
    "tools": ["get_order", "create_refund"],
    "assertions": {
        "must_call": ["get_order"],
        "must_not_call": ["create_refund"],
        "args": {"get_order": {"order_id": {"eq": "1842-AX"}}},
        "output_schema": "reply",
        "forbid_patterns": ["I assume", "tracking number I made up"],
    },
}
EVERYTHING: dict[str, Any] = {
    "id": "everything",
    "version": 1,
    "prompt_id": "p",
    "input": {},
    "tools": ["a", "b", "c"],
    "expect": {
        "json": True,
        "required_keys": ["status"],
        "status_in": ["paid", None, 1],
        "error_equals": "",
        "fields": {
            "/a": {"any_of": [{"near": {"value": 1, "within": 0.5}}, {"items": {"type": "string"}}]},
            "": {"length": 2},
        },
        "output_schema": "reply",
        "length": {"le": 10},
        "forbidden": ["I think", "“so”"],
        "forbid_patterns": ["^x", "y$"],
        "require_patterns": ["z"],
    },
    "assertions": {
        "must_call": ["a"],
        "must_not_call": ["b"],
        "args": {"a": {"n": {"contains": "x", "fold": ["case", "space"]}}, "c": {"m": {"fields": {"k": {"gt": 1}}}}},
        "forbidden": ["never"],
    },
}


def case_of(found: dict[str, Any]) -> Any:
    return read_golden("golden/p/a.json", json.dumps(found).encode()).cases[0]


def graded(found: dict[str, Any], completion: Completion) -> list[str]:
    return [str(failure) for failure in grade(case_of(found), completion, SCHEMAS)]


def trace(*calls: dict[str, Any], text: object = '{"reply": "On its way."}') -> Completion:
    return read_trace({"tool_calls": list(calls), "final_text": text})


GET = {"name": "get_order", "arguments": {"order_id": "1842-AX"}}


def test_a_trace_that_keeps_every_assertion() -> None:
    assert graded(LOOKUP, trace(GET)) == []


def test_a_skipped_lookup_fails_however_nice_the_answer() -> None:
    assert graded(LOOKUP, trace()) == ["missing_tool:get_order"]


def test_an_answer_outside_the_schema_fails() -> None:
    assert graded(LOOKUP, trace(GET, text='{"reply": "", "mood": "good"}')) == [
        'schema:has the key "mood", which the schema does not allow'
    ]


def test_tool_failures_are_told_although_the_text_does_not_parse() -> None:
    assert graded(LOOKUP, trace(text="I assume it is fine")) == [
        "missing_tool:get_order",
        "parse_fail:not JSON: Expecting value at line 1 column 1",
    ]


@pytest.mark.parametrize("raw", ["", "prose", "[]", '{"tool_calls": null, "final_text": ""}', '{"final_text": "x"}'])
def test_a_malformed_trace_fails_as_such_and_says_why(raw: str) -> None:
    [failure] = grade(case_of(LOOKUP), read_completion(raw, "trace"), SCHEMAS)
    assert str(failure) == "malformed_trace"
    assert failure.explanation.startswith("expected a readable completion: ")


def test_plain_text_is_no_trace() -> None:
    assert graded(LOOKUP, read_completion('{"reply": "On its way."}', "text")) == ["malformed_trace"]


def test_text_that_is_no_text_fails() -> None:
    assert graded({**LOOKUP, "assertions": {"must_call": ["get_order"]}}, read_completion("\udc80", "text")) == [
        "bad_utf8"
    ]


def test_expect_alone_judges_the_final_text_of_a_trace() -> None:
    found = {"id": "a", "version": 1, "prompt_id": "p", "input": {}, "expect": {"json": True, "forbidden": ["sorry"]}}
    assert graded(found, trace(GET, text='{"a": "Sorry"}')) == ["forbidden:sorry"]


def test_tools_are_kept_to_without_any_assertion_over_calls() -> None:
    found = {"id": "a", "version": 1, "prompt_id": "p", "input": {}, "tools": ["b"], "expect": {"length": {"ge": 1}}}
    assert graded(found, trace(GET)) == ["unknown_tool:get_order"]


def test_what_both_parts_ask_is_told_once() -> None:
    found = {**LOOKUP, "expect": {"output_schema": "reply"}}
    assert graded(found, trace(GET, text="{}")) == ["schema:lacks the key 'reply'"]


def test_a_failure_reads_as_its_kind_and_detail() -> None:
    assert str(Failure("missing_key:status", "expected …")) == "missing_key:status"


calls = st.lists(
    st.fixed_dictionaries({"name": st.sampled_from("abcd") | values, "arguments": values | values.map(json.dumps)}),
    max_size=4,
)
texts = (
    st.text(st.characters(exclude_categories=()))
    | values.map(json.dumps)
    | st.sampled_from(["I th\u00adink", "[" * 999])
)
raws = texts | st.fixed_dictionaries({"tool_calls": calls, "final_text": texts}).map(json.dumps)


@pytest.mark.parametrize("found", [LOOKUP, EVERYTHING, {**EVERYTHING, "assertions": {"forbidden": ["x"]}}])
@given(raw=raws, output=st.sampled_from(["text", "trace"]), schemas=st.sampled_from([SCHEMAS, {}, {"reply": 7}]))
def test_grading_never_raises_and_is_the_same_twice(found: dict[str, Any], raw: str, output: str, schemas: Any) -> None:
    case, completion = case_of(found), read_completion(raw, output)
    failures = grade(case, completion, schemas)
    assert failures == grade(case, completion, schemas)
    assert len({str(failure) for failure in failures}) == len(failures)
    assert all(str(failure).isprintable() and failure.explanation.isprintable() for failure in failures)
