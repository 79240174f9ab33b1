"""What changed between two JSON values, by JSON Pointer."""

from __future__ import annotations

import json

from lastgood.core.strict_json import escape, same
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ABSENT: Any = object()
_LONGEST = 60


def changes(old: Any, new: Any, pointer: str = "") -> Iterator[tuple[str, str]]:
    """(JSON Pointer, `old → new`) of every place where two values differ, the deepest that can be named."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            yield from changes(old.get(key, _ABSENT), new.get(key, _ABSENT), f"{pointer}/{escape(key)}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for position, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from changes(before, after, f"{pointer}/{position}")
    elif type(old) is not type(new) or not same(old, new):
        yield pointer or "/", f"{_shown(old)} → {_shown(new)}"


def _shown(found: Any) -> str:
    if found is _ABSENT:
        return "(absent)"
    text = json.dumps(found, ensure_ascii=False)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
