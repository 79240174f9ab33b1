"""What every shape is read with. Each function raises Malformed with the JSON Pointer of the fault."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.failure import one_line, shown
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

_LENGTH = "was cut at its length limit"
_STOPPED = "was given up half way"
# Why an answer ended, as vendors name it, where it is not whole. Servers invent names, so those not here mean whole.
_CUT = {
    "abort": _STOPPED,
    "cancelled": _STOPPED,
    "content_filter": "was cut by a content filter",
    "error": _STOPPED,
    "failed": _STOPPED,
    "in_progress": "is not finished",
    "incomplete": "is not whole",
    "length": _LENGTH,
    "max_output_tokens": _LENGTH,
    "max_tokens": _LENGTH,
    "model_context_window_exceeded": _LENGTH,
    "model_length": _LENGTH,
    "pause_turn": "was paused half way",
    "queued": "is not finished",
}


def an_object(found: Any, pointer: str) -> dict[str, Any]:
    """`found`, which must be a JSON object."""
    if not isinstance(found, dict):
        raise Malformed(f"must be an object, not {shown(found)}", pointer=pointer)
    return found


def an_array(found: Any, pointer: str) -> list[Any]:
    """`found`, which must be a JSON array."""
    if not isinstance(found, list):
        raise Malformed(f"must be an array, not {shown(found)}", pointer=pointer)
    return found


def a_text(found: Any, pointer: str) -> str:
    """`found`, which must be a string."""
    if not isinstance(found, str):
        raise Malformed(f"must be a string, not {shown(found)}", pointer=pointer)
    return found


def held(found: dict[str, Any], key: str, pointer: str) -> Any:
    """What `found` holds under `key`, which it must hold."""
    if key not in found:
        raise Malformed(f"lacks the key {key!r}", pointer=pointer)
    return found[key]


def text_of(found: dict[str, Any], key: str, pointer: str) -> str:
    """The string that `found` must hold under `key`."""
    return a_text(held(found, key, pointer), f"{pointer}/{key}")


def an_answer(found: Any) -> dict[str, Any]:
    """`found`, which must be an object, and not the server's complaint; some send that with status 200."""
    answer = an_object(found, "")
    if answer.get("error") is not None:
        raise Malformed(f"the server answered with an error: {shown(answer['error'])}", pointer="/error")
    return answer


def called(found: dict[str, Any], key: str, pointer: str) -> tuple[str, dict[str, Any]]:
    """Name and arguments, which stand under `key`, of the tool that `found` calls."""
    held(found, "name", pointer)  # what is missing is told before what is wrong
    held(found, key, pointer)
    return _name(found["name"], f"{pointer}/name"), _arguments(found[key], f"{pointer}/{key}")


def called_with_text(found: dict[str, Any], pointer: str) -> tuple[str, dict[str, Any]]:
    """The same of a tool that takes free text and no arguments."""
    return _name(held(found, "name", pointer), f"{pointer}/name"), {"input": text_of(found, "input", pointer)}


def _name(found: Any, pointer: str) -> str:
    if not isinstance(found, str) or not found:
        raise Malformed(f"must be a non-empty string, not {shown(found)}", pointer=pointer)
    return found


def _arguments(found: Any, pointer: str) -> dict[str, Any]:
    """An object, or JSON text that holds one. JSON text inside an argument stays text."""
    if found == "":
        # A call without arguments, from servers that gather the pieces of a stream and got none. Nothing else can be
        # meant: an answer cut before its arguments is refused for its `finish_reason`. In our own trace as well: text
        # for arguments is only ever what a vendor wrote, passed on.
        return {}
    if isinstance(found, str):
        try:
            found = nesting.loads(found)
        except Malformed as exc:
            within = f" at {exc.pointer}" if exc.pointer else ""
            raise Malformed(f"holds no JSON object: {one_line(exc.what)}{within}", pointer=pointer) from None
    return an_object(found, pointer)


def must_be_whole(found: dict[str, Any], key: str, pointer: str) -> None:
    """Malformed when what `found` says under `key` of its end means that it is a part only.

    A cut answer that was recorded would be the last good one from then on.
    """
    reason = found.get(key)
    if reason is None:
        return
    why = _CUT.get(a_text(reason, f"{pointer}/{key}").lower())
    if why:
        raise Malformed(f"is {shown(reason)}: this answer {why}", pointer=f"{pointer}/{key}")


def must_be_said_by(role: str, found: dict[str, Any], pointer: str) -> None:
    """Malformed when `found` names another role."""
    if found.get("role", role) != role:
        raise Malformed(f'must be "{role}", not {shown(found["role"])}', pointer=f"{pointer}/role")


def unknown(kind: Any, pointer: str) -> Malformed:
    """What is raised at a `type` or `role` that nobody here can read: left out, it might hide what was said or done."""
    return Malformed(f"{shown(kind)} is none that can be read", pointer=pointer)
