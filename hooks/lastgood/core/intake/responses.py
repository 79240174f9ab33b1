"""`responses`: an object of OpenAI's Responses API, its output a list of items."""

from __future__ import annotations

from lastgood.core.intake.blocks import CHAT, aside, read_content, read_typed
from lastgood.core.intake.parts import (
    an_answer,
    an_array,
    called,
    called_with_text,
    held,
    must_be_said_by,
    must_be_whole,
    text_of,
)
from lastgood.core.intake.results import failed, outcome
from lastgood.core.intake.transcript import Transcript
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

    from lastgood.core.intake.blocks import Reader
    from lastgood.core.trace import Completion


def read(found: Any) -> Completion:
    """Everything in `output`; Malformed, with its JSON Pointer, otherwise."""
    answer = an_answer(found)
    details = answer.get("incomplete_details")
    if isinstance(details, dict):
        must_be_whole(details, "reason", "/incomplete_details")
    must_be_whole(answer, "status", "")
    items = an_array(held(answer, "output", ""), "/output")
    into = Transcript()
    for nth, item in enumerate(items):
        read_typed(into, item, f"/output/{nth}", ITEMS)
    if not any(item["type"] not in _ASIDES for item in items):
        raise Malformed("holds neither a message nor a call", pointer="/output")
    return into.completion()


def _message(into: Transcript, item: dict[str, Any], pointer: str) -> None:
    must_be_said_by("assistant", item, pointer)
    must_be_whole(item, "status", pointer)
    into.part()  # two messages are two paragraphs
    read_content(into, held(item, "content", pointer), f"{pointer}/content", CHAT)


def _function_call(into: Transcript, item: dict[str, Any], pointer: str) -> None:
    must_be_whole(item, "status", pointer)
    into.call(*called(item, "arguments", pointer), item.get("call_id"))


def _custom_tool_call(into: Transcript, item: dict[str, Any], pointer: str) -> None:
    into.call(*called_with_text(item, pointer), item.get("call_id"))


def _mcp_call(into: Transcript, item: dict[str, Any], pointer: str) -> None:
    # The server runs such a tool by itself and puts what came of it into the same item.
    call = into.call(*called(item, "arguments", pointer), None)
    error = item.get("error")
    call.update(outcome(item.get("output") if error is None else error, failed=error is not None))


def _hosted(into: Transcript, item: dict[str, Any], pointer: str) -> None:
    name, key = _HOSTED[item["type"]]
    held(item, key, pointer)
    call = into.call(name, {key: item[key]}, item.get("call_id"))
    if item.get("status") == "failed":
        call["error"] = "failed"


def _output(into: Transcript, item: dict[str, Any], pointer: str) -> None:
    call_id = text_of(item, "call_id", pointer)
    found = outcome(held(item, "output", pointer), failed=failed(item))
    into.answer("id", call_id, found, f"{pointer}/call_id")
    into.others()  # it is the caller who runs such a tool


# A tool that OpenAI hosts is a call like any other: type of item → name of the tool, and where its arguments stand.
_HOSTED = {
    "apply_patch_call": ("apply_patch", "operation"),
    "code_interpreter_call": ("code_interpreter", "code"),
    "computer_call": ("computer", "action"),
    "file_search_call": ("file_search", "queries"),
    "local_shell_call": ("local_shell", "action"),
    "shell_call": ("shell", "action"),
    "web_search_call": ("web_search", "action"),
}
_ASIDES = ("compaction", "mcp_list_tools", "reasoning")
ITEMS: dict[str, Reader] = {
    "custom_tool_call": _custom_tool_call,
    "function_call": _function_call,
    "mcp_call": _mcp_call,
    "message": _message,
    **dict.fromkeys(_ASIDES, aside),
    **dict.fromkeys(_HOSTED, _hosted),
    **dict.fromkeys(
        (
            "apply_patch_call_output",
            "computer_call_output",
            "custom_tool_call_output",
            "function_call_output",
            "local_shell_call_output",
            "shell_call_output",
        ),
        _output,
    ),
}
