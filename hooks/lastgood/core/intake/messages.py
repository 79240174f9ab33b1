"""`messages`: the bare list of messages that an agent's run leaves, in OpenAI's or Anthropic's style or both."""

from __future__ import annotations

from lastgood.core.intake.blocks import CHAT, MESSAGE, RESULTS
from lastgood.core.intake.openai import read_message
from lastgood.core.intake.parts import a_text, an_array, an_object, held, must_be_whole, unknown
from lastgood.core.intake.responses import ITEMS
from lastgood.core.intake.results import failed, outcome
from lastgood.core.intake.transcript import Transcript
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.core.intake.blocks import Reader
    from lastgood.core.trace import Completion

_BLOCKS = CHAT | MESSAGE


def read(found: Any) -> Completion:
    """What the assistant said and called over a run, each call with its result; Malformed otherwise.

    The final text is that of its last turn.
    """
    messages = an_array(found, "")
    into = Transcript()
    last = -1
    for nth, message in enumerate(messages):
        if _one(into, an_object(message, f"/{nth}"), f"/{nth}"):
            last = nth
    if last < 0:
        raise Malformed("holds nothing that the assistant said or called", pointer="")
    # Earlier turns were gone on with, so only the last can leave the run unfinished.
    for key in ("finish_reason", "stop_reason", "status"):
        must_be_whole(messages[last], key, f"/{last}")
    return into.completion()


def _one(into: Transcript, message: dict[str, Any], pointer: str) -> bool:
    """Read a message; whether it is the assistant's."""
    if "role" in message:
        readers, key = _ROLES, "role"
    else:
        readers, key = ITEMS, "type"  # agents on the Responses API keep its items between the messages
    kind = a_text(held(message, key, pointer), f"{pointer}/{key}")
    if kind not in readers:
        raise unknown(kind, f"{pointer}/{key}")
    readers[kind](into, message, pointer)
    return kind == "assistant" or (key == "type" and not kind.endswith("_output"))


def _assistant(into: Transcript, message: dict[str, Any], pointer: str) -> None:
    into.part()
    read_message(into, message, pointer, _BLOCKS)


def _user(into: Transcript, message: dict[str, Any], pointer: str) -> None:
    into.others()
    content = message.get("content")
    for nth, block in enumerate(content if isinstance(content, list) else ()):
        # What else a user says is the case's input, and not the answer.
        if isinstance(block, dict) and isinstance(block.get("type"), str) and block["type"] in RESULTS:
            RESULTS[block["type"]](into, block, f"{pointer}/content/{nth}")
            into.others()


def _tool(into: Transcript, message: dict[str, Any], pointer: str) -> None:
    into.others()
    # Older messages, and those of some servers, name the tool only.
    by, key = ("id", "tool_call_id") if message.get("tool_call_id") or "name" not in message else ("tool", "name")
    name = a_text(held(message, key, pointer), f"{pointer}/{key}")
    found = outcome(held(message, "content", pointer), failed=failed(message))
    into.answer(by, name, found, f"{pointer}/{key}")


def _ignored(into: Transcript, _message: dict[str, Any], _pointer: str) -> None:
    into.others()


_ROLES: Mapping[str, Reader] = {
    "assistant": _assistant,
    "developer": _ignored,
    "function": _tool,
    "system": _ignored,
    "tool": _tool,
    "user": _user,
}
