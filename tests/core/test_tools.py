"""Tool definitions of every vendor's shape become OpenAI's; what cannot be sent is refused."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.tools import allowed, as_function, is_definition
from lastgood.errors import Malformed

SCHEMA = {"type": "object", "properties": {"order_id": {"type": "string"}}}
SENT = {"type": "function", "function": {"name": "get_order", "description": "Look up.", "parameters": SCHEMA}}

SHAPES: dict[str, dict[str, Any]] = {
    "OpenAI, chat": SENT,
    "OpenAI, responses": {"type": "function", "name": "get_order", "description": "Look up.", "parameters": SCHEMA},
    "bare": {"name": "get_order", "description": "Look up.", "parameters": SCHEMA},
    "Anthropic": {"name": "get_order", "description": "Look up.", "input_schema": SCHEMA},
    "Anthropic, with all it may have": {
        "type": "custom",
        "name": "get_order",
        "description": "Look up.",
        "input_schema": SCHEMA,
        "cache_control": {"type": "ephemeral"},
    },
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_shape_is_sent_the_same(shape: dict[str, Any]) -> None:
    assert is_definition(shape)
    assert as_function(shape, "") == SENT


def test_a_tool_without_arguments_and_a_strict_one_stay_so() -> None:
    assert as_function({"name": "now", "strict": True}, "") == {
        "type": "function",
        "function": {"name": "now", "strict": True},
    }


REFUSED: dict[str, tuple[Any, str, str]] = {
    "text": ("get_order", "", "must be a tool definition, an object"),
    "no name": ({"description": "x"}, "", "lacks the name"),
    "no name inside": ({"type": "function", "function": {}}, "/function", "lacks the name"),
    "a vendor's own tool": ({"type": "web_search_20250305", "name": "web_search"}, "/type", "is no kind of tool"),
    "OpenAI's custom tool": ({"type": "custom", "name": "sql"}, "/type", "is no kind of tool"),
    "two schemas": ({"name": "x", "parameters": {}, "input_schema": {}}, "", "which is meant"),
    "an unknown key": ({"name": "x", "paramters": {}}, "/paramters", "is no part of a tool definition"),
    "another kind inside": ({"type": "retrieval", "function": {"name": "x"}}, "/type", 'must be "function"'),
}


@pytest.mark.parametrize(("found", "pointer", "what"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_sent_is_refused(found: Any, pointer: str, what: str) -> None:
    with pytest.raises(Malformed, match=what) as refused:
        as_function(found, "")
    assert refused.value.pointer == pointer


def named(*names: str) -> list[dict[str, Any]]:
    return [as_function({"name": name}, "") for name in names]


@pytest.mark.parametrize(
    ("names", "sent"),
    [(None, ["a", "b", "c"]), (("c", "a"), ["a", "c"]), ((), [])],
    ids=["says nothing", "some", "none"],
)
def test_a_case_is_given_the_tools_it_allows_in_the_order_defined(names: Any, sent: list[str]) -> None:
    assert [tool["function"]["name"] for tool in allowed(named("a", "b", "c"), names)] == sent


def test_a_prompt_that_defines_no_tools_sends_none() -> None:
    """It describes them in its text."""
    assert allowed([], ("get_order",)) == []


def test_a_tool_that_is_allowed_and_not_defined_is_named() -> None:
    with pytest.raises(Malformed, match=r"allows the tool 'x', and no file of the prompt defines it \(only a, b\)"):
        allowed(named("a", "b"), ("a", "x"))


def test_a_tool_that_is_defined_twice_is_named() -> None:
    with pytest.raises(Malformed, match="the tool 'a' twice"):
        allowed(named("a", "b", "a"), None)
