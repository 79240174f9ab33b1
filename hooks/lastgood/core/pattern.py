"""Patterns that cannot hang: RE2 matches in time linear in the text, whatever the pattern."""

from __future__ import annotations

from functools import lru_cache

from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any


@lru_cache(maxsize=4096)
def compiled(pattern: str, *, fold_case: bool = False) -> Any:
    """The compiled pattern; Malformed when it is not one, or needs backtracking (look-around, back-references)."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not fold_case
    try:
        return re2.compile(pattern, options)
    except re2.error as exc:
        reason = exc.args[0].decode() if isinstance(exc.args[0], bytes) else str(exc)
        raise Malformed(
            f"pattern {pattern!r} is not usable: {reason} (patterns follow RE2, which cannot hang)"
        ) from None
