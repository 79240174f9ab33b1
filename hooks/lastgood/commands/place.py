"""Where a person is told something: the commands that are named have to work from there."""

from __future__ import annotations

from lastgood.edge.git import find_root
from lastgood.errors import LastgoodError


def top() -> str:
    """The top of the repository; the current folder where there is none."""
    try:
        return find_root()
    except (LastgoodError, OSError):
        return "."
