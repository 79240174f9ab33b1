"""The table of vendors' shapes: name of an `output` → how an answer that is parsed already is read."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.intake import anthropic, messages, openai, responses
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from lastgood.core.trace import Completion

SHAPES: dict[str, Callable[[Any], Completion]] = {
    "anthropic": anthropic.read,
    "messages": messages.read,
    "openai": openai.read,
    "responses": responses.read,
}
_STREAM = "is a stream of pieces, not one answer: ask without streaming, or put them together first"
_SSE = ("data:", "event:", "id:", "retry:", ":")
_EVENTS = ("content_block_", "message_", "response.", "ping")


def read_shape(text: str, shape: str) -> Completion:
    """An answer in the shape declared; Malformed, with its JSON Pointer, when it cannot be read."""
    try:
        found = nesting.loads(text)
    except Malformed:
        if text.startswith(_SSE) or _holds_lines(text):
            raise Malformed(_STREAM) from None
        raise
    if _is_piece(found):
        raise Malformed(_STREAM)
    return SHAPES[shape](found)


def _holds_lines(text: str) -> bool:
    first, _, more = text.partition("\n")
    try:
        return bool(more.strip()) and isinstance(nesting.loads(first), dict)
    except Malformed:
        return False


def _is_piece(found: Any) -> bool:
    if not isinstance(found, dict):
        return False
    return found.get("object") == "chat.completion.chunk" or str(found.get("type", "")).startswith(_EVENTS)
