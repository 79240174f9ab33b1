"""What a chat completion is asked with."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastgood.core.chat import body, checked, complaint, conversation, number, parameter, read_prompt, response_format
from lastgood.errors import LastgoodError, Malformed

USER = {"role": "user", "content": "Where is 1042?"}
TOOL = {"name": "get_order"}


def said(files: dict[str, bytes], payload: dict[str, Any]) -> list[tuple[str, str]]:
    """(role, content) of the messages."""
    return [(message["role"], message["content"]) for message in conversation(read_prompt(files), payload)]


def test_the_prompt_is_the_systems_and_an_input_without_messages_is_its_json() -> None:
    assert said({"p.txt": "Answer.\nBriefly: ü\n".encode()}, {"order_id": "ü", "n": 1.0}) == [
        ("system", "Answer.\nBriefly: ü"),
        ("user", '{"order_id": "ü", "n": 1.0}'),
    ]


def test_messages_stay_as_they_are_and_what_stands_beside_them_follows_the_prompt() -> None:
    payload = {"locale": "en", "messages": [USER, {"role": "tool", "tool_call_id": "c", "content": "{}"}]}
    assert conversation(read_prompt({"p.txt": b"Answer."}), payload) == [
        {"role": "system", "content": 'Answer.\n\n{"locale": "en"}'},
        *payload["messages"],
    ]


@pytest.mark.parametrize("messages", [[], "hello", [1], [{"content": "x"}], None])
def test_messages_that_are_none_are_an_input_like_any_other(messages: Any) -> None:
    assert said({"p.txt": b"A"}, {"messages": messages})[1] == ("user", json.dumps({"messages": messages}))


def test_several_files_are_all_sent_in_their_order() -> None:
    files = {
        "p.md": b"Help.\n",
        "tone.md": b"Kindly.\n\n",
        "shots.json": json.dumps([USER, {"role": "assistant", "content": "Soon."}]).encode(),
        "tools.json": json.dumps([TOOL, {"type": "function", "function": {"name": "refund"}}]).encode(),
        "more.json": json.dumps({"name": "now"}).encode(),
        "both.json": json.dumps({"messages": [USER], "tools": [{"name": "last"}]}).encode(),
    }
    assert said(files, {"a": 1}) == [
        ("system", "Help.\n\nKindly."),
        ("user", "Where is 1042?"),
        ("assistant", "Soon."),
        ("user", "Where is 1042?"),
        ("user", '{"a": 1}'),
    ]
    assert [tool["function"]["name"] for tool in read_prompt(files).tools] == ["get_order", "refund", "now", "last"]


def test_a_prompt_that_is_messages_has_no_text_of_the_systems() -> None:
    assert said({"p.json": json.dumps([USER]).encode()}, {"messages": [USER]}) == [("user", "Where is 1042?")] * 2


UNSENDABLE: dict[str, tuple[str, bytes, str, str]] = {
    "bytes": ("p.txt", b"\xff\xfe", "", "not UTF-8 at byte 0"),
    "no JSON": ("t.json", b"[", "", "not JSON"),
    "JSON of another kind": ("t.json", b'{"persona": "kind"}', "", "neither messages nor tool definitions"),
    "an empty list": ("t.json", b"[]", "", "neither messages nor tool definitions"),
    "messages among tools": ("t.json", b'[{"name": "a"}, {"role": "user"}]', "", "neither messages nor tool"),
    "tools called messages": ("t.json", b'{"messages": [{"name": "a"}]}', "/messages", "neither messages nor tool"),
    "a tool that is unsound": ("t.json", b'[{"name": "a", "x": 1}]', "/0/x", "no part of a tool definition"),
}


@pytest.mark.parametrize(("path", "data", "pointer", "what"), UNSENDABLE.values(), ids=UNSENDABLE)
def test_a_file_that_cannot_be_sent_is_named(path: str, data: bytes, pointer: str, what: str) -> None:
    with pytest.raises(Malformed, match=what) as refused:
        read_prompt({path: data})
    assert (refused.value.path, refused.value.pointer) == (path, pointer)


def test_a_request_is_settings_messages_and_the_tools_allowed() -> None:
    prompt = read_prompt({"p.txt": b"Help.", "t.json": json.dumps([TOOL, {"name": "refund"}]).encode()})
    settings = {"model": "m", "seed": 0}
    messages = [{"role": "system", "content": "Help."}, USER]
    found = json.loads(body(settings, prompt, {"messages": [USER]}, ("get_order",)))
    assert found == settings | {"messages": messages, "tools": [{"type": "function", "function": TOOL}]}
    assert "tools" not in json.loads(body(settings, prompt, {"messages": [USER]}, ()))


@pytest.mark.parametrize(("text", "whole", "found"), [("0", True, 0), ("0.7", False, 0.7), ("none", True, None)])
def test_a_number_or_none(text: str, whole: bool, found: Any) -> None:
    assert number("--seed", text, whole=whole) == found


@pytest.mark.parametrize("text", ["", "1.5", "true", "NaN", "zero", "1e999"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(LastgoodError, match="--seed must be a whole number or none"):
        number("--seed", text, whole=True)


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("top_p=0.9", ("top_p", 0.9)),
        ('stop=["\\n", "="]', ("stop", ["\n", "="])),
        ("stream=false", ("stream", False)),
        ("n=1", ("n", 1)),
    ],
)
def test_a_parameter_is_a_key_and_json(word: str, found: Any) -> None:
    assert parameter(word) == found


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("top_p", "takes KEY=JSON"),
        ("=1", "takes KEY=JSON"),
        ("user=me", "must be JSON"),
        ("seed=1", "sets this itself"),
        ("messages=[]", "sets this itself"),
        ("stream=true", "read whole"),
        ("n=2", "one answer is graded"),
    ],
)
def test_a_parameter_that_cannot_be_one_is_refused(word: str, what: str) -> None:
    with pytest.raises(LastgoodError, match=what):
        parameter(word)


def test_a_response_format_is_itself_or_a_schema() -> None:
    itself = {"type": "json_object"}
    assert response_format("x", itself) == itself
    schema = {"type": "object"}
    assert response_format("reply_v2", schema) == {
        "type": "json_schema",
        "json_schema": {"name": "reply_v2", "strict": True, "schema": schema},
    }
    with pytest.raises(Malformed, match="must be an object"):
        response_format("x", [])


def test_an_answer_without_choices_is_none() -> None:
    with pytest.raises(Malformed, match="holds no object"):
        checked(b"[]")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"error": {"message": "no", "code": 1}}', "no"),
        (b'{"error": "no"}', "no"),
        (b'{"message": "no"}', "no"),
        (b'{"error": {"code": 1}}', '{"code": 1}'),
        (b"no\n  way", "no way"),
        (b"", ""),
        (b"\xff", "\ufffd"),
    ],
)
def test_a_complaint_is_said_in_the_servers_own_words(data: bytes, says: str) -> None:
    assert complaint(data) == says
