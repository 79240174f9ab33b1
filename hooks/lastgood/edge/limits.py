"""How many files this process may hold open."""

from __future__ import annotations

_OURS = 128  # descriptors for everything else


def allow_files(count: int) -> None:
    """Make room for `count` open files more than usual, as far as the system lets us."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + _OURS
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    except (ValueError, OSError):  # what runs out later says so itself
        return
