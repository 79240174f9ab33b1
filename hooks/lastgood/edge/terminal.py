"""Whether somebody sits at a terminal, and what it can show."""

from __future__ import annotations

import os
import sys

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def attended() -> bool:
    """Whether a person can read and answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def coloured() -> bool:
    """Whether standard output is to be coloured."""
    return colour_wanted(os.environ, terminal=sys.stdout.isatty())


def colour_wanted(environ: Mapping[str, str], *, terminal: bool) -> bool:
    """Colour only at a terminal that has any, and never against the person's word (https://no-color.org)."""
    return terminal and not environ.get("NO_COLOR") and not is_dumb(environ)


def is_dumb(environ: Mapping[str, str]) -> bool:
    """A terminal that only prints lines, or of which nothing is known."""
    return environ.get("TERM", "") in ("", "dumb", "unknown")
