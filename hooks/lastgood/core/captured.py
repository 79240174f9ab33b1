"""Captured traces: one JSON object by case id, or JSON Lines with the id in each.

Of another shape than our own trace (`output`), a line is `{"id", "output"}`, as completers answer, since a vendor's
object has an id of its own.
"""

from __future__ import annotations

import json
import re

from lastgood.core import bulk_json
from lastgood.core.strict_json import escape
from lastgood.core.trace import read_completion, read_trace
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from lastgood.core.trace import Completion


@value(frozen=True)
class Captured:
    """One captured trace: the case it answers, what it says, and where that stands.

    `raw` is the text that was read, "" where a sound completion already says all of it.
    """

    case_id: str
    completion: Completion
    raw: str
    place: str  # a JSON Pointer, or `line 3`


def is_line(text: str) -> bool:
    """Whether a first line is a trace by itself, so that the file is JSON Lines."""
    found = _leniently(text)
    return isinstance(found, dict) and isinstance(found.get("id"), str)


def of_lines(output: str) -> Callable[[bytes, str], Captured]:
    """A function that gives the trace on one line of JSON Lines, as bytes; `place` says where that stands.

    Malformed when it cannot be told which case it answers. A trace that is unsound otherwise (a duplicate key, NaN) is
    a malformed completion of its case.
    """
    if output != "trace":
        return lambda line, place: _of_envelope(as_text(line), place, output)
    loads = bulk_json.reader()

    def of_line(line: bytes, place: str) -> Captured:
        try:
            found = loads(line)
        except Malformed as exc:
            return _unsound(as_text(line), place, exc)
        case_id = found.get("id") if isinstance(found, dict) else None
        if not isinstance(case_id, str):
            raise Malformed("must be an object with the id of its case", pointer=place)
        completion = read_trace(found)
        return Captured(case_id, completion, as_text(line) if completion.malformed else "", place)

    return of_line


def _unsound(text: str, place: str, exc: Malformed) -> Captured:
    found = _leniently(text)
    if found is None or exc.pointer == "/id":  # not JSON at all, or two ids
        raise Malformed(exc.what, pointer=f"{place} {exc.pointer}".strip()) from None
    if not isinstance(found, dict) or not isinstance(found.get("id"), str):
        raise Malformed("must be an object with the id of its case", pointer=place)
    return Captured(found["id"], read_completion(text, "trace"), text, place)


def _of_envelope(text: str, place: str, output: str) -> Captured:
    try:
        found = list(_members(text))
    except Malformed as exc:
        raise Malformed(exc.what, pointer=place) from None
    members = dict(found)
    if len(members) != len(found) or not members.get("id", "").startswith('"') or "output" not in members:
        raise Malformed("must be an object with the id of its case and the output, each once", pointer=place)
    raw = _said(members["output"], output)
    return Captured(str(_leniently(members["id"])), read_completion(raw, output), raw, place)


def _said(raw: str, output: str) -> str:
    """What a completer wrote; a string in a file of other shapes holds that as text."""
    return str(_leniently(raw)) if output != "trace" and raw.startswith('"') else raw


def as_text(data: bytes) -> str:
    """The text in bytes. What is no UTF-8 becomes lone surrogates, which a trace may not hold: it is malformed."""
    return data.decode("utf-8", "surrogateescape").strip()


def of_object(text: str, output: str) -> Iterator[Captured]:
    """The traces in one object, case id → trace; Malformed when it is no such object.

    Each is read from its own text, so that an unsound one is a malformed completion of its case and no more.
    """
    for case_id, member in list(_members(text)):  # the whole object first: half of one is none
        raw = _said(member, output)
        yield Captured(case_id, read_completion(raw, output), raw, f"/{escape(case_id)}")


# For finding where a value ends, whatever it holds; numbers stay text, since some are too long to convert.
_SCANNER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_SPACE = re.compile(r"[ \t\n\r]*")


def _leniently(text: str) -> Any:
    try:
        return _SCANNER.decode(text)
    except (ValueError, RecursionError):
        return None


def _members(text: str) -> Iterator[tuple[str, str]]:
    at = _skip(text, 0)
    if text[at : at + 1] != "{":
        raise Malformed("must be one object, case id → trace, or JSON Lines with an id a line")
    at = _skip(text, at + 1)
    if text[at : at + 1] == "}":
        at += 1
    else:
        more = True
        while more:
            if text[at : at + 1] != '"':
                raise _not_json("expected a case id", text, at)
            name, at = _value(text, at)
            start = _expect(text, at, ":")
            _, end = _value(text, start)
            yield name, text[start:end]
            at = _skip(text, end)
            more = text[at : at + 1] == ","
            at = _skip(text, at + 1) if more else _expect(text, at, "}")
    at = _skip(text, at)
    if at != len(text):
        raise _not_json("more after the object", text, at)


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _SCANNER.raw_decode(text, at)
    except json.JSONDecodeError as exc:
        raise _not_json(exc.msg, text, exc.pos) from None
    except RecursionError:
        raise Malformed("nested too deeply") from None


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise _not_json(f"expected {sign!r}", text, at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found
    return found.end()


def _not_json(what: str, text: str, at: int) -> Malformed:
    line = text.count("\n", 0, at) + 1
    return Malformed(f"not JSON: {what} at line {line} column {at - text.rfind(chr(10), 0, at)}")
