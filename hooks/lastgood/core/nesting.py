"""JSON of bounded depth, so that nothing that walks a value can run out of stack."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

DEEPEST = 100  # levels; where Python's own limit lies depends on who calls, so verdicts would too


def loads(data: bytes | str) -> Any:
    """As `strict_json.loads`; also Malformed when nested more than DEEPEST levels deep."""
    found = strict_json.loads(data)
    brackets = data.count("[") + data.count("{") if isinstance(data, str) else data.count(b"[") + data.count(b"{")
    if brackets > DEEPEST:
        bounded(found)
    return found


def bounded(found: Any) -> None:
    """Malformed when a parsed value is nested more than DEEPEST levels deep."""
    level = [found]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise Malformed(f"nested too deeply: more than {DEEPEST} levels")
