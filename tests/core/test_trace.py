"""Whatever a completer wrote, reading it gives a completion that says what it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_values import case_of
from json_values import values
from lastgood.core import schema
from lastgood.core.baseline import dump_baseline
from lastgood.core.digest import Normalization, text_digest
from lastgood.core.moves import moves
from lastgood.core.trace import Completion, completion_digest, read_completion, read_trace
from lastgood.errors import Malformed

CALL = {"name": "get_order", "arguments": {"order_id": "1842-AX"}}
TRACE: dict[str, Any] = {"tool_calls": [CALL], "final_text": "On its way."}


def without(found: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: held for key, held in found.items() if key != name}


def test_plain_text_is_kept_as_it_is() -> None:
    assert read_completion(" paid\n", "text") == Completion(" paid\n", None)


def test_a_trace() -> None:
    assert read_completion(json.dumps(TRACE) + "\n", "trace") == Completion("On its way.", (CALL,))


def test_arguments_may_come_as_a_string() -> None:
    call = {"name": "get_order", "arguments": ' {"order_id":"1842-AX"}\n'}
    assert read_trace({**TRACE, "tool_calls": [call]}) == read_trace(TRACE)


def test_other_keys_are_left_aside() -> None:
    call = {**CALL, "id": "call_1", "result": None}
    assert read_trace({**TRACE, "tool_calls": [call], "usage": {"tokens": 7}}) == read_trace(TRACE)


KEPT: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a result": ({"result": {"status": "paid"}}, {"result": {"status": "paid"}}),
    "an empty result": ({"result": ""}, {"result": ""}),
    "no result": ({"result": None}, {}),
    "an error": ({"error": "timeout"}, {"error": "timeout"}),
    "an error without words": ({"error": True}, {"error": True}),
    "an error as an object": ({"error": {"code": 404}, "result": None}, {"error": {"code": 404}}),
    "an error beside a result": ({"error": "late", "result": 1}, {"error": "late", "result": 1}),
    "no error": ({"error": None}, {}),
    "false": ({"error": False}, {}),
    "an empty error": ({"error": ""}, {}),
}


@pytest.mark.parametrize(("given", "kept"), KEPT.values(), ids=KEPT)
def test_what_came_of_a_call_is_kept_for_grading(given: dict[str, Any], kept: dict[str, Any]) -> None:
    for arguments in (CALL["arguments"], json.dumps(CALL["arguments"])):
        found = {**TRACE, "tool_calls": [{**CALL, "arguments": arguments, **given}]}
        assert read_trace(found) == Completion("On its way.", ({**CALL, **kept},))


def test_turns_are_what_the_assistant_said() -> None:
    turns = [
        "Let me see.",
        {"role": "user", "content": "Hurry!"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "paid"},
        {"role": "assistant", "content": "It is paid."},
    ]
    assert read_trace({**TRACE, "turns": turns}).turns == ("Let me see.", "It is paid.")


def test_no_turns_are_other_than_turns_not_told() -> None:
    assert (read_trace({**TRACE, "turns": []}).turns, read_trace(TRACE).turns) == ((), None)


TOLD = {
    **TRACE,
    "tool_calls": [{**CALL, "result": {"id": 1}, "error": "late"}],
    "turns": ["Let me see.", "On its way."],
}


def test_what_is_accepted_is_the_same_with_results_and_turns_and_without() -> None:
    told, plain = read_trace(TOLD), read_trace(TRACE)
    assert told != plain
    assert completion_digest(told, Normalization(), "") == completion_digest(plain, Normalization(), "")
    case = case_of(expect={"json": True})
    assert dump_baseline(case, told, "c" * 64) == dump_baseline(case, plain, "c" * 64)
    assert moves(told, plain) == ()


def test_a_trace_without_calls_is_a_trace() -> None:
    assert read_trace({"tool_calls": [], "final_text": ""}) == Completion("", ())


def with_call(call: object) -> dict[str, Any]:
    return {**TRACE, "tool_calls": [CALL, call]}


MALFORMED: dict[str, tuple[object, str]] = {
    "array": ([TRACE], "must be an object, not "),
    "null": (None, "must be an object, not null"),
    "no tool_calls": (without(TRACE, "tool_calls"), "lacks the key 'tool_calls'"),
    "no final_text": (without(TRACE, "final_text"), "lacks the key 'final_text'"),
    "tool_calls null": ({**TRACE, "tool_calls": None}, "/tool_calls must be an array, not null"),
    "tool_calls text": ({**TRACE, "tool_calls": "x"}, '/tool_calls must be an array, not "x"'),
    "tool_calls object": ({**TRACE, "tool_calls": {}}, "/tool_calls must be an array, not {}"),
    "final_text null": ({**TRACE, "final_text": None}, "/final_text must be a string, not null"),
    "final_text list": ({**TRACE, "final_text": []}, "/final_text must be a string, not []"),
    "call null": (with_call(None), "/tool_calls/1 must be an object, not null"),
    "call text": (with_call("get_order"), "/tool_calls/1 must be an object, not "),
    "no name": (with_call(without(CALL, "name")), "/tool_calls/1 lacks the key 'name'"),
    "empty name": (with_call({**CALL, "name": ""}), "/tool_calls/1/name must be a non-empty string, not "),
    "name null": (with_call({**CALL, "name": None}), "/tool_calls/1/name must be a non-empty string, not null"),
    "no arguments": (with_call(without(CALL, "arguments")), "/tool_calls/1 lacks the key 'arguments'"),
    "arguments null": (with_call({**CALL, "arguments": None}), "/tool_calls/1/arguments must be an object, not null"),
    "arguments list": (with_call({**CALL, "arguments": []}), "/tool_calls/1/arguments must be an object, not []"),
    "arguments cut off": (
        with_call({**CALL, "arguments": '{"a": '}),
        "/tool_calls/1/arguments holds no JSON object: not JSON: Expecting value at line 1 column 7",
    ),
    "arguments twice": (
        with_call({**CALL, "arguments": '{"a": 1, "a": 2}'}),
        "/tool_calls/1/arguments holds no JSON object: duplicate key at /a",
    ),
    "error as a number": (
        with_call({**CALL, "error": 404}),
        "/tool_calls/1/error must be a string, a boolean, an object or an array, not 404",
    ),
    "error 0": (with_call({**CALL, "error": 0}), "/tool_calls/1/error must be a string, "),
    "turns null": ({**TRACE, "turns": None}, "/turns must be an array, not null"),
    "turns text": ({**TRACE, "turns": "Hello."}, "/turns must be an array, not "),
    "turn null": ({**TRACE, "turns": ["", None]}, "/turns/1 must be a string or an object, not null"),
    "turn without a role": ({**TRACE, "turns": [{"content": ""}]}, "/turns/0 lacks the key 'role'"),
    "turn without content": ({**TRACE, "turns": [{"role": "user"}]}, "/turns/0 lacks the key 'content'"),
    "turn of nobody known": (
        {**TRACE, "turns": [{"role": "Assistant", "content": ""}]},
        '/turns/0/role must be one of assistant, developer, system, tool, user, not "Assistant"',
    ),
    "turn of two": ({**TRACE, "turns": [{"role": ["user"], "content": ""}]}, "/turns/0/role must be one of "),
    "turn in parts": (
        {**TRACE, "turns": [{"role": "user", "content": ["Hello"]}]},
        '/turns/0/content must be a string or null, not ["Hello"]',
    ),
    "arguments of another kind": (with_call({**CALL, "arguments": "[]"}), "/tool_calls/1/arguments must be an object"),
}


def test_no_text_for_arguments_is_no_arguments_as_vendors_mean_it() -> None:
    found = {**TRACE, "tool_calls": [{**CALL, "arguments": ""}]}
    none = {**TRACE, "tool_calls": [{**CALL, "arguments": {}}]}
    assert read_trace(found) == read_trace(none)
    assert read_trace({**TRACE, "tool_calls": [{**CALL, "arguments": " "}]}).malformed == "malformed_trace"


@pytest.mark.parametrize(("found", "detail"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(found: object, detail: str) -> None:
    completion = read_completion(json.dumps(found), "trace")
    assert (completion.malformed, completion.tool_calls) == ("malformed_trace", None)
    assert completion.detail.startswith(detail)


UNREADABLE = {
    "nothing": ("", "not JSON: "),
    "prose": ("Sure! Here it is.", "not JSON: "),
    "duplicate key": ('{"tool_calls": [], "tool_calls": [], "final_text": ""}', "/tool_calls duplicate key"),
    "NaN": ('{"tool_calls": [], "final_text": NaN}', "/final_text NaN is not JSON"),
    "lone surrogate": (r'{"tool_calls": [], "final_text": "\ud83d"}', "/final_text lone surrogate"),
    "deep": ('{"tool_calls": ' + "[" * 9000, ""),
}


@pytest.mark.parametrize(("raw", "detail"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(raw: str, detail: str) -> None:
    completion = read_completion(raw, "trace")
    assert completion.malformed == "malformed_trace"
    assert completion.detail.startswith(detail)


@pytest.mark.parametrize("output", ["text", "trace"])
def test_a_lone_surrogate_is_no_text(output: str) -> None:
    assert read_completion("paid\ud800", output).malformed == "bad_utf8"


def test_an_output_that_nobody_declared_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="no such output: 'xml'"):
        read_completion("", "xml")


def test_a_malformed_completion_has_the_digest_of_its_raw_text() -> None:
    raw = " nothing  much\n"
    assert completion_digest(read_completion(raw, "trace"), Normalization(), raw) == text_digest("nothing much")


def test_reordered_arguments_move_the_digest_and_spaces_around_them_do_not() -> None:
    def digest(arguments: str) -> str:
        trace = {"tool_calls": [{"name": "get", "arguments": arguments}], "final_text": "x"}
        return completion_digest(read_trace(trace), Normalization(), "")

    assert digest('{"a": 1, "b": 2}') == digest('{"a":1,"b":2}')
    assert digest('{"a": 1, "b": 2}') != digest('{"b": 2, "a": 1}')


any_text = st.text(st.characters(exclude_categories=()), max_size=40)
any_trace = st.fixed_dictionaries(
    {
        "tool_calls": values
        | st.lists(
            st.fixed_dictionaries({"name": values, "arguments": values}, optional={"result": values, "error": values})
        ),
        "final_text": values,
    },
    optional={"turns": values | st.lists(values | st.fixed_dictionaries({"role": values, "content": values}))},
)


@given(
    raw=any_text | values.map(json.dumps) | any_trace.map(json.dumps),
    how=st.sampled_from(("whitespace", "exact", "json")).map(Normalization),
)
def test_reading_and_digesting_never_raise(raw: str, how: Normalization) -> None:
    for output in ("text", "trace"):
        completion = read_completion(raw, output)
        assert len(completion_digest(completion, how, raw)) == 64
        assert bool(completion.malformed) == bool(completion.detail)
        assert completion.detail.isprintable()


roles = st.sampled_from(["assistant", "user", "tool", "System"])
nearly_a_trace = st.fixed_dictionaries(
    {
        "tool_calls": st.lists(
            st.fixed_dictionaries(
                {"name": st.text(), "arguments": st.just({})}, optional={"result": values, "error": values}
            )
        ),
        "final_text": st.text(),
    },
    optional={"turns": st.lists(st.text() | st.fixed_dictionaries({"role": roles, "content": st.none() | values}))},
)


@given(any_trace | nearly_a_trace)
def test_the_schema_of_traces_allows_what_is_read_and_nothing_else(found: dict[str, Any]) -> None:
    try:
        schema.check("trace", found)
    except Malformed:
        assert read_trace(found).malformed
    else:
        # But for arguments in a string, which no schema looks into.
        assert not read_trace(found).malformed or any(
            isinstance(call["arguments"], str) for call in found["tool_calls"]
        )
