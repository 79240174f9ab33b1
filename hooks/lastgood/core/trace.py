"""Completions: what came back, read as declared. Whatever came, reading never raises; it says what is malformed."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.digest import text_digest, trace_digest
from lastgood.core.failure import shown
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

    def __init__(
        self,
        final_text: str,
        tool_calls: tuple[dict[str, Any], ...] | None,
        malformed: str = "",
        detail: str = "",
        turns: tuple[str, ...] | None = None,
    ) -> None:
        # Written out, as one is made of every trace: it takes a third of the time that `@value`'s own does.
        fields = self.__dict__
        fields["final_text"], fields["tool_calls"] = final_text, tool_calls
        fields["malformed"], fields["detail"], fields["turns"] = malformed, detail, turns

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
        if isinstance(found, dict):  # nearly every trace is as it should be
            calls, final_text = found.get("tool_calls"), found.get("final_text")
            if isinstance(calls, list) and isinstance(final_text, str):
                made = tuple([_call(call, nth) for nth, call in enumerate(calls)])
                return Completion(final_text, made, "", "", _turns(found["turns"]) if "turns" in found else None)
        from lastgood.core.intake.parts import a_text, an_array, an_object, held

        answer = an_object(found, "")
        calls, final_text = held(answer, "tool_calls", ""), held(answer, "final_text", "")
        an_array(calls, "/tool_calls")
        a_text(final_text, "/final_text")
        raise AssertionError("one of these raised")
    except Malformed as exc:
        return _malformed(exc)


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


def _call(call: Any, nth: int) -> dict[str, Any]:
    if isinstance(call, dict):  # nearly every call is as it should be
        name, arguments = call.get("name"), call.get("arguments")
        if isinstance(name, str) and name and isinstance(arguments, dict):
            made = {"name": name, "arguments": arguments}
            return _outcome(call, made, nth) if len(call) > len(made) else made
    from lastgood.core.intake.parts import an_object, called

    pointer = f"/tool_calls/{nth}"
    found = an_object(call, pointer)
    name, arguments = called(found, "arguments", pointer)
    return _outcome(found, {"name": name, "arguments": arguments}, nth)


def _outcome(call: dict[str, Any], made: dict[str, Any], nth: int) -> dict[str, Any]:
    """The call with what came of it; null, false and what is empty are no error, as most tools write none."""
    if call.get("result") is not None:
        made["result"] = call["result"]
    error = call.get("error")
    if error is not None:
        if not isinstance(error, (str, bool, dict, list)):
            what = f"must be a string, a boolean, an object or an array, not {shown(error)}"
            raise Malformed(what, pointer=f"/tool_calls/{nth}/error")
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
    if not isinstance(found, list):
        raise Malformed(f"must be an array, not {shown(found)}", pointer="/turns")
    return tuple([text for nth, turn in enumerate(found) if (text := _turn(turn, nth))])


def _turn(turn: Any, nth: int) -> str:
    if isinstance(turn, dict):  # nearly every turn is as it should be
        role, content = turn.get("role"), turn.get("content")
        if isinstance(content, str) and isinstance(role, str) and role in _ROLES:
            return content if role == _ASSISTANT else ""
    if isinstance(turn, str):
        return turn
    from lastgood.core.intake.parts import held

    pointer = f"/turns/{nth}"
    if not isinstance(turn, dict):
        raise Malformed(f"must be a string or an object, not {shown(turn)}", pointer=pointer)
    role, content = held(turn, "role", pointer), held(turn, "content", pointer)
    if not isinstance(role, str) or role not in _ROLES:
        raise Malformed(f"must be one of {', '.join(sorted(_ROLES))}, not {shown(role)}", pointer=f"{pointer}/role")
    if content is not None:
        raise Malformed(f"must be a string or null, not {shown(content)}", pointer=f"{pointer}/content")
    return ""
