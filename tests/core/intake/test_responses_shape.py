"""`output = "responses"`: what the Responses API's items say, and where they cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from answers import AS_TEXT, CALL, GONE, RESPONSES, TEXT, changed
from lastgood.core.trace import Completion, read_completion

REASONING, MESSAGE, FUNCTION_CALL = RESPONSES["output"]


def read(pointer: str, new: Any) -> Completion:
    return read_completion(json.dumps(changed(RESPONSES, pointer, new)), "responses")


def items(*found: Any) -> Completion:
    return read("/output", list(found))


def message(*texts: str) -> dict[str, Any]:
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {**MESSAGE, "content": parts}


def output(value: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": "call_9Xk2aQ", "output": value, **more}


def test_a_whole_object() -> None:
    completion = read_completion(json.dumps(RESPONSES), "responses")
    assert (completion.final_text, completion.tool_calls, completion.malformed) == (TEXT, (CALL,), "")


TEXTS: dict[str, tuple[list[Any], str]] = {
    "pieces": ([message("Pa", "id.")], "Paid."),
    "a refusal": ([{**MESSAGE, "content": [{"type": "refusal", "refusal": "I can't."}]}], "I can't."),
    "a string": ([{**MESSAGE, "content": "Paid."}], "Paid."),
    "no text": ([message()], ""),
    "two messages": ([message("Let me look."), message("Paid.")], "Let me look.\n\nPaid."),
    "thoughts between": ([message("Let me look."), REASONING, message("Paid.")], "Let me look.\n\nPaid."),
    "a call only": ([FUNCTION_CALL], ""),
    "after a result": ([message("Let me look."), FUNCTION_CALL, output("shipped"), message("It left.")], "It left."),
}


@pytest.mark.parametrize(("found", "text"), TEXTS.values(), ids=TEXTS)
def test_texts(found: list[Any], text: str) -> None:
    completion = items(*found)
    assert (completion.final_text, completion.malformed) == (text, "")


MCP: dict[str, Any] = {"id": "mcp_1", "type": "mcp_call", "server_label": "shop", "name": "find", "arguments": "{}"}
SEARCH = {"type": "search", "query": "parcel"}
CALLS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "no arguments": (
        [{"type": "function_call", "name": "now", "arguments": "", "call_id": "c"}],
        {"name": "now", "arguments": {}},
    ),
    "a result": ([FUNCTION_CALL, output('{"a": 1}')], {**CALL, "result": '{"a": 1}'}),
    "a result in parts": (
        [FUNCTION_CALL, output([{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}])],
        {**CALL, "result": "a\nb"},
    ),
    "free text": (
        [{"type": "custom_tool_call", "name": "sql", "input": "select 1", "call_id": "c"}],
        {"name": "sql", "arguments": {"input": "select 1"}},
    ),
    "of a server": ([{**MCP, "output": "found", "error": None}], {"name": "find", "arguments": {}, "result": "found"}),
    "of a server, failed": ([{**MCP, "error": "gone"}], {"name": "find", "arguments": {}, "error": "gone"}),
    "hosted": (
        [{"id": "ws_1", "type": "web_search_call", "status": "completed", "action": SEARCH}],
        {"name": "web_search", "arguments": {"action": SEARCH}},
    ),
    "hosted, failed": (
        [{"id": "ci_1", "type": "code_interpreter_call", "status": "failed", "code": "1/0", "container_id": "c"}],
        {"name": "code_interpreter", "arguments": {"code": "1/0"}, "error": "failed"},
    ),
}


@pytest.mark.parametrize(("found", "call"), CALLS.values(), ids=CALLS)
def test_calls(found: list[Any], call: dict[str, Any]) -> None:
    assert items(*found).tool_calls == (call,)


MALFORMED: dict[str, tuple[str, Any, str]] = {
    "null": ("", None, "must be an object, not null"),
    "the items alone": ("", RESPONSES["output"], "must be an object, not "),
    "an error": ("/error", {"code": "server_error"}, '/error the server answered with an error: {"code": "server'),
    "cut": (
        "",
        {**RESPONSES, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
        '/incomplete_details/reason is "max_output_tokens": this answer was cut at its length limit',
    ),
    "filtered": ("/incomplete_details", {"reason": "content_filter"}, "/incomplete_details/reason is "),
    "incomplete": ("/status", "incomplete", '/status is "incomplete": this answer is not whole'),
    "unfinished": ("/status", "in_progress", '/status is "in_progress": this answer is not finished'),
    "waiting": ("/status", "queued", '/status is "queued": this answer is not finished'),
    "failed": ("/status", "failed", '/status is "failed": this answer was given up half way'),
    "status number": ("/status", 1, "/status must be a string, not 1"),
    "no output": ("/output", GONE, "lacks the key 'output'"),
    "output null": ("/output", None, "/output must be an array, not null"),
    "output empty": ("/output", [], "/output holds neither a message nor a call"),
    "thoughts only": ("/output", [REASONING], "/output holds neither a message nor a call"),
    "item null": ("/output/1", None, "/output/1 must be an object, not null"),
    "no type": ("/output/1/type", GONE, "/output/1 lacks the key 'type'"),
    "another type": ("/output/1/type", "image_generation_call", '/output/1/type "image_generation_call" is none that'),
    "another role": ("/output/1/role", "user", '/output/1/role must be "assistant", not "user"'),
    "message cut": ("/output/1/status", "incomplete", '/output/1/status is "incomplete": this answer is not whole'),
    "no content": ("/output/1/content", GONE, "/output/1 lacks the key 'content'"),
    "part null": ("/output/1/content/0", None, "/output/1/content/0 must be an object, not null"),
    "sound": ("/output/1/content/0/type", "output_audio", '/output/1/content/0/type "output_audio" is none that'),
    "no text": ("/output/1/content/0/text", GONE, "/output/1/content/0 lacks the key 'text'"),
    "call cut": ("/output/2/status", "incomplete", '/output/2/status is "incomplete": this answer is not whole'),
    "no name": ("/output/2/name", GONE, "/output/2 lacks the key 'name'"),
    "no arguments": ("/output/2/arguments", GONE, "/output/2 lacks the key 'arguments'"),
    "arguments cut off": ("/output/2/arguments", AS_TEXT[:-1], "/output/2/arguments holds no JSON object: not JSON: "),
    "arguments twice": (
        "/output/2/arguments",
        '{"a": 1, "a": 2}',
        "/output/2/arguments holds no JSON object: duplicate key at /a",
    ),
    "result of nothing": (
        "/output/3",
        {**output("x"), "call_id": "call_0"},
        "/output/3/call_id is the result of a call that was never made",
    ),
    "result without id": ("/output/3", {"type": "function_call_output", "output": "x"}, "/output/3 lacks the key "),
    "result without output": ("/output/3", changed(output("x"), "/output", GONE), "/output/3 lacks the key 'output'"),
    "hosted without action": ("/output/3", {"type": "web_search_call"}, "/output/3 lacks the key 'action'"),
    "free text null": (
        "/output/3",
        {"type": "custom_tool_call", "name": "sql", "input": None},
        "/output/3/input must be a string, not null",
    ),
}


@pytest.mark.parametrize(("pointer", "new", "detail"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(pointer: str, new: Any, detail: str) -> None:
    completion = read(pointer, new)
    assert (completion.malformed, completion.tool_calls) == ("malformed_trace", None)
    assert completion.detail.startswith(detail)
