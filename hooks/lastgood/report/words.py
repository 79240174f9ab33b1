"""Small words that every report needs."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{count} {noun}{'s' * (count != 1)}"
