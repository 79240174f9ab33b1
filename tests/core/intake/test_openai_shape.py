"""`output = "openai"`: what chat completions say, and where they cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from answers import AS_TEXT, CALL, GONE, OPENAI, TEXT, changed
from lastgood.core.trace import Completion, read_completion

MESSAGE = "/choices/0/message"
FUNCTION = f"{MESSAGE}/tool_calls/0/function"


def read(pointer: str, new: Any, *, of: Any = OPENAI) -> Completion:
    return read_completion(json.dumps(changed(of, pointer, new)), "openai")


def says(message: dict[str, Any]) -> Completion:
    """A message alone, as an endless number of compatible servers send it: with few of the fields."""
    return read_completion(json.dumps({"choices": [{"message": message}]}), "openai")


def test_a_whole_object() -> None:
    completion = read_completion(json.dumps(OPENAI, indent=2) + "\n", "openai")
    assert (completion.final_text, completion.tool_calls, completion.malformed) == (TEXT, (CALL,), "")


def test_json_text_inside_an_argument_stays_text() -> None:
    (call,) = says({"tool_calls": [{"function": {"name": "get_order", "arguments": AS_TEXT}}]}).tool_calls or ()
    assert call["arguments"]["filter"] == '{"since": "2026-09-01"}'


TEXTS: dict[str, tuple[dict[str, Any], str]] = {
    "text": ({"role": "assistant", "content": "Paid."}, "Paid."),
    "null": ({"role": "assistant", "content": None}, ""),
    "empty": ({"role": "assistant", "content": ""}, ""),
    "null beside calls": ({"content": None, "tool_calls": []}, ""),
    "absent beside calls": ({"tool_calls": []}, ""),
    "a refusal": ({"content": None, "refusal": "I can't help with that."}, "I can't help with that."),
    "text and a refusal": ({"content": "Well.", "refusal": "No."}, "Well.\n\nNo."),
    "parts": ({"content": [{"type": "text", "text": "Pa"}, {"type": "text", "text": "id."}]}, "Paid."),
    "a refusal as a part": ({"content": [{"type": "refusal", "refusal": "No."}]}, "No."),
    "thoughts between": (
        {"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Paid."}]},
        "Paid.",
    ),
    "thoughts beside": (
        {"content": "Paid.", "reasoning_content": "Hm.", "audio": None, "function_call": None},
        "Paid.",
    ),
}


@pytest.mark.parametrize(("message", "text"), TEXTS.values(), ids=TEXTS)
def test_texts(message: dict[str, Any], text: str) -> None:
    completion = says(message)
    assert (completion.final_text, completion.tool_calls, completion.malformed) == (text, (), "")


CALLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "no type": ({"function": {"name": "now", "arguments": "{}"}}, {}),
    "type null": ({"type": None, "function": {"name": "now", "arguments": "{}"}}, {}),
    "no text at all": ({"type": "function", "function": {"name": "now", "arguments": ""}}, {}),
    "an object": ({"type": "function", "function": {"name": "now", "arguments": {"zone": 1}}}, {"zone": 1}),
    "spaces": ({"type": "function", "function": {"name": "now", "arguments": ' {"zone": 1}\n'}}, {"zone": 1}),
    "free text": ({"id": "c", "type": "custom", "custom": {"name": "now", "input": "{}"}}, {"input": "{}"}),
}


@pytest.mark.parametrize(("call", "arguments"), CALLS.values(), ids=CALLS)
def test_calls(call: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert says({"content": None, "tool_calls": [call]}).tool_calls == ({"name": "now", "arguments": arguments},)


def test_the_older_way_to_call() -> None:
    call = {"name": "get_order", "arguments": AS_TEXT}
    assert says({"role": "assistant", "content": None, "function_call": call}).tool_calls == (CALL,)


def test_calls_keep_their_order() -> None:
    calls = [{"function": {"name": name, "arguments": "{}"}} for name in ("b", "a", "b")]
    assert [call["name"] for call in says({"tool_calls": calls}).tool_calls or ()] == ["b", "a", "b"]


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "function_call", "eos_token", None, GONE])
def test_a_whole_answer(reason: Any) -> None:
    assert read("/choices/0/finish_reason", reason).malformed == ""


MALFORMED: dict[str, tuple[str, Any, str]] = {
    "null": ("", None, "must be an object, not null"),
    "list": ("", [OPENAI], "must be an object, not "),
    "the message alone": ("", OPENAI["choices"][0]["message"], "lacks the key 'choices'"),
    "an error": ("", {"error": {"code": 429}}, '/error the server answered with an error: {"code": 429}'),
    "an error beside": ("/error", {"message": "Overloaded"}, "/error the server answered with an error: "),
    "no choices": ("/choices", GONE, "lacks the key 'choices'"),
    "choices null": ("/choices", None, "/choices must be an array, not null"),
    "choices empty": ("/choices", [], "/choices is empty: there is no answer"),
    "two choices": ("/choices/1", {"message": {"content": "x"}}, "/choices holds 2 answers: which is meant?"),
    "choice null": ("/choices/0", None, "/choices/0 must be an object, not null"),
    "cut": ("/choices/0/finish_reason", "length", '/choices/0/finish_reason is "length": this answer was cut at its'),
    "filtered": ("/choices/0/finish_reason", "content_filter", '/choices/0/finish_reason is "content_filter": this'),
    "given up": ("/choices/0/finish_reason", "error", '/choices/0/finish_reason is "error": this answer was given up'),
    "cut, shouted": ("/choices/0/finish_reason", "MAX_TOKENS", '/choices/0/finish_reason is "MAX_TOKENS": this'),
    "reason of another kind": ("/choices/0/finish_reason", 1, "/choices/0/finish_reason must be a string, not 1"),
    "no message": (MESSAGE, GONE, "/choices/0 lacks the key 'message'"),
    "message null": (MESSAGE, None, f"{MESSAGE} must be an object, not null"),
    "message empty": (MESSAGE, {}, f"{MESSAGE} holds neither content nor calls"),
    "a role and no more": (MESSAGE, {"role": "assistant"}, f"{MESSAGE} holds neither content nor calls"),
    "another role": (f"{MESSAGE}/role", "user", f'{MESSAGE}/role must be "assistant", not "user"'),
    "content number": (f"{MESSAGE}/content", 7, f"{MESSAGE}/content must be an array, not 7"),
    "content object": (f"{MESSAGE}/content", {}, f"{MESSAGE}/content must be an array, not {{}}"),
    "part text": (f"{MESSAGE}/content", ["Paid."], f'{MESSAGE}/content/0 must be an object, not "Paid."'),
    "part without type": (f"{MESSAGE}/content", [{"text": "x"}], f"{MESSAGE}/content/0 lacks the key 'type'"),
    "part type null": (f"{MESSAGE}/content", [{"type": None}], f"{MESSAGE}/content/0/type must be a string, not null"),
    "picture": (f"{MESSAGE}/content", [{"type": "image_url"}], f'{MESSAGE}/content/0/type "image_url" is none that'),
    "part without text": (f"{MESSAGE}/content", [{"type": "text"}], f"{MESSAGE}/content/0 lacks the key 'text'"),
    "part text null": (
        f"{MESSAGE}/content",
        [{"type": "text", "text": None}],
        f"{MESSAGE}/content/0/text must be a string, not null",
    ),
    "sound": (f"{MESSAGE}/audio", {"id": "audio_1", "transcript": "Paid."}, f"{MESSAGE}/audio holds sound, which is"),
    "refusal true": (f"{MESSAGE}/refusal", True, f"{MESSAGE}/refusal must be a string, not true"),
    "calls object": (f"{MESSAGE}/tool_calls", {}, f"{MESSAGE}/tool_calls must be an array, not {{}}"),
    "calls text": (f"{MESSAGE}/tool_calls", "x", f'{MESSAGE}/tool_calls must be an array, not "x"'),
    "call null": (f"{MESSAGE}/tool_calls/1", None, f"{MESSAGE}/tool_calls/1 must be an object, not null"),
    "call of another type": (f"{MESSAGE}/tool_calls/0/type", "code", f'{MESSAGE}/tool_calls/0/type "code" is none'),
    "call of no type": (f"{MESSAGE}/tool_calls/0/type", ["x"], f'{MESSAGE}/tool_calls/0/type ["x"] is none'),
    "no function": (FUNCTION, GONE, f"{MESSAGE}/tool_calls/0 lacks the key 'function'"),
    "function null": (FUNCTION, None, f"{FUNCTION} must be an object, not null"),
    "no name": (f"{FUNCTION}/name", GONE, f"{FUNCTION} lacks the key 'name'"),
    "name empty": (f"{FUNCTION}/name", "", f'{FUNCTION}/name must be a non-empty string, not ""'),
    "name null": (f"{FUNCTION}/name", None, f"{FUNCTION}/name must be a non-empty string, not null"),
    "no arguments": (f"{FUNCTION}/arguments", GONE, f"{FUNCTION} lacks the key 'arguments'"),
    "arguments null": (f"{FUNCTION}/arguments", None, f"{FUNCTION}/arguments must be an object, not null"),
    "arguments list": (f"{FUNCTION}/arguments", "[]", f"{FUNCTION}/arguments must be an object, not []"),
    "arguments null as text": (f"{FUNCTION}/arguments", "null", f"{FUNCTION}/arguments must be an object, not null"),
    "arguments blank": (f"{FUNCTION}/arguments", " ", f"{FUNCTION}/arguments holds no JSON object: not JSON: "),
    "arguments cut off": (f"{FUNCTION}/arguments", '{"a": ', f"{FUNCTION}/arguments holds no JSON object: not JSON: "),
    "arguments in Python": (f"{FUNCTION}/arguments", "{'a': 1}", f"{FUNCTION}/arguments holds no JSON object: not"),
    "arguments twice": (
        f"{FUNCTION}/arguments",
        '{"a": {"b": 1, "b": 2}}',
        f"{FUNCTION}/arguments holds no JSON object: duplicate key at /a/b",
    ),
    "NaN": (
        f"{FUNCTION}/arguments",
        '{"a": NaN}',
        f"{FUNCTION}/arguments holds no JSON object: NaN is not JSON at /a",
    ),
    "deep": (
        f"{FUNCTION}/arguments",
        '{"a": ' + "[" * 200 + "]" * 200 + "}",
        f"{FUNCTION}/arguments holds no JSON object: nested too deeply",
    ),
    "two ways to call": (
        f"{MESSAGE}/function_call",
        {"name": "now", "arguments": "{}"},
        f"{MESSAGE}/function_call stands beside tool_calls: which is meant?",
    ),
}


@pytest.mark.parametrize(("pointer", "new", "detail"), MALFORMED.values(), ids=MALFORMED)
def test_malformed(pointer: str, new: Any, detail: str) -> None:
    completion = read(pointer, new)
    assert (completion.malformed, completion.tool_calls) == ("malformed_trace", None)
    assert completion.detail.startswith(detail)


def test_the_older_way_to_call_malformed() -> None:
    assert says({"content": None, "function_call": []}).detail == f"{MESSAGE}/function_call must be an object, not []"
