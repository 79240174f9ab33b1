"""A yes before files are written: from a person at a terminal, or from whoever said so on the command line."""

from __future__ import annotations

import os

from lastgood.core.guard import refusal
from lastgood.edge import terminal
from lastgood.errors import Refused


def agree(*, yes: bool, fix: str) -> None:
    """Return when it is agreed to write; Refused otherwise."""
    if yes:
        return
    why = refusal(os.environ)
    if why or not terminal.attended():
        told = f"{why}; " if why else "nobody is at a terminal to say yes; "
        raise Refused(f"{told}nothing was written", fix=fix)
    try:
        said = input("Write these? [y/N] ")
    except EOFError:  # Ctrl-D is no yes
        said = ""
        print()
    if said.strip().lower() not in ("y", "yes"):
        raise Refused("not agreed; nothing was written")
