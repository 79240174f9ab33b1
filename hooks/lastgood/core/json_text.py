"""Where the values of a JSON text stand, so that one can be replaced without touching a byte of the others."""

from __future__ import annotations

import json

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Span = tuple[int, int]  # first character of a value, and the one after its last

_WHITE = " \t\r\n"
_DECODER = json.JSONDecoder()


def members(text: str, start: int = 0) -> dict[str, Span]:
    """Key → span of its value, of the (sound) object that begins at or after `start`."""
    found: dict[str, Span] = {}
    for at in _items(text, start, "{", "}"):
        key, end = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)  # over the colon
        found[key] = (value, _end(text, value))
    return found


def elements(text: str, start: int) -> list[Span]:
    """The spans of the elements of the (sound) array that begins at or after `start`."""
    return [(at, _end(text, at)) for at in _items(text, start, "[", "]")]


def _items(text: str, start: int, opening: str, closing: str) -> Iterator[int]:
    """Where each key of an object, or element of an array, begins."""
    at = _skip(text, start)
    assert text[at] == opening, "the text was validated, and says so"
    at = _skip(text, at + 1)
    while text[at] != closing:
        yield at
        at = _skip(text, _end(text, at))
        if text[at] == ":":
            at = _skip(text, _end(text, _skip(text, at + 1)))
        if text[at] == ",":
            at = _skip(text, at + 1)


def _end(text: str, start: int) -> int:
    return _DECODER.raw_decode(text, start)[1]


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITE:
        at += 1
    return at


def case_spans(text: str) -> list[Span]:
    """The spans of the case objects in a golden file: its `cases`, or the whole of it."""
    found = members(text)
    return elements(text, found["cases"][0]) if "cases" in found else [(0, len(text))]


def with_version(case: str, version: int) -> str:
    """A case object's text with its version set, in the layout that it has."""
    found = members(case)
    if "version" in found:
        start, end = found["version"]
        return f"{case[:start]}{version}{case[end:]}"
    end = found["id"][1]
    return f'{case[:end]},{_gap(case, case.index(chr(34)))}"version": {version}{case[end:]}'


def inserted_after(text: str, span: Span, item: str) -> str:
    """An array's text with one more element behind the one at `span`."""
    return f"{text[: span[1]]},{_gap(text, span[0])}{item}{text[span[1] :]}"


def _gap(text: str, at: int) -> str:
    """The white space before a value, when it begins a line; else one space."""
    line = text[:at].rpartition("\n")
    ending = "\r\n" if line[0].endswith("\r") else "\n"
    return ending + line[2] if line[1] and not line[2].strip() else " "
