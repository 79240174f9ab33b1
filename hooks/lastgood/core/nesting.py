"""JSON of bounded depth, so that nothing that walks a value can run out of stack."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

DEEPEST = 100  # levels; where Python's own limit lies depends on who calls, so verdicts would too

_CONTAINERS = frozenset((dict, list))  # what is parsed is of no other class, and asking so is quickest


def loads(data: bytes | str) -> Any:
    """As `strict_json.loads`; also Malformed when nested more than DEEPEST levels deep."""
    return checked(strict_json.loads(data), data)


def checked(found: Any, data: bytes | str) -> Any:
    """What was found in `data`; Malformed when it is nested more than DEEPEST levels deep."""
    if len(data) > 2 * DEEPEST and _brackets(data) > DEEPEST:
        bounded(found)
    return found


def _brackets(data: bytes | str) -> int:
    return data.count("[") + data.count("{") if isinstance(data, str) else data.count(b"[") + data.count(b"{")


def bounded(found: Any) -> None:
    """Malformed when a parsed value is nested more than DEEPEST levels deep."""
    level = [found] if type(found) in _CONTAINERS else []
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) in _CONTAINERS
        ]
        if not level:
            return
    raise Malformed(f"nested too deeply: more than {DEEPEST} levels")
