"""What holds of every shape: one digest for one answer, no stream, nothing raised."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers import ANTHROPIC, GONE, MESSAGES, OPENAI, RESPONSES, SHAPES, TRACE, changed
from json_values import values
from lastgood.core.config import OUTPUTS
from lastgood.core.digest import Normalization
from lastgood.core.intake.reported import reported
from lastgood.core.intake.shapes import SHAPES as READERS
from lastgood.core.strict_json import escape
from lastgood.core.trace import completion_digest, read_completion


def digest(found: Any, output: str) -> str:
    raw = json.dumps(found)
    completion = read_completion(raw, output)
    assert not completion.malformed, completion.detail
    return completion_digest(completion, Normalization(), raw)


def test_every_output_that_may_be_declared_can_be_read() -> None:
    assert set(OUTPUTS) == {"text", "trace", *READERS}
    for output in OUTPUTS:
        read_completion("", output)


@pytest.mark.parametrize("output", SHAPES)
def test_the_same_answer_has_the_same_digest_in_every_shape(output: str) -> None:
    assert digest(SHAPES[output], output) == digest(TRACE, "trace")


PLACES = {
    "openai": (OPENAI, "/choices/0/message/tool_calls/0/function/arguments"),
    "responses": (RESPONSES, "/output/2/arguments"),
    "anthropic": (ANTHROPIC, "/content/2/input"),
    "messages": (MESSAGES, "/2/tool_calls/0/function/arguments"),
}


@pytest.mark.parametrize("output", PLACES)
@pytest.mark.parametrize("arguments", ['{"a": 1, "b": "2"}', '{"b": "2", "a": 1}', '{"a": 1.0}', "{}"])
def test_arguments_are_hashed_as_parsed_and_in_their_order(output: str, arguments: str) -> None:
    found, pointer = PLACES[output]
    of_trace = changed(TRACE, "/tool_calls/0/arguments", json.loads(arguments))
    for spelled in (arguments, arguments.replace(" ", "  "), json.loads(arguments)):
        assert digest(changed(found, pointer, spelled), output) == digest(of_trace, "trace")


BESIDE = {
    "openai": ("/id", "/created", "/usage", "/system_fingerprint", "/choices/0/message/tool_calls/0/id"),
    "responses": ("/id", "/created_at", "/usage", "/output/0", "/output/2/call_id"),
    "anthropic": ("/id", "/usage", "/content/0", "/content/2/id"),
}


@pytest.mark.parametrize(("output", "pointer"), [(name, place) for name in BESIDE for place in BESIDE[name]])
def test_what_changes_with_every_answer_moves_no_digest(output: str, pointer: str) -> None:
    assert digest(changed(SHAPES[output], pointer, GONE), output) == digest(TRACE, "trace")


CHUNK = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Pa"}}]}
STREAMS = {
    "events of a chat": f"data: {json.dumps(CHUNK)}\n\ndata: [DONE]\n",
    "named events": 'event: message_start\ndata: {"type": "message_start"}\n',
    "a comment first": ': PROCESSING\n\ndata: {"a": 1}\n',
    "lines of chunks": f"{json.dumps(CHUNK)}\n{json.dumps(CHUNK)}\n",
    "one chunk": json.dumps(CHUNK),
    "one event of a message": '{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta"}}',
    "one event of a response": '{"type": "response.completed", "response": {}}',
}


@pytest.mark.parametrize("output", READERS)
@pytest.mark.parametrize("raw", STREAMS.values(), ids=STREAMS)
def test_a_stream_is_refused(raw: str, output: str) -> None:
    completion = read_completion(raw, output)
    assert completion.malformed == "malformed_trace"
    assert (
        completion.detail == "is a stream of pieces, not one answer: ask without streaming, or put them together first"
    )


UNREADABLE = {
    "nothing": ("", "not JSON: "),
    "prose": ("Sure!\nHere it is.", "not JSON: "),
    "cut off": ('{"choices": [', "not JSON: "),
    "a number": ("7", "must be an "),
    "twice": ('{"a": {"b": 1, "b": 2}}', "/a/b duplicate key"),
    "NaN": ('{"a": NaN}', "/a NaN is not JSON"),
    "too large": ('{"a": 1e999}', "/a number out of range"),
    "half a character": (r'{"a": "\ud83d"}', "/a lone surrogate"),
    "deep": ("[" * 200 + "]" * 200, "nested too deeply"),
    "deeper": ("[" * 100_000, ""),
    "many digits": ("1" * 5000, ""),
}


@pytest.mark.parametrize("output", READERS)
@pytest.mark.parametrize(("raw", "detail"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable(raw: str, detail: str, output: str) -> None:
    completion = read_completion(raw, output)
    assert completion.malformed == "malformed_trace"
    assert completion.detail.startswith(detail)


def test_ten_megabytes_of_text() -> None:
    found = changed(OPENAI, "/choices/0/message/content", "x" * 10_000_000)
    assert len(read_completion(json.dumps(found), "openai").final_text) == 10_000_000


REPORTED = {
    "openai": {"model": "gpt-4o-2024-08-06", "usage": OPENAI["usage"]},
    "responses": {"model": "gpt-5.1-2025-11-13", "usage": RESPONSES["usage"]},
    "anthropic": {"model": "claude-sonnet-4-5-20250929", "usage": ANTHROPIC["usage"]},
    "messages": {},
    "trace": {},
}


@pytest.mark.parametrize("output", REPORTED)
def test_what_an_answer_reports(output: str) -> None:
    assert reported(json.dumps(SHAPES[output]), output) == REPORTED[output]


def test_a_trace_may_report_too() -> None:
    raw = json.dumps({**TRACE, "model": "m-1", "usage": {"tokens": 7}})
    assert reported(raw, "trace") == {"model": "m-1", "usage": {"tokens": 7}}
    assert reported(raw, "text") == {}


def test_what_is_of_another_kind_is_not_reported() -> None:
    assert reported(json.dumps({"model": None, "usage": [7]}), "openai") == {}


def pointers(found: Any, pointer: str = "") -> list[str]:
    """Every place in a JSON value."""
    inner: list[Any] = [*enumerate(found)] if isinstance(found, list) else []
    inner += found.items() if isinstance(found, dict) else []
    return [pointer, *(place for key, value in inner for place in pointers(value, f"{pointer}/{escape(str(key))}"))]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, str]:
    """An answer with up to three places that hold something else, or nothing."""
    output = draw(st.sampled_from(sorted(SHAPES)))
    found = SHAPES[output]
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(pointers(found)))
        found = changed(found, place, draw(values | values.map(json.dumps) | st.just(GONE if place else None)))
    return json.dumps(found), output


@given(damaged())
def test_a_damaged_answer_is_read_or_malformed(found: tuple[str, str]) -> None:
    raw, output = found
    completion = read_completion(raw, output)
    assert bool(completion.malformed) == bool(completion.detail) == (completion.tool_calls is None)
    assert completion.detail.isprintable()
    assert len(completion_digest(completion, Normalization(), raw)) == 64
    assert reported(raw, output).keys() <= {"model", "usage"}


@given(raw=st.text(max_size=60) | values.map(json.dumps), output=st.sampled_from(sorted(READERS)))
def test_nothing_raises(raw: str, output: str) -> None:
    completion = read_completion(raw, output)
    assert bool(completion.malformed) == bool(completion.detail)
    assert completion.detail.isprintable()
    assert isinstance(reported(raw, output), dict)
