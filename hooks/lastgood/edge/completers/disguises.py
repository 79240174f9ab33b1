"""How a value that must not be shown may look when somebody else has written it: escaped, encoded, cut into lines."""

from __future__ import annotations

import json
from binascii import b2a_base64

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST = 8  # characters; shorter values (a flag, a region) hide nothing
_SHORTEST_LINE = 16  # characters; a line that is shorter may stand anywhere by chance

# What writers of JSON escape beyond what they must: PHP; Go; Gson.
_ESCAPED_TOO = ("/", "<>&", "<>&'=")
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")


def disguises(value: str) -> Iterator[str]:
    """Every text that `value` is looked for as, itself first; none of a value too short to be a secret."""
    stripped = value.strip()  # a file's last line feed comes along into many a variable
    if len(stripped) < SHORTEST:
        return
    lines = [line.strip() for line in stripped.splitlines()]
    for text in dict.fromkeys((value, stripped, *(line for line in lines if len(line) >= _SHORTEST_LINE))):
        yield text
        yield from _in_json(text)
        data = text.encode("utf-8", "surrogateescape")
        yield "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)
        yield from _in_base64(data)


def _in_json(text: str) -> Iterator[str]:
    for ascii_only in (True, False):
        written = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        yield written
        for signs in _ESCAPED_TOO:
            if any(sign in text for sign in signs):
                yield "".join(_escape(char) if char in signs else char for char in written)


def _escape(char: str) -> str:
    return "\\/" if char == "/" else f"\\u{ord(char):04x}"


def _in_base64(data: bytes) -> Iterator[str]:
    """What is the same of its encoding whatever stands before and after it."""
    for before in range(3):
        whole = b2a_base64(bytes(before) + data, newline=False).decode("ascii")
        inner = whole[-(-8 * before // 6) : 8 * (before + len(data)) // 6]
        yield inner
        yield inner.translate({ord("+"): "-", ord("/"): "_"})
