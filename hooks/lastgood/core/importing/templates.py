"""Templates of the one kind that needs no engine: a name between two braces. Any other is told and left."""

from __future__ import annotations

import re

from lastgood.core.importing.drafts import Unexpressed
from lastgood.core.kinds import is_number
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_NAMED = re.compile(r"\{\{-?\s*([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)\s*-?\}\}")
_DEEPEST = 60


def rendered(found: Any, names: Mapping[str, Any], depth: int = 0) -> Any:
    """The value with every name in its strings replaced; Unexpressed where that takes more."""
    if depth > _DEEPEST:
        raise Unexpressed("nested too deeply")
    if isinstance(found, str):
        return _text(found, names)
    if isinstance(found, list):
        return [rendered(inner, names, depth + 1) for inner in found]
    if isinstance(found, dict):
        return {key: rendered(inner, names, depth + 1) for key, inner in found.items()}
    return found


def _text(text: str, names: Mapping[str, Any]) -> str:
    if not ("{{" in text or "{%" in text or "{#" in text):
        return text
    bare = _NAMED.sub("", text)
    if "{{" in bare or "{%" in bare or "{#" in bare:
        raise Unexpressed(f"holds a template that only its own engine renders: {text[:80]!r}")
    return _NAMED.sub(lambda found: _named(found[1], names), text)


def _named(name: str, names: Mapping[str, Any]) -> str:
    held: Any = names
    for part in name.split("."):
        if not isinstance(held, dict) or part not in held:
            raise Unexpressed(f"names {name!r}, which is no variable of this test")
        held = held[part]
    if isinstance(held, bool):
        return str(held).lower()
    if isinstance(held, str) and "{{" not in held and "{%" not in held:
        return held
    if is_number(held):
        return str(int(held)) if isinstance(held, float) and held.is_integer() else str(held)
    raise Unexpressed(f"names {name!r}, which is no plain text")
