"""What an answer reports of itself beside what it says."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

_REPORTING = ("trace", "openai", "responses", "anthropic")  # the others have no place for it


def reported(raw: str, output: str, take: str = "") -> dict[str, Any]:
    """`{"model": str, "usage": object}`, each where the answer holds it and it is of that type. Never raises.

    `usage` is the vendor's own: its keys differ, its numbers are tokens. With `take` the answer stands in an envelope,
    `raw`, which may report whatever is taken out of it.
    """
    if output not in _REPORTING and not take:
        return {}
    if '"model"' not in raw and '"usage"' not in raw:  # not worth reading a second time
        return {}
    try:
        found = nesting.loads(raw.strip())
    except Malformed:
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: found[key] for key, kind in (("model", str), ("usage", dict)) if isinstance(found.get(key), kind)}
