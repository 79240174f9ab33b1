"""Where a person is told something, and which root they mean: the commands that are named have to work from there."""

from __future__ import annotations

from lastgood.edge.roots import find_root, use
from lastgood.errors import LastgoodError


def mean(folder: str) -> None:
    """Let every command of this process be about the root that --root named; "" for the nearest one."""
    use(folder)


def top() -> str:
    """The root; the current folder where there is none."""
    try:
        return find_root()
    except (LastgoodError, OSError):
        return "."
