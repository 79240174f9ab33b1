"""What is sent for a chat completion: the prompt's files and a case's input as messages and tools; parameters."""

from __future__ import annotations

import json

from lastgood.core import nesting, strict_json, tools
from lastgood.core.failure import shown
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Found = dict[str, Any]

# Parameters that have their own option, or that would make the answer another kind of thing.
_OWN = ("model", "messages", "tools", "temperature", "seed", "max_tokens", "response_format")
_FIXED = {"stream": (False, "answers are read whole"), "n": (1, "one answer is graded")}


@value(frozen=True)
class Prompt:
    """A prompt as it is sent: its text, the messages and the tool definitions (OpenAI's) that its JSON files hold."""

    text: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]


def read_prompt(files: Mapping[str, bytes]) -> Prompt:
    """The prompt in its files, path → bytes in the order declared; Malformed when one of them cannot be sent.

    A `.json` file holds messages (a list of objects with a role), tool definitions (one, or a list of them), or an
    object with `messages` and `tools`. Any other file is text; several are joined by an empty line.
    """
    texts: list[str] = []
    messages: list[Found] = []
    defined: list[Found] = []
    for path, data in files.items():
        try:
            if path.lower().endswith(".json"):
                _read_json(nesting.loads(data), messages, defined)
            else:
                texts.append(data.decode("utf-8").rstrip("\n"))
        except UnicodeDecodeError as exc:
            raise Malformed(f"not UTF-8 at byte {exc.start}, so it cannot be sent", path=path) from None
        except Malformed as exc:
            raise Malformed(exc.what, path=path, pointer=exc.pointer) from None
    return Prompt("\n\n".join(texts), tuple(messages), tuple(defined))


def _read_json(found: Any, messages: list[Found], defined: list[Found]) -> None:
    if isinstance(found, dict) and found and not found.keys() - {"messages", "tools"}:
        parts = [(f"/{key}", found[key]) for key in found]
    else:
        parts = [("", [found] if tools.is_definition(found) else found)]
    for pointer, part in parts:
        if _are_messages(part) and pointer != "/tools":
            messages.extend(part)
        elif isinstance(part, list) and part and pointer != "/messages" and all(map(tools.is_definition, part)):
            defined.extend(tools.as_function(one, f"{pointer}/{nth}") for nth, one in enumerate(part))
        else:
            raise Malformed(
                "is neither messages nor tool definitions, so nobody can say how to send it", pointer=pointer
            )


def _are_messages(found: Any) -> bool:
    return isinstance(found, list) and bool(found) and all(isinstance(one, dict) and "role" in one for one in found)


def conversation(prompt: Prompt, payload: Mapping[str, Any]) -> list[Found]:
    """The messages: the prompt's text as the system's, the prompt's own, then the input's.

    The input's `messages` stay as they are, and what stands beside them follows the prompt's text as JSON. An input
    without messages is one message of the user, its JSON.
    """
    said = payload.get("messages")
    others = {key: found for key, found in payload.items() if key != "messages"}
    if not _are_messages(said):
        said, others = [{"role": "user", "content": _json(payload)}], {}
    system = "\n\n".join(filter(None, (prompt.text, _json(others) if others else "")))
    first = [{"role": "system", "content": system}] if system else []
    assert isinstance(said, list)
    return [*first, *prompt.messages, *said]


def _json(found: Any) -> str:
    return json.dumps(found, ensure_ascii=False)


def body(settings: Found, prompt: Prompt, payload: Mapping[str, Any], names: Sequence[str] | None) -> bytes:
    """The request for one case, as JSON. `names`: the tools that the case allows, None for any."""
    found = settings | {"messages": conversation(prompt, payload)}
    if wanted := tools.allowed(prompt.tools, names):
        found["tools"] = wanted
    return json.dumps(found).encode("ascii")


def number(option: str, text: str, *, whole: bool) -> float | int | None:
    """A number that an option was given as text; None for `none`; LastgoodError otherwise."""
    if text == "none":
        return None
    try:
        found = nesting.loads(text)
    except Malformed:
        found = None
    if isinstance(found, bool) or not isinstance(found, int if whole else (int, float)):
        kind = "a whole number" if whole else "a number"
        raise LastgoodError(
            f"{option} must be {kind} or none, not {shown(text)}", fix="lastgood complete openai --help"
        )
    return found


def parameter(word: str) -> tuple[str, Any]:
    """The name and value in `KEY=JSON`; LastgoodError when it is no such thing, or has its own option."""
    key, equals, text = word.partition("=")
    if not key or not equals:
        raise LastgoodError(f"--param takes KEY=JSON, not {shown(word)}", fix="--param top_p=0.9")
    if key in _OWN:
        raise LastgoodError(f"--param {key}: lastgood sets this itself", fix="lastgood complete openai --help")
    try:
        found = nesting.loads(text)
    except Malformed as exc:
        quoted = f"--param '{key}={json.dumps(text)}'"
        raise LastgoodError(f"--param {key} must be JSON: {exc.what}", fix=f"{quoted} if it is a text") from None
    if key in _FIXED and not strict_json.same(found, _FIXED[key][0]):
        raise LastgoodError(f"--param {key}: {_FIXED[key][1]}")
    return key, found


def response_format(name: str, found: Any) -> Found:
    """The `response_format` that a value means: itself when it is one, else a JSON Schema that answers must follow."""
    if not isinstance(found, dict):
        raise Malformed(f"a response format must be an object, not {shown(found)}")
    if found.get("type") in ("json_schema", "json_object", "text"):
        return found
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": found}}


def checked(data: bytes) -> tuple[str, Found]:
    """The text of an endpoint's answer and the object in it; Malformed when it is no chat completion at all."""
    found = nesting.loads(data)
    if not isinstance(found, dict):
        raise Malformed(f"holds no object but {shown(found)}")
    if found.get("error") is not None and not found.get("choices"):
        raise Malformed(f"says: {complaint(data)}")
    if not isinstance(found.get("choices"), list):
        raise Malformed(f"holds no choices but {shown(found)}")
    return data.decode("utf-8").strip(), found


def complaint(data: bytes) -> str:
    """What an error answer says in its own words; never raises."""
    text = data.decode("utf-8", "replace")
    try:
        found = nesting.loads(text)
    except Malformed:
        return " ".join(text.split())
    for _ in range(2):  # {"error": {"message"}} as OpenAI says it, and the simpler ones of other servers
        if isinstance(found, dict):
            found = next((found[key] for key in ("error", "message", "detail") if found.get(key)), found)
    return found if isinstance(found, str) else shown(found)
