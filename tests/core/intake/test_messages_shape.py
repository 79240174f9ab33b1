"""`output = "messages"`: what the list of messages of an agent's run says, and where it cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from answers import ANTHROPIC, ARGUMENTS, CALL, GONE, MESSAGES, OPENAI, RESPONSES, TEXT, changed
from lastgood.core.trace import Completion, read_completion

USER = {"role": "user", "content": "Where is it?"}
NOW = {"name": "now", "arguments": {}}


def read(*messages: Any) -> Completion:
    return read_completion(json.dumps(messages), "messages")


def says(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def calls(*ids: str, content: str | None = None) -> dict[str, Any]:
    made = [{"id": each, "type": "function", "function": {"name": "now", "arguments": "{}"}} for each in ids]
    return says(content, tool_calls=made)


def result(call_id: str, content: Any = "noon", **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


def user_result(call_id: str, content: Any, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}
    return {"role": "user", "content": [block, {"type": "text", "text": "Go on."}]}


def test_a_whole_run() -> None:
    assert read(*MESSAGES) == Completion(TEXT, ({**CALL, "result": '{"status": "shipped"}'},), turns=(TEXT,))


def test_every_turn_of_the_assistant_is_kept() -> None:
    completion = read(USER, says("Which order?"), USER, calls("a", content="One moment."), result("a"), says("Noon."))
    assert completion.turns == ("Which order?", "One moment.", "Noon.")
    assert completion.final_text == "Noon."


TEXTS: dict[str, tuple[list[Any], str]] = {
    "the last turn": ([says("Which?"), USER, says("Paid.")], "Paid."),
    "the user has the last word": ([says("Paid."), USER], "Paid."),
    "a result has the last word": ([calls("a", content="One moment."), result("a")], "One moment."),
    "the last turn is silent": ([says("Which?"), USER, calls("a"), result("a")], ""),
    "one turn in two messages": ([USER, says("One moment."), calls("a")], "One moment."),
    "one turn in two texts": ([USER, says("One moment."), says("Paid.")], "One moment.\n\nPaid."),
    "blocks": ([says([{"type": "text", "text": "Pa"}, {"type": "text", "text": "id."}])], "Paid."),
    "a whole answer kept": ([OPENAI["choices"][0]["message"]], TEXT),
    "a whole message kept": ([ANTHROPIC], TEXT),
    "items of responses": ([USER, *RESPONSES["output"]], TEXT),
}


@pytest.mark.parametrize(("messages", "text"), TEXTS.values(), ids=TEXTS)
def test_texts(messages: list[Any], text: str) -> None:
    completion = read(*messages)
    assert (completion.final_text, completion.malformed) == (text, "")


TOOL_USE = {"type": "tool_use", "id": "t1", "name": "get_order", "input": ARGUMENTS}
OLDER = says(None, function_call={"name": "now", "arguments": ""})
ITEM = {"type": "function_call", "call_id": "f1", "name": "now", "arguments": "{}"}
RESULTS: dict[str, tuple[list[Any], list[dict[str, Any]]]] = {
    "by id": ([calls("a", "b"), result("b", "two"), result("a", "one")], [NOW | {"result": x} for x in ("one", "two")]),
    "none yet": ([calls("a")], [NOW]),
    "the same id in a later turn": (
        [calls("a"), result("a", "one"), calls("a"), result("a", "two")],
        [NOW | {"result": "one"}, NOW | {"result": "two"}],
    ),
    "the same id twice in a turn": ([calls("", ""), result("", "one", name="now")], [NOW | {"result": "one"}, NOW]),
    "by the tool's name": (
        [OLDER, {"role": "function", "name": "now", "content": "one"}],
        [NOW | {"result": "one"}],
    ),
    "by both ways": (
        [calls("a", "b"), result("a", "one"), {"role": "tool", "name": "now", "content": "two"}],
        [NOW | {"result": "one"}, NOW | {"result": "two"}],
    ),
    "in text parts": (
        [calls("a"), result("a", [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}])],
        [NOW | {"result": "x\ny"}],
    ),
    "null": ([calls("a"), result("a", None)], [NOW | {"result": ""}]),
    "JSON kept as JSON": ([calls("a"), result("a", {"at": [1]})], [NOW | {"result": {"at": [1]}}]),
    "an error": ([calls("a"), result("a", "no", is_error=True)], [NOW | {"error": "no"}]),
    "an error by its status": ([calls("a"), result("a", "no", status="error")], [NOW | {"error": "no"}]),
    "words of an error": ([calls("a"), result("a", "Error: no")], [NOW | {"result": "Error: no"}]),
    "in the user's message": ([says([TOOL_USE]), user_result("t1", "shipped")], [CALL | {"result": "shipped"}]),
    "an error in the user's": ([says([TOOL_USE]), user_result("t1", "no", is_error=True)], [CALL | {"error": "no"}]),
    "as an item": (
        [USER, ITEM, {"type": "function_call_output", "call_id": "f1", "output": "one"}],
        [NOW | {"result": "one"}],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), RESULTS.values(), ids=RESULTS)
def test_results(messages: list[Any], expected: list[dict[str, Any]]) -> None:
    assert read(*messages).tool_calls == tuple(expected)


def test_only_the_last_message_has_to_be_whole() -> None:
    paused = {**ANTHROPIC, "stop_reason": "pause_turn"}
    assert read(paused, says("Paid.")).malformed == ""
    assert read(says("Paid."), USER, paused).detail.startswith('/2/stop_reason is "pause_turn": this answer was paused')


MALFORMED: dict[str, tuple[str, Any, str]] = {
    "an object": ("", {"messages": MESSAGES}, 'must be an array, not {"messages": '),
    "null": ("", None, "must be an array, not null"),
    "empty": ("", [], "holds nothing that the assistant said or called"),
    "the user alone": ("", [USER], "holds nothing that the assistant said or called"),
    "message null": ("/1", None, "/1 must be an object, not null"),
    "message text": ("/1", "Hello", '/1 must be an object, not "Hello"'),
    "no role": ("/1/role", GONE, "/1 lacks the key 'type'"),
    "role null": ("/1/role", None, "/1/role must be a string, not null"),
    "another role": ("/1/role", "ai", '/1/role "ai" is none that can be read'),
    "another item": ("/5", {"type": "item_reference"}, '/5/type "item_reference" is none that can be read'),
    "says nothing": ("/4", {"role": "assistant"}, "/4 holds neither content nor calls"),
    "content object": ("/4/content", {}, "/4/content must be an array, not {}"),
    "picture": ("/4/content", [{"type": "image"}], '/4/content/0/type "image" is none that can be read'),
    "cut": ("/4/finish_reason", "length", '/4/finish_reason is "length": this answer was cut at its length limit'),
    "arguments cut off": (
        "/2/tool_calls/0/function/arguments",
        '{"order_id": "18',
        "/2/tool_calls/0/function/arguments holds no JSON object: not JSON: ",
    ),
    "result of nothing": (
        "/3/tool_call_id",
        "call_0",
        "/3/tool_call_id is the result of a call that was never made",
    ),
    "result before its call": ("/1", result("call_9Xk2aQ"), "/1/tool_call_id is the result of a call that was never"),
    "second result": (
        "/4",
        result("call_9Xk2aQ"),
        "/4/tool_call_id is the result of a call that has its result already",
    ),
    "result of nobody": ("/3/tool_call_id", GONE, "/3 lacks the key 'tool_call_id'"),
    "result id number": ("/3/tool_call_id", 7, "/3/tool_call_id must be a string, not 7"),
    "result by a name unknown": ("/3", {"role": "tool", "name": "x", "content": ""}, "/3/name is the result of a call"),
    "result without content": ("/3/content", GONE, "/3 lacks the key 'content'"),
    "user's result of nothing": ("/3", user_result("t0", "x"), "/3/content/0/tool_use_id is the result of a call that"),
}


@pytest.mark.parametrize(("pointer", "new", "detail"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(pointer: str, new: Any, detail: str) -> None:
    completion = read_completion(json.dumps(changed(MESSAGES, pointer, new)), "messages")
    assert (completion.malformed, completion.tool_calls) == ("malformed_trace", None)
    assert completion.detail.startswith(detail)
