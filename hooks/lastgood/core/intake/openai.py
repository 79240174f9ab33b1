"""`openai`: a chat completion, as any OpenAI-compatible endpoint answers it."""

from __future__ import annotations

from lastgood.core.intake.blocks import CHAT, read_content
from lastgood.core.intake.parts import (
    a_text,
    an_answer,
    an_array,
    an_object,
    called,
    called_with_text,
    held,
    must_be_said_by,
    must_be_whole,
    unknown,
)
from lastgood.core.intake.transcript import Transcript
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lastgood.core.intake.blocks import Reader
    from lastgood.core.trace import Completion


def read(found: Any) -> Completion:
    """The one choice of a chat completion; Malformed, with its JSON Pointer, otherwise."""
    answer = an_answer(found)
    choices = an_array(held(answer, "choices", ""), "/choices")
    if not choices:
        raise Malformed("is empty: there is no answer", pointer="/choices")
    if len(choices) > 1:
        raise Malformed(f"holds {len(choices)} answers: which is meant? Ask for one (n = 1)", pointer="/choices")
    choice = an_object(choices[0], "/choices/0")
    must_be_whole(choice, "finish_reason", "/choices/0")
    into, pointer = Transcript(), "/choices/0/message"
    message = an_object(held(choice, "message", "/choices/0"), pointer)
    must_be_said_by("assistant", message, pointer)
    read_message(into, message, pointer, CHAT)
    return into.completion()


def read_message(into: Transcript, message: dict[str, Any], pointer: str, blocks: Mapping[str, Reader]) -> None:
    """A message of the assistant: what it says, then what it calls. `content` may be null or absent beside calls."""
    if not any(key in message for key in ("content", "refusal", "tool_calls", "function_call")):
        raise Malformed("holds neither content nor calls", pointer=pointer)
    if message.get("audio") is not None:
        raise Malformed("holds sound, which is no text", pointer=f"{pointer}/audio")
    read_content(into, message.get("content"), f"{pointer}/content", blocks)
    if message.get("refusal") is not None:
        into.part()
        into.say(a_text(message["refusal"], f"{pointer}/refusal"))
    calls, legacy = message.get("tool_calls"), message.get("function_call")
    if calls and legacy:
        raise Malformed("stands beside tool_calls: which is meant?", pointer=f"{pointer}/function_call")
    for nth, call in enumerate(an_array(calls, f"{pointer}/tool_calls") if calls is not None else ()):
        _call(into, an_object(call, f"{pointer}/tool_calls/{nth}"), f"{pointer}/tool_calls/{nth}")
    if legacy is not None:
        _function(into, an_object(legacy, f"{pointer}/function_call"), f"{pointer}/function_call", None)


def _call(into: Transcript, call: dict[str, Any], pointer: str) -> None:
    kind = call.get("type") or "function"  # several servers leave it out
    if not isinstance(kind, str) or kind not in _CALLS:
        raise unknown(kind, f"{pointer}/type")
    _CALLS[kind](into, an_object(held(call, kind, pointer), f"{pointer}/{kind}"), f"{pointer}/{kind}", call.get("id"))


def _function(into: Transcript, call: dict[str, Any], pointer: str, call_id: Any) -> None:
    into.call(*called(call, "arguments", pointer), call_id)


def _custom(into: Transcript, call: dict[str, Any], pointer: str, call_id: Any) -> None:
    into.call(*called_with_text(call, pointer), call_id)


_CALLS: dict[str, Callable[[Transcript, dict[str, Any], str, Any], None]] = {"custom": _custom, "function": _function}
