"""What a tool gave back, as the `result` or `error` of its call."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

_TEXTS = ("text", "input_text", "output_text")


def outcome(content: Any, *, failed: bool) -> dict[str, Any]:
    """`{"result"}` or `{"error"}`. Parts that are all text become one text; anything else stays the JSON it is."""
    if content is None:
        content = ""
    elif isinstance(content, list) and content and all(map(_is_text, content)):
        content = "\n".join(part["text"] for part in content)
    if failed:
        return {"error": content or "failed"}
    return {"result": content}


def failed(found: dict[str, Any]) -> bool:
    """Whether a result says of itself that it is an error. It is never told from its words."""
    content = found.get("content")
    refused = isinstance(content, dict) and str(content.get("type", "")).endswith("_tool_result_error")
    return found.get("is_error") is True or found.get("status") == "error" or refused


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in _TEXTS and isinstance(part.get("text"), str)
