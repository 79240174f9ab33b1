"""Tool definitions, in the shapes that vendors take them in, as OpenAI's chat completions want them."""

from __future__ import annotations

from lastgood.core.failure import shown
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_SCHEMAS = ("parameters", "input_schema")  # OpenAI's word and Anthropic's
_SENT = ("name", "description", "strict")
_UNSENT = ("type", "cache_control")  # steers what a vendor keeps, not what is answered


def is_definition(found: Any) -> bool:
    """Whether a value looks like the definition of a tool, so that `as_function` may be asked."""
    return isinstance(found, dict) and ("function" in found or ("name" in found and "role" not in found))


def as_function(found: Any, pointer: str) -> dict[str, Any]:
    """`{"type": "function", "function": {"name", …}}` of a definition in any known shape; Malformed otherwise."""
    if not isinstance(found, dict):
        raise Malformed(f"must be a tool definition, an object, not {shown(found)}", pointer=pointer)
    if "function" in found:
        if found.get("type", "function") != "function":
            raise Malformed(f'must be "function", not {shown(found["type"])}', pointer=f"{pointer}/type")
        inner = found["function"]
        _named(inner, f"{pointer}/function")
        return {"type": "function", "function": inner}
    _named(found, pointer)
    if found.get("type", "function") not in ("function", "custom") or (
        "input_schema" not in found and _is_custom(found)
    ):
        raise Malformed(f"{shown(found['type'])} is no kind of tool that can be sent", pointer=f"{pointer}/type")
    schemas = [key for key in _SCHEMAS if key in found]
    if len(schemas) > 1:
        raise Malformed("holds both parameters and input_schema: which is meant?", pointer=pointer)
    for key in found:
        if key not in (*_SENT, *_SCHEMAS, *_UNSENT):
            raise Malformed("is no part of a tool definition that can be sent", pointer=f"{pointer}/{key}")
    function = {key: found[key] for key in _SENT if key in found}
    if schemas:
        function["parameters"] = found[schemas[0]]
    return {"type": "function", "function": function}


def _is_custom(found: dict[str, Any]) -> bool:
    return found.get("type") == "custom"  # OpenAI's takes free text; Anthropic's is an ordinary one, with a schema


def _named(found: Any, pointer: str) -> None:
    name = found.get("name") if isinstance(found, dict) else None
    if not isinstance(name, str) or not name:
        raise Malformed("lacks the name of a tool", pointer=pointer)


def allowed(definitions: Iterable[dict[str, Any]], names: Sequence[str] | None) -> list[dict[str, Any]]:
    """The definitions that a case allows, in the order defined: those of these names, all of them for None.

    Malformed for two of one name, and for a name that is not defined. A prompt that defines no tool at all describes
    them in its text, or has none: nothing is sent.
    """
    defined: dict[str, dict[str, Any]] = {}
    for definition in definitions:
        name = definition["function"]["name"]
        if name in defined:
            raise Malformed(f"the prompt's files define the tool {name!r} twice")
        defined[name] = definition
    if names is None or not defined:
        return list(defined.values())
    for name in names:
        if name not in defined:
            known = ", ".join(defined)
            raise Malformed(f"the case allows the tool {name!r}, and no file of the prompt defines it (only {known})")
    return [definition for name, definition in defined.items() if name in names]
