"""What the hooks can be told. A bare hook is told nothing, and does not wait for a parser to say so."""

from __future__ import annotations


class Options:
    """What `check`, `stub` and `gate` can be told."""

    base: str | None = None
    from_ref: str | None = None
    to_ref: str | None = None
    format = "text"
    all = False
