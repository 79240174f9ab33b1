"""What the hooks can be told. A bare hook is told nothing, and does not wait for a parser to say so."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class Options:
    """What `check`, `stub` and `gate` can be told. `gathered` takes the documents of several roots, to be one."""

    base: str | None = None
    from_ref: str | None = None
    to_ref: str | None = None
    format = "text"
    all = False
    every_root = False
    gathered: list[dict[str, Any]] | None = None
