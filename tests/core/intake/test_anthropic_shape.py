"""`output = "anthropic"`: what a message's blocks say, and where they cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from answers import ANTHROPIC, ARGUMENTS, AS_TEXT, CALL, GONE, TEXT, changed
from lastgood.core.trace import Completion, read_completion

THINKING, _, TOOL_USE = ANTHROPIC["content"]
SEARCHING = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "parcel"}}


def read(pointer: str, new: Any) -> Completion:
    return read_completion(json.dumps(changed(ANTHROPIC, pointer, new)), "anthropic")


def blocks(*found: Any) -> Completion:
    return read("/content", list(found))


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def found(content: Any) -> dict[str, Any]:
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": content}


def result(**more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "toolu_01A9", **more}


def test_a_whole_message() -> None:
    completion = read_completion(json.dumps(ANTHROPIC), "anthropic")
    assert (completion.final_text, completion.tool_calls, completion.malformed) == (TEXT, (CALL,), "")


TEXTS: dict[str, tuple[list[Any], str]] = {
    "one": ([text("Paid.")], "Paid."),
    "none": ([], ""),
    "split by a citation": ([text("It left "), text("Lyon"), text(".")], "It left Lyon."),
    "around thoughts": ([text("Let me look."), THINKING, text("Paid.")], "Let me look.\n\nPaid."),
    "around a search": ([text("Let me look."), SEARCHING, found([]), text("Paid.")], "Let me look.\n\nPaid."),
    "hidden thoughts": ([{"type": "redacted_thinking", "data": "EmwKAhgB"}, text("Paid.")], "Paid."),
    "before a call": ([text("Let me look."), TOOL_USE], "Let me look."),
    "after a result": ([text("Let me look."), TOOL_USE, result(content="shipped"), text("It left.")], "It left."),
}


@pytest.mark.parametrize(("content", "said"), TEXTS.values(), ids=TEXTS)
def test_texts(content: list[Any], said: str) -> None:
    completion = blocks(*content)
    assert (completion.final_text, completion.malformed) == (said, "")


REFUSED = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
SEARCHED: dict[str, Any] = {"name": "web_search", "arguments": {"query": "parcel"}}
HIT = {"type": "web_search_result", "url": "https://example.com", "title": "Parcels", "encrypted_content": "Eo8B"}
CALLS: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "a call": ([TOOL_USE], CALL),
    "as text, by a proxy": ([{**TOOL_USE, "input": AS_TEXT}], CALL),
    "without arguments": ([{**TOOL_USE, "input": {}}], {**CALL, "arguments": {}}),
    "a result": ([TOOL_USE, result(content="shipped")], {**CALL, "result": "shipped"}),
    "an empty result": ([TOOL_USE, result()], {**CALL, "result": ""}),
    "a result in blocks": ([TOOL_USE, result(content=[text("a"), text("b")])], {**CALL, "result": "a\nb"}),
    "a picture": ([TOOL_USE, result(content=[{"type": "image"}])], {**CALL, "result": [{"type": "image"}]}),
    "an error": ([TOOL_USE, result(content="no such order", is_error=True)], {**CALL, "error": "no such order"}),
    "a silent error": ([TOOL_USE, result(is_error=True)], {**CALL, "error": "failed"}),
    "a search": ([SEARCHING, found([HIT])], {**SEARCHED, "result": [HIT]}),
    "a search that failed": ([SEARCHING, found(REFUSED)], {**SEARCHED, "error": REFUSED}),
    "of a server": (
        [{"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "get_order", "server_name": "shop", "input": ARGUMENTS}],
        CALL,
    ),
}


@pytest.mark.parametrize(("content", "call"), CALLS.values(), ids=CALLS)
def test_calls(content: list[Any], call: dict[str, Any]) -> None:
    assert blocks(*content).tool_calls == (call,)


@pytest.mark.parametrize("reason", ["end_turn", "tool_use", "stop_sequence", "refusal", None, GONE])
def test_a_whole_answer(reason: Any) -> None:
    assert read("/stop_reason", reason).malformed == ""


MALFORMED: dict[str, tuple[str, Any, str]] = {
    "null": ("", None, "must be an object, not null"),
    "the blocks alone": ("", ANTHROPIC["content"], "must be an object, not "),
    "an error": (
        "",
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        '/error the server answered with an error: {"type": "overloaded_error"',
    ),
    "another role": ("/role", "user", '/role must be "assistant", not "user"'),
    "cut": ("/stop_reason", "max_tokens", '/stop_reason is "max_tokens": this answer was cut at its length limit'),
    "window full": ("/stop_reason", "model_context_window_exceeded", '/stop_reason is "model_context_window_exceeded"'),
    "paused": ("/stop_reason", "pause_turn", '/stop_reason is "pause_turn": this answer was paused half way'),
    "reason of another kind": ("/stop_reason", [], "/stop_reason must be a string, not []"),
    "declined in silence": ("", {"content": [], "stop_reason": "refusal"}, "/content is empty: the model declined "),
    "no content": ("/content", GONE, "lacks the key 'content'"),
    "content null": ("/content", None, "/content must be an array, not null"),
    "content text": ("/content", "Paid.", '/content must be an array, not "Paid."'),
    "block null": ("/content/1", None, "/content/1 must be an object, not null"),
    "no type": ("/content/1/type", GONE, "/content/1 lacks the key 'type'"),
    "another type": ("/content/1/type", "image", '/content/1/type "image" is none that can be read'),
    "no text": ("/content/1/text", GONE, "/content/1 lacks the key 'text'"),
    "text null": ("/content/1/text", None, "/content/1/text must be a string, not null"),
    "no name": ("/content/2/name", GONE, "/content/2 lacks the key 'name'"),
    "no input": ("/content/2/input", GONE, "/content/2 lacks the key 'input'"),
    "input null": ("/content/2/input", None, "/content/2/input must be an object, not null"),
    "input list": ("/content/2/input", [], "/content/2/input must be an object, not []"),
    "input cut off": ("/content/2/input", '{"a', "/content/2/input holds no JSON object: not JSON: "),
    "result of nothing": (
        "/content/3",
        {"type": "tool_result", "tool_use_id": "toolu_0", "content": "x"},
        "/content/3/tool_use_id is the result of a call that was never made",
    ),
    "result without id": ("/content/3", {"type": "tool_result"}, "/content/3 lacks the key 'tool_use_id'"),
    "result id null": ("/content/3", {"type": "tool_result", "tool_use_id": None}, "/content/3/tool_use_id must be a "),
}


@pytest.mark.parametrize(("pointer", "new", "detail"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(pointer: str, new: Any, detail: str) -> None:
    completion = read(pointer, new)
    assert (completion.malformed, completion.tool_calls) == ("malformed_trace", None)
    assert completion.detail.startswith(detail)


def test_a_second_result_of_one_call() -> None:
    completion = blocks(TOOL_USE, result(content="a"), result(content="b"))
    assert completion.detail == "/content/2/tool_use_id is the result of a call that has its result already"
