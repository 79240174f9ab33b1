"""Completions: what came back, read as declared. Whatever came, reading never raises; it says what is malformed."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.failure import one_line, shown
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from lastgood.core.digest import Normalization


@value(frozen=True)
class Completion:
    """What a completer said for one case.

    `tool_calls` are `{"name", "arguments": object}`, or None when it is plain text. `malformed` is the failure that
    it is by itself (`malformed_trace`, `bad_utf8`), `detail` the reason, with a JSON Pointer where there is one.
    """

    final_text: str
    tool_calls: tuple[dict[str, Any], ...] | None
    malformed: str = ""
    detail: str = ""


def read_completion(raw: str, output: str) -> Completion:
    """What a completer wrote, read as its `output` declares: `text` or `trace`."""
    if not raw.isascii() and any("\ud800" <= mark <= "\udfff" for mark in raw):
        return Completion("", None, "bad_utf8", "holds a lone surrogate, which is no text")
    if output not in _READERS:
        raise ValueError(f"no such output: {output!r}")  # the configuration refuses it first
    return _READERS[output](raw)


def read_trace(found: Any) -> Completion:
    """A trace that is parsed already: `{"tool_calls": [{"name", "arguments"}…], "final_text"}`, other keys ignored.

    Parsed strictly, as `nesting.loads` does: what that refuses cannot be hashed or matched.
    """
    try:
        _must_be("an object", isinstance(found, dict), found, "")
        calls, final_text = _must_have("tool_calls", found, ""), _must_have("final_text", found, "")
        _must_be("an array", isinstance(calls, list), calls, "/tool_calls")
        _must_be("a string", isinstance(final_text, str), final_text, "/final_text")
        return Completion(final_text, tuple(_call(call, f"/tool_calls/{nth}") for nth, call in enumerate(calls)))
    except Malformed as exc:
        return _malformed(exc)


def completion_digest(completion: Completion, how: Normalization, raw: str) -> str:
    """Digest of a completion, 64 hex digits; of a malformed one, that of `raw`, the text it was read from."""
    from lastgood.core.digest import text_digest, trace_digest

    if completion.malformed:
        # A lone surrogate has no UTF-8; written out, it still tells two such texts apart.
        return text_digest(raw.encode("utf-8", "backslashreplace").decode("utf-8"), how)
    if completion.tool_calls is None:
        return text_digest(completion.final_text, how)
    return trace_digest(list(completion.tool_calls), completion.final_text, how)


def _text(raw: str) -> Completion:
    return Completion(raw, None)


def _trace(raw: str) -> Completion:
    try:
        return read_trace(nesting.loads(raw.strip()))
    except Malformed as exc:
        return _malformed(exc)


_READERS: dict[str, Callable[[str], Completion]] = {"text": _text, "trace": _trace}


def _malformed(exc: Malformed) -> Completion:
    return Completion("", None, "malformed_trace", f"{exc.pointer} {exc.what}".strip())


def _must_be(what: str, holds: bool, found: Any, pointer: str) -> None:
    if not holds:
        raise Malformed(f"must be {what}, not {shown(found)}", pointer=pointer)


def _must_have(key: str, found: dict[str, Any], pointer: str) -> Any:
    if key not in found:
        raise Malformed(f"lacks the key {key!r}", pointer=pointer)
    return found[key]


def _call(call: Any, pointer: str) -> dict[str, Any]:
    _must_be("an object", isinstance(call, dict), call, pointer)
    name, arguments = _must_have("name", call, pointer), _must_have("arguments", call, pointer)
    _must_be("a non-empty string", isinstance(name, str) and name != "", name, f"{pointer}/name")
    if isinstance(arguments, str):
        try:
            arguments = nesting.loads(arguments)
        except Malformed as exc:
            within = f" at {exc.pointer}" if exc.pointer else ""
            raise Malformed(
                f"holds no JSON object: {one_line(exc.what)}{within}", pointer=f"{pointer}/arguments"
            ) from None
    _must_be("an object", isinstance(arguments, dict), arguments, f"{pointer}/arguments")
    return {"name": name, "arguments": arguments}
