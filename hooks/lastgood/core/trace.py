"""Completions: what came back, read as declared. Whatever came, reading never raises; it says what is malformed."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.digest import text_digest, trace_digest
from lastgood.core.failure import one_line, shown
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lastgood.core.digest import Normalization


@value(frozen=True)
class Completion:
    """What a completer said for one case.

    `tool_calls` are `{"name", "arguments": object}`, each with the `result` or `error` that came of it where the trace
    tells; None when it is plain text. `malformed` is the failure that it is by itself (`malformed_trace`, `bad_utf8`),
    `detail` the reason, with a JSON Pointer where there is one. `turns`: what the assistant said in each of its turns,
    None when the trace does not tell. Results and turns are graded; digests and baselines are of the rest.
    """

    final_text: str
    tool_calls: tuple[dict[str, Any], ...] | None
    malformed: str = ""
    detail: str = ""
    turns: tuple[str, ...] | None = None

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """Its tool calls; a plain text has none."""
        return self.tool_calls or ()


def read_completion(raw: str, output: str) -> Completion:
    """What a completer wrote, read as its `output` declares (a row of `_READERS`)."""
    if not raw.isascii() and any("\ud800" <= mark <= "\udfff" for mark in raw):
        return Completion("", None, "bad_utf8", "holds a lone surrogate, which is no text")
    if output not in _READERS:
        raise ValueError(f"no such output: {output!r}")  # the configuration refuses it first
    return _READERS[output](raw)


def read_trace(found: Any) -> Completion:
    """A trace that is parsed already: `{"tool_calls": [{"name", "arguments"}…], "final_text"}`.

    A call may have a `result` and an `error`, a trace `turns`; other keys are ignored. Parsed strictly, as
    `nesting.loads` does: what that refuses cannot be hashed or matched.
    """
    try:
        calls, final_text = _parts(found)
        made = tuple([_call(call, f"/tool_calls/{nth}") for nth, call in enumerate(calls)])
        turns = _turns(found["turns"]) if "turns" in found else None
        return Completion(final_text, made, "", "", turns)
    except Malformed as exc:
        return _malformed(exc)


def _parts(found: Any) -> tuple[list[Any], str]:
    if isinstance(found, dict):  # nearly every trace is as it should be
        calls, final_text = found.get("tool_calls"), found.get("final_text")
        if isinstance(calls, list) and isinstance(final_text, str):
            return calls, final_text
    _must_be("an object", isinstance(found, dict), found, "")
    calls, final_text = _must_have("tool_calls", found, ""), _must_have("final_text", found, "")
    _must_be("an array", isinstance(calls, list), calls, "/tool_calls")
    _must_be("a string", isinstance(final_text, str), final_text, "/final_text")
    raise AssertionError("one of these was raised")


def completion_digest(completion: Completion, how: Normalization, raw: str) -> str:
    """Digest of a completion, 64 hex digits; of a malformed one, that of `raw`, the text it was read from."""
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


def _shape(shape: str) -> Callable[[str], Completion]:
    def read(raw: str) -> Completion:
        from lastgood.core.intake.shapes import read_shape  # its modules are loaded only where one is declared

        try:
            return read_shape(raw.strip(), shape)
        except Malformed as exc:
            return _malformed(exc)

    return read


_READERS: dict[str, Callable[[str], Completion]] = {
    "text": _text,
    "trace": _trace,
    "openai": _shape("openai"),
    "responses": _shape("responses"),
    "anthropic": _shape("anthropic"),
    "messages": _shape("messages"),
}


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
    if isinstance(call, dict):  # nearly every call is as it should be
        name, arguments = call.get("name"), call.get("arguments")
        if isinstance(name, str) and name and isinstance(arguments, dict):
            return _outcome(call, {"name": name, "arguments": arguments}, pointer)
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
    return _outcome(call, {"name": name, "arguments": arguments}, pointer)


def _outcome(call: dict[str, Any], made: dict[str, Any], pointer: str) -> dict[str, Any]:
    """The call with what came of it; null, false and what is empty are no error, as most tools write none."""
    if call.get("result") is not None:
        made["result"] = call["result"]
    error = call.get("error")
    if error is not None:
        told = isinstance(error, (str, bool, dict, list))
        _must_be("a string, a boolean, an object or an array", told, error, f"{pointer}/error")
        if error:
            made["error"] = error
    return made


def failed(call: Mapping[str, Any]) -> bool:
    """Whether the tool answered a call with an error."""
    return "error" in call


# Who speaks in a turn. A role that is not here might be the assistant's under another name, so it is refused.
_ASSISTANT = "assistant"
_ROLES = frozenset({_ASSISTANT, "developer", "system", "tool", "user"})


def _turns(found: Any) -> tuple[str, ...]:
    """What the assistant said, turn by turn; a turn without a role is its own."""
    _must_be("an array", isinstance(found, list), found, "/turns")
    return tuple(text for nth, turn in enumerate(found) if (text := _turn(turn, f"/turns/{nth}")))


def _turn(turn: Any, pointer: str) -> str:
    if isinstance(turn, dict):  # nearly every turn is as it should be
        role, content = turn.get("role"), turn.get("content")
        if isinstance(content, str) and isinstance(role, str) and role in _ROLES:
            return content if role == _ASSISTANT else ""
    if isinstance(turn, str):
        return turn
    _must_be("a string or an object", isinstance(turn, dict), turn, pointer)
    role, content = _must_have("role", turn, pointer), _must_have("content", turn, pointer)
    _must_be(f"one of {', '.join(sorted(_ROLES))}", isinstance(role, str) and role in _ROLES, role, f"{pointer}/role")
    _must_be("a string or null", content is None, content, f"{pointer}/content")
    return ""
