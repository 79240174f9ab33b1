"""What the hooks can be told. A bare hook is told nothing, and does not wait for a parser to say so."""

from __future__ import annotations


class Options:
    """What `check`, `stub` and `gate` can be told."""

    base = ""
    from_ref = ""
    to_ref = ""
    format = "text"
    all = False
