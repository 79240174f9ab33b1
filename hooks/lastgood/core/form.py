"""What moved of a text when nobody changed a word: line endings, the final newline, the encoding."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_BOMS = (("utf-8-sig", b"\xef\xbb\xbf"), ("utf-16", b"\xff\xfe"), ("utf-16", b"\xfe\xff"))


def moved_form(old: bytes, new: bytes) -> tuple[str, ...]:
    """The names of what moved where the words are the same; none where a word moved, or nothing did."""
    before, after = _text(old), _text(new)
    if before is None or after is None or old == new:
        return ()
    found: Sequence[tuple[str, bool]] = (
        ("encoding", before.encode("utf-8") == after.encode("utf-8") or _encoding(old) != _encoding(new)),
        ("line endings", _unended(before) != _unended(after) or _crlf(before) != _crlf(after)),
        ("final newline", before.endswith("\n") != after.endswith("\n")),
    )
    same = _unended(before) == _unended(after)
    return tuple(name for name, moved in found if moved) if same else ()


def _encoding(data: bytes) -> str:
    return next((name for name, mark in _BOMS if data.startswith(mark)), "utf-8")


def _text(data: bytes) -> str | None:
    try:
        return data.decode(_encoding(data))
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace") if b"\0" not in data else None


def _crlf(text: str) -> bool:
    return "\r" in text


def _unended(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
