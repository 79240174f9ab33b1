"""Content given in blocks: a table, type of block → what to do with it. Each shape takes the rows that it knows."""

from __future__ import annotations

from lastgood.core.intake.parts import a_text, an_array, an_object, called, held, text_of, unknown
from lastgood.core.intake.results import failed, outcome
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lastgood.core.intake.transcript import Transcript

    Reader = Callable[[Transcript, dict[str, Any], str], None]


def read_content(into: Transcript, content: Any, pointer: str, blocks: Mapping[str, Reader]) -> None:
    """Content of the assistant: null, a string, or an array of blocks."""
    into.begin()
    if isinstance(content, str):
        into.say(content)
    elif content is not None:
        for nth, block in enumerate(an_array(content, pointer)):
            read_typed(into, block, f"{pointer}/{nth}", blocks)


def read_typed(into: Transcript, found: Any, pointer: str, readers: Mapping[str, Reader]) -> None:
    """An object that is read as its `type` says."""
    kind = text_of(an_object(found, pointer), "type", pointer)
    if kind not in readers:
        raise unknown(kind, f"{pointer}/type")
    readers[kind](into, found, pointer)


def aside(into: Transcript, _found: dict[str, Any], _pointer: str) -> None:
    """Thoughts and notes, which no user reads."""
    into.part()


def _text(into: Transcript, found: dict[str, Any], pointer: str) -> None:
    into.say(text_of(found, "text", pointer))


def _refusal(into: Transcript, found: dict[str, Any], pointer: str) -> None:
    into.say(text_of(found, "refusal", pointer))


def _tool_use(into: Transcript, found: dict[str, Any], pointer: str) -> None:
    into.call(*called(found, "input", pointer), found.get("id"))


def _server_result(into: Transcript, found: dict[str, Any], pointer: str) -> None:
    into.part()
    call_id = a_text(held(found, "tool_use_id", pointer), f"{pointer}/tool_use_id")
    into.answer("id", call_id, outcome(found.get("content"), failed=failed(found)), f"{pointer}/tool_use_id")


def _tool_result(into: Transcript, found: dict[str, Any], pointer: str) -> None:
    _server_result(into, found, pointer)
    into.others()  # it is the caller who runs such a tool


CHAT: dict[str, Reader] = {
    "output_text": _text,
    "reasoning": aside,
    "reference": aside,
    "refusal": _refusal,
    "text": _text,
    "thinking": aside,
}
RESULTS: dict[str, Reader] = {
    "tool_result": _tool_result,
    **dict.fromkeys(
        (
            "bash_code_execution_tool_result",
            "code_execution_tool_result",
            "mcp_tool_result",
            "text_editor_code_execution_tool_result",
            "tool_search_tool_result",
            "web_fetch_tool_result",
            "web_search_tool_result",
        ),
        _server_result,
    ),
}
MESSAGE: dict[str, Reader] = {
    "mcp_tool_use": _tool_use,
    "redacted_thinking": aside,
    "server_tool_use": _tool_use,
    "text": _text,
    "thinking": aside,
    "tool_use": _tool_use,
    **RESULTS,
}
