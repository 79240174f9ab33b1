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
OF_CALLS: dict[str, Any] = {
    "id": "of_calls",
    "version": 1,
    "prompt_id": "p",
    "input": {"order": "1842-AX"},
    "assertions": {
        "args": {"a": {"n": {"optional": True, "in": ["x", 1], "fold": ["case", "punctuation"]}}},
        "closed_args": True,
        "calls": {
            "match": "at_least",
            "order": "subsequence",
            "among": ["a", "b"],
            "ignore_failed": True,
            "of": [
                {"name": "a", "args": {"n": {"items": {"type": "integer"}}}, "closed": True},
                {"name": "b", "args": {"m": {"fields": {"k": {"not": {"eq": None}}}, "closed": True}}},
                {"name": "a"},
            ],
        },
        "call_count": {"*": {"ge": 2}, "c": {"le": 1}},
        "call_order": ["a", "b"],
        "identifiers": {"pattern": "[0-9]{2,}|[a-z]+_[a-z]+", "max_new": 1, "fold": ["case"]},
        "forbidden": {"of": ["sorry"], "in": "turns"},
        "forbid_patterns": {"of": ["^no$"], "in": "turns"},
        "require_patterns": {"of": ["ok"], "in": "turns"},
    },
}
NO_CALLS: dict[str, Any] = {**OF_CALLS, "assertions": {"no_calls": True, "calls": {"of": []}}}


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
    st.fixed_dictionaries(
        {"name": st.sampled_from("abcd") | values, "arguments": values | values.map(json.dumps)},
        optional={"result": values, "error": values},
    )
    | st.fixed_dictionaries(
        {"name": st.sampled_from("abcd"), "arguments": st.dictionaries(st.sampled_from("nmk"), values, max_size=2)},
        optional={"result": values, "error": st.booleans() | st.text()},
    ),
    max_size=5,
)
turns = st.lists(st.text() | st.fixed_dictionaries({"role": st.just("assistant"), "content": st.text()})) | values
texts = (
    st.text(st.characters(exclude_categories=()))
    | values.map(json.dumps)
    | st.sampled_from(["I th\u00adink", "[" * 999])
)
traces = st.fixed_dictionaries({"tool_calls": calls, "final_text": texts}, optional={"turns": turns})
raws = texts | traces.map(json.dumps)
ONLY_TEXT = {**EVERYTHING, "assertions": {"forbidden": ["x"]}}


@pytest.mark.parametrize("found", [LOOKUP, EVERYTHING, ONLY_TEXT, OF_CALLS, NO_CALLS], ids=lambda found: found["id"])
@given(raw=raws, output=st.sampled_from(["text", "trace"]), schemas=st.sampled_from([SCHEMAS, {}, {"reply": 7}]))
def test_grading_never_raises_and_is_the_same_twice(found: dict[str, Any], raw: str, output: str, schemas: Any) -> None:
    case, completion = case_of(found), read_completion(raw, output)
    failures = grade(case, completion, schemas)
    assert failures == grade(case, completion, schemas)
    assert len({str(failure) for failure in failures}) == len(failures)
    assert all(str(failure).isprintable() and failure.explanation.isprintable() for failure in failures)


HUGE = "9" * 4000


def calling(call: str, text: str = "") -> str:
    """A trace with one call, written by hand, as no encoder would write it."""
    return f'{{"tool_calls": [{{{call}}}], "final_text": "{text}"}}'


HOSTILE: dict[str, str] = {
    "deep": '{"tool_calls": [], "final_text": "", "turns": ' + "[" * 5000 + "]" * 5000 + "}",
    "as deep as can be": json.dumps(
        {"tool_calls": [{"name": "a", "arguments": {"n": 1}, "result": None}], "final_text": ""}
    ).replace("null", "[" * 90 + "]" * 90),
    "huge numbers": calling(f'"name": "a", "arguments": {{"n": {HUGE}}}, "result": -{HUGE}', text=HUGE),
    "number beyond all": calling('"name": "a", "arguments": {"n": 1e999}', text=HUGE),
    "integer beyond all": calling(f'"name": "a", "arguments": {{"n": {HUGE * 2}}}'),
    "duplicate keys": calling('"name": "a", "name": "b", "arguments": {}'),
    "duplicate keys in arguments": calling(r'"name": "a", "arguments": "{\"n\": 1, \"n\": 2}"'),
    "NaN": calling('"name": "a", "arguments": {"n": NaN}'),
    "lone surrogate": calling(r""""name": "a", "arguments": {"\udc80": "\ud800"}"""),
    "names of every kind": json.dumps(
        {
            "tool_calls": [{"name": name, "arguments": {name: name}} for name in ("\x1b[31m", "\u202e", "a\nb", "*")],
            "final_text": "\x00",
        }
    ),
    "long strings": json.dumps(
        {
            "tool_calls": [{"name": "a", "arguments": {"n": "x-" * 5_000_000}, "result": "ok_so 12 " * 100_000}],
            "final_text": "sorry " * 100_000,
            "turns": ["no" * 500_000],
        }
    ),
    "many calls": json.dumps(
        {"tool_calls": [{"name": "a", "arguments": {"n": [n]}} for n in range(20_000)], "final_text": ""}
    ),
    "many tools": json.dumps(
        {"tool_calls": [{"name": f"t{n}", "arguments": {"n": n}} for n in range(5_000)], "final_text": ""}
    ),
}


@pytest.mark.parametrize("found", [LOOKUP, EVERYTHING, OF_CALLS, NO_CALLS], ids=lambda found: found["id"])
@pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)
def test_whatever_a_trace_holds_it_fails_and_says_why_in_a_line(found: dict[str, Any], raw: str) -> None:
    failures = grade(case_of(found), read_completion(raw, "trace"), SCHEMAS)
    assert failures
    assert all(str(failure).isprintable() and failure.explanation.isprintable() for failure in failures)
    assert all(len(failure.explanation) < 2000 for failure in failures)


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|aa)+b", "(?:a?){30}a{30}b", "(.*)*x"])
def test_a_pattern_that_would_hang_others_answers_at_once(pattern: str) -> None:
    """With an engine that goes back, each of these takes longer than anybody waits."""
    text = "a" * 1_000_000
    wanted = {"forbid_patterns": [pattern], "require_patterns": [pattern], "identifiers": {"pattern": pattern}}
    call = {"name": "a", "arguments": {"n": text}, "result": text}
    found = {**OF_CALLS, "assertions": {**wanted, "args": {"a": {"n": {"matches": pattern}}}}}
    assert graded(found, trace(call, text=text)) == ["arg_mismatch:a.n", f"require_pattern:{pattern}"]
