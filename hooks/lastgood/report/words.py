"""Small words that every report needs."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}{'s' * (count != 1)}"


_UNITS = (("day", 86_400), ("hour", 3600), ("minute", 60))


def ago(seconds: float) -> str:
    """`2 hours ago`; `just now` below a minute, also for a clock that was set back."""
    for noun, length in _UNITS:
        if seconds >= length:
            return f"{counted(int(seconds // length), noun)} ago"
    return "just now"
