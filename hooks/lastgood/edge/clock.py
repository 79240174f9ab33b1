"""The clock, and who is at the keyboard: the only facts of a migration that two people record differently."""

from __future__ import annotations

import time

from lastgood.edge import git
from lastgood.errors import LastgoodError


def now() -> str:
    """This moment in UTC: `2026-11-30T22:10:00Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def seconds_since(moment: str) -> float:
    """Seconds since a moment that `now` told; 0 for what is none."""
    import calendar

    try:
        return time.time() - calendar.timegm(time.strptime(moment, "%Y-%m-%dT%H:%M:%SZ"))
    except ValueError:
        return 0.0


def author(root: str) -> str:
    """`Name <mail>` as git would sign a commit; LastgoodError when git does not know."""
    done = git.attempt("var", "GIT_AUTHOR_IDENT", root=root)
    ident = done.out.decode("utf-8", "replace").rpartition(">")[0]
    if done.code or not ident:
        raise LastgoodError(
            "git does not know who you are, and a migration says who accepted it",
            fix="git config user.name 'Your Name' && git config user.email you@example.org",
        )
    return ident + ">"
