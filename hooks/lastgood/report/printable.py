"""Arbitrary text made safe to print: a completion or a file name must not drive a terminal or a CI runner."""

from __future__ import annotations

# Characters that print nothing but reorder, hide or end what stands around them.
_UNSEEN = (
    *range(0x20),
    *range(0x7F, 0xA0),
    0x061C,
    *range(0x200E, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xE0000, 0xE0080),  # tag characters: invisible copies of ASCII
)
_NO_WIDTH = (0xAD, 0x180E, 0x200B, *range(0x2060, 0x2065), 0xFEFF, 0xFFFE, 0xFFFF)
_SHORT = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r"}
_COMMANDS = ("##[", "##vso[", "##teamcity[")  # CI runners look for these anywhere in a line

_tables: dict[bool, dict[int, str]] = {}  # by multiline, built at the first text that needs one


def printable(text: str, *, multiline: bool = False) -> str:
    r"""`text` with nothing in it that a terminal or a CI log acts on.

    Control characters, bidi controls, line and paragraph separators and lone surrogates become `\n`, `\xNN` or
    `\uNNNN`; newline and tab stay when `multiline`. A line that begins a CI command (`::error`, `##[command]`) has
    its first sign escaped. Everything else, other scripts and emoji included, stays as it is.
    """
    plain = text.replace("\n", "").replace("\t", "") if multiline else text
    if not plain.isprintable():
        text = text.translate(_table(multiline)).encode("utf-8", "backslashreplace").decode("utf-8")
    if "::" in text:
        text = "\n".join(map(_no_command, text.split("\n")))
    if "##" in text:
        for command in _COMMANDS:
            text = text.replace(command, "\\x23" + command[1:])
    return text


def told_apart(text: str) -> list[tuple[bool, str]]:
    """`text` in order, in pieces: (False, what is seen as it is) and (True, what is not, spelled as an escape).

    For pages, which draw everything: also zero-width characters are spelled out, except those that join letters or
    emoji. Newlines and tabs stay.
    """
    if text.replace("\n", "").replace("\t", "").isprintable():
        return [(False, text)] if text else []
    import re

    codes = "".join(map(chr, {*_UNSEEN, *_NO_WIDTH} - {0x09, 0x0A}))
    parts = re.split(f"([{re.escape(codes)}\ud800-\udfff]+)", text)
    spelled = ((bool(at % 2), part) for at, part in enumerate(parts) if part)
    return [(hidden, "".join(_escape(ord(sign)) for sign in part) if hidden else part) for hidden, part in spelled]


def shown_path(path: str) -> str:
    r"""A file name as messages show it: one line, unambiguous, and safe to paste after a command.

    Control characters, quotes and backslashes are escaped, bytes that are not UTF-8 (Python's surrogates for them)
    become `\xNN`, and a leading dash gets `./` before it. `ü` and spaces stay.
    """
    if not path.isprintable() or "\\" in path or '"' in path or "'" in path:
        path = path.translate({0x5C: "\\\\", 0x22: "\\x22", 0x27: "\\x27"})
        path = "".join(f"\\x{ord(sign) - 0xDC00:02x}" if "\udc80" <= sign <= "\udcff" else sign for sign in path)
    return printable("./" + path if path.startswith("-") else path)


def _no_command(line: str) -> str:
    return line.replace("::", "\\x3a:", 1) if line.lstrip().startswith("::") else line


def _table(multiline: bool) -> dict[int, str]:
    if multiline not in _tables:
        kept = (0x09, 0x0A) if multiline else ()
        _tables[multiline] = {code: _SHORT.get(code) or _escape(code) for code in _UNSEEN if code not in kept}
    return _tables[multiline]


def _escape(code: int) -> str:
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
