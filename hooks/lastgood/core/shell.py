"""Words as a POSIX shell takes them, so that a printed command can be pasted whatever a file is called."""

from __future__ import annotations

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./@:=+,%")


def quoted(word: str) -> str:
    """One word, in single quotes where it needs them. Letters of other scripts need none."""
    if word and not word.startswith("-") and all(map(_plain, word)):
        return word
    if not word.isprintable():  # newline, tab, ESC: only this form shows them and can be pasted
        return "$'" + "".join(map(_escaped, word)) + "'"
    return "'" + word.replace("'", "'\\''") + "'"


def _plain(char: str) -> bool:
    return char in _PLAIN or (char > "\x7f" and char.isprintable())


def _escaped(char: str) -> str:
    if char in "'\\":
        return "\\" + char
    if char.isprintable():
        return char
    data = char.encode("utf-8", "surrogateescape")
    return "".join(f"\\x{byte:02x}" for byte in data)
