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
        _need(isinstance(found, dict), "", f"must be an object, not {shown(found)}")
        _need("tool_calls" in found, "", "lacks the key 'tool_calls'")
        _need("final_text" in found, "", "lacks the key 'final_text'")
        calls, final_text = found["tool_calls"], found["final_text"]
        _need(isinstance(calls, list), "/tool_calls", f"must be an array, not {shown(calls)}")
        _need(isinstance(final_text, str), "/final_text", f"must be a string, not {shown(final_text)}")
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


def _need(holds: bool, pointer: str, otherwise: str) -> None:
    if not holds:
        raise Malformed(otherwise, pointer=pointer)


def _call(call: Any, pointer: str) -> dict[str, Any]:
    _need(isinstance(call, dict), pointer, f"must be an object, not {shown(call)}")
    _need("name" in call, pointer, "lacks the key 'name'")
    _need("arguments" in call, pointer, "lacks the key 'arguments'")
    name, arguments = call["name"], call["arguments"]
    _need(isinstance(name, str) and name != "", f"{pointer}/name", f"must be a non-empty string, not {shown(name)}")
    if isinstance(arguments, str):
        try:
            arguments = nesting.loads(arguments)
        except Malformed as exc:
            within = f" at {exc.pointer}" if exc.pointer else ""
            raise Malformed(
                f"holds no JSON object: {one_line(exc.what)}{within}", pointer=f"{pointer}/arguments"
            ) from None
    _need(isinstance(arguments, dict), f"{pointer}/arguments", f"must be an object, not {shown(arguments)}")
    return {"name": name, "arguments": arguments}
