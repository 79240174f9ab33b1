"""Assertions over the final text: one function and one row each. Present means checked."""

from __future__ import annotations

from functools import lru_cache

from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.kinds import type_name
from lastgood.core.pattern import compiled
from lastgood.core.reading import fold_phrase
from lastgood.core.rules import ABSENT, broken, out_of_bounds
from lastgood.core.strict_json import resolve, same
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from lastgood.core.reading import Text

    Schemas = Mapping[str, Any]
    Check = Callable[[Any, Text, Schemas], Iterator[Failure]]


def failures(expect: Mapping[str, Any], text: Text, schemas: Schemas) -> Iterator[Failure]:
    """What of `expect` the text breaks, in the order of the tables below.

    A text that is not the JSON asked for fails once and is judged no further.
    """
    tables = [OF_OBJECT, OF_JSON, OF_TEXT]
    of_object = not OF_OBJECT.keys().isdisjoint(expect)
    if of_object or expect.get("json") or not OF_JSON.keys().isdisjoint(expect):
        if text.fault:
            yield Failure(f"parse_fail:{one_line(text.fault)}", f"expected JSON, got {shown(text.text)}")
            return
        if of_object and not isinstance(text.parsed, dict):
            yield Failure(f"not_an_object:{type_name(text.parsed)}", f"expected an object, got {shown(text.parsed)}")
            del tables[0]
    for table in tables:
        for name in filter(expect.__contains__, table):
            yield from table[name](expect[name], text, schemas)


# Of a JSON object -----------------------------------------------------------------------------------------------------


def _required_keys(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    for key in wanted:
        if key not in text.parsed:
            yield Failure(
                f"missing_key:{one_line(key)}", f"expected the key {shown(key)}, got only {shown(list(text.parsed))}"
            )


def _status_in(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    status = text.parsed.get("status", ABSENT)
    if not any(same(status, one) for one in wanted):
        got = None if status is ABSENT else status
        told = "no status" if status is ABSENT else shown(status)
        yield Failure(f"status_not_in:{_repr(got)}", f"expected a status of {shown(wanted)}, got {told}")


def _error_equals(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    error = text.parsed.get("error", ABSENT)
    if not same(error, wanted):
        got = None if error is ABSENT else error
        told = "no error" if error is ABSENT else shown(error)
        yield Failure(f"error:{_repr(got)}", f"expected the error {shown(wanted)}, got {told}")


def _repr(found: Any) -> str:
    return one_line(repr(found))


# Of JSON --------------------------------------------------------------------------------------------------------------


def _fields(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    for pointer, rule in wanted.items():
        try:
            found = resolve(text.parsed, pointer)
        except KeyError:
            found = ABSENT
        reason = broken(rule, found)
        if reason:
            yield Failure(f"field_mismatch:{one_line(pointer)}", f"{one_line(pointer)}: {reason}")


def _output_schema(wanted: Any, text: Text, schemas: Schemas) -> Iterator[Failure]:
    from lastgood.core.schema import errors

    if wanted not in schemas:
        yield Failure(f"no_schema:{wanted}", f"expected golden/schemas/{wanted}.json, got no such schema")
        return
    try:
        for pointer, sentence in errors(schemas[wanted], text.parsed):
            told = f"{one_line(pointer)} {sentence}".strip()
            yield Failure(f"schema:{told}", f"expected what {wanted} says; {told}")
    except Malformed as exc:
        yield Failure(f"no_schema:{wanted}", f"golden/schemas/{wanted}.json: {exc.what}")


# Of the text ----------------------------------------------------------------------------------------------------------


def _length(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    size = len(text.text.strip())
    expected = out_of_bounds(wanted, size)
    if expected:
        yield Failure(f"length:{size}", f"expected {expected} characters, got {size}")


def _forbidden(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    for phrase in wanted:
        at = text.folded.find(_phrase(phrase))
        if at >= 0:
            around = text.folded[max(0, at - 20) : at + len(phrase) + 20].strip("\0 ")
            yield Failure(f"forbidden:{one_line(phrase)}", f"expected no {shown(phrase)}, got {shown(around)}")


_phrase = lru_cache(maxsize=4096)(fold_phrase)


def _forbid_patterns(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    edges = any(mark in pattern for pattern in wanted for mark in ("^", "$", "\\A", "\\z"))
    readings = list(text.readings(edges=edges))
    every = _any_of(tuple(wanted))
    if every and not any(map(every.search, readings)):
        return
    for pattern in wanted:
        search = compiled(pattern, fold_case=True).search
        found = next(filter(None, map(search, readings)), None)
        if found:
            yield Failure(f"forbid_pattern:{one_line(pattern)}", f"expected no match, got {shown(found.group())}")


@lru_cache(maxsize=1024)
def _any_of(patterns: tuple[str, ...]) -> Any:
    """One pattern for all of them, as most texts match none; None when they cannot stand in one."""
    if any("\\Q" in pattern for pattern in patterns):
        return None  # a quotation left open would swallow the patterns after it
    try:
        return compiled("|".join(f"(?:{pattern})" for pattern in patterns), fold_case=True)
    except Malformed:  # too large together
        return None


def _require_patterns(wanted: Any, text: Text, _schemas: Schemas) -> Iterator[Failure]:
    for pattern in wanted:
        search = compiled(pattern, fold_case=True).search
        if not any(map(search, text.strings())):
            yield Failure(f"require_pattern:{one_line(pattern)}", f"expected a match, got {shown(text.text)}")


OF_OBJECT: dict[str, Check] = {
    "required_keys": _required_keys,
    "status_in": _status_in,
    "error_equals": _error_equals,
}
OF_JSON: dict[str, Check] = {"fields": _fields, "output_schema": _output_schema}
OF_TEXT: dict[str, Check] = {
    "length": _length,
    "forbidden": _forbidden,
    "forbid_patterns": _forbid_patterns,
    "require_patterns": _require_patterns,
}
