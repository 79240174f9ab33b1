"""Assertions over the final text: one function and one row each. Present means checked."""

from __future__ import annotations

import re
from functools import lru_cache

from lastgood.core import schema
from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.kinds import type_name
from lastgood.core.pattern import compiled
from lastgood.core.reading import fold_phrase
from lastgood.core.rules import ABSENT, broken, keeps, out_of_bounds
from lastgood.core.strict_json import resolve, same
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from lastgood.core.reading import Text

    Schemas = Mapping[str, Any]
    Check = Callable[[Any, Text, Schemas], Iterable[Failure]]


def failures(expect: Mapping[str, Any], text: Text, schemas: Schemas) -> list[Failure]:
    """What of `expect` the text breaks, in the order of the tables below.

    A text that is not the JSON asked for fails once and is judged no further.
    """
    of_object, of_json, of_text = _asked(tuple(expect))
    found: list[Failure] = []
    if of_object or of_json or expect.get("json"):
        if text.fault:
            return [Failure(f"parse_fail:{one_line(text.fault)}", f"expected JSON, got {shown(text.text)}")]
        if of_object and not isinstance(text.parsed, dict):
            kind = type_name(text.parsed)
            found.append(Failure(f"not_an_object:{kind}", f"expected an object, got {shown(text.parsed)}"))
            of_object = ()
    for name, check in of_object + of_json + of_text:
        found += check(expect[name], text, schemas)
    return found


@lru_cache(maxsize=1024)
def _asked(names: tuple[str, ...]) -> tuple[tuple[tuple[str, Check], ...], ...]:
    """The checks among `names`, in the tables' order. Cases are many, and ask for few different sets of names."""
    return tuple(
        tuple((name, check) for name, check in table.items() if name in names)
        for table in (OF_OBJECT, OF_JSON, OF_TEXT)
    )


# Of a JSON object -----------------------------------------------------------------------------------------------------


def _required_keys(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    for key in wanted:
        if key not in text.parsed:
            yield Failure(
                f"missing_key:{one_line(key)}", f"expected the key {shown(key)}, got only {shown(list(text.parsed))}"
            )


def _status_in(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    status = text.parsed.get("status", ABSENT)
    if not any(same(status, one) for one in wanted):
        got = None if status is ABSENT else status
        told = "no status" if status is ABSENT else shown(status)
        yield Failure(f"status_not_in:{_repr(got)}", f"expected a status of {shown(wanted)}, got {told}")


def _error_equals(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    error = text.parsed.get("error", ABSENT)
    if not same(error, wanted):
        got = None if error is ABSENT else error
        told = "no error" if error is ABSENT else shown(error)
        yield Failure(f"error:{_repr(got)}", f"expected the error {shown(wanted)}, got {told}")


def _repr(found: Any) -> str:
    return one_line(repr(found))


# Of JSON --------------------------------------------------------------------------------------------------------------


def _fields(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    for pointer, rule in wanted.items():
        try:
            found = resolve(text.parsed, pointer)
        except KeyError:
            found = ABSENT
        if not keeps(rule, found):
            told = broken(rule, found, one_line(pointer))
            yield Failure(f"field_mismatch:{one_line(pointer)}", told)


def _output_schema(wanted: Any, text: Text, schemas: Schemas) -> Iterable[Failure]:
    if wanted not in schemas:
        return [Failure(f"no_schema:{wanted}", f"expected golden/schemas/{wanted}.json, got no such schema")]
    try:
        return [_unlike(wanted, *error) for error in schema.errors(schemas[wanted], text.parsed)]
    except Malformed as exc:
        return [Failure(f"no_schema:{wanted}", f"golden/schemas/{wanted}.json: {exc.what}")]


def _unlike(name: str, pointer: str, sentence: str) -> Failure:
    told = f"{one_line(pointer)} {sentence}".strip()
    return Failure(f"schema:{told}", f"expected what {name} says; {told}")


# Of the text ----------------------------------------------------------------------------------------------------------


def _length(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    size = len(text.text.strip())
    expected = out_of_bounds(wanted, size)
    if expected:
        yield Failure(f"length:{size}", f"expected {expected} characters, got {size}")


def _forbidden(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    found = [(phrase, text.folded.find(fold_phrase(phrase))) for phrase in wanted]
    return [_said(phrase, text.folded, at) for phrase, at in found if at >= 0]


def _said(phrase: str, folded: str, at: int) -> Failure:
    end = at + len(fold_phrase(phrase))
    # What stands around it, of the one reading that it is in.
    before, after = folded[max(0, at - 20) : at].rpartition("\0")[2], folded[end : end + 20].partition("\0")[0]
    around = f"{before}{folded[at:end]}{after}".strip()
    return Failure(f"forbidden:{one_line(phrase)}", f"expected no {shown(phrase)}, got {shown(around)}")


def _forbid_patterns(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    may_match, edges = _together(tuple(wanted))
    readings = text.readings(edges=edges)
    return _matches(wanted, readings) if any(map(may_match, readings)) else ()


def _matches(patterns: Any, readings: Sequence[str]) -> Iterable[Failure]:
    for pattern in patterns:
        search = compiled(pattern, fold_case=True).search
        found = next(filter(None, map(search, readings)), None)
        if found:
            yield Failure(f"forbid_pattern:{one_line(pattern)}", f"expected no match, got {shown(found.group())}")


@lru_cache(maxsize=1024)
def _together(patterns: tuple[str, ...]) -> tuple[Callable[[str], bool], bool]:
    """A function that tells whether any of them may match a text, as most texts match none; and their `edges`."""
    edges = any(mark in pattern for pattern in patterns for mark in ("^", "$", "\\A", "\\z"))
    every = _any_of(patterns)

    def may_match(text: str) -> bool:
        # As bytes: where the match lies is not asked here, and counting it in characters takes as long as the search.
        return every is None or every.search(text.encode("utf-8")) is not None

    if not all(map(_PLAIN, patterns)):
        return may_match, edges
    words = [pattern.lower() for pattern in patterns]

    def may_hold(text: str) -> bool:
        if not text.isascii():  # a letter may have a form outside ASCII: the Kelvin sign is a k
            return may_match(text)
        return any(map(text.lower().__contains__, words))

    return may_hold, edges


_PLAIN = re.compile("[A-Za-z0-9 _,:;!'\"/@#%&<>=~`-]*").fullmatch  # what stands for itself in a pattern


def _any_of(patterns: tuple[str, ...]) -> Any:
    """One pattern for all of them; None when they cannot stand in one."""
    if any("\\Q" in pattern for pattern in patterns):
        return None  # a quotation left open would swallow the patterns after it
    try:
        return compiled("|".join(f"(?:{pattern})" for pattern in patterns), fold_case=True)
    except Malformed:  # too large together
        return None


def _require_patterns(wanted: Any, text: Text, _schemas: Schemas) -> Iterable[Failure]:
    for pattern in wanted:
        search = compiled(pattern, fold_case=True).search
        if not any(map(search, text.strings())):
            yield Failure(f"require_pattern:{one_line(pattern)}", f"expected a match, got {shown(text.text)}")


def _also_of_turns(check: Check, *, in_each: bool) -> Check:
    """The check of a list over the text; given `{"of": list, "in": "turns"}`, over every turn.

    `in_each`: it must hold in each of them, otherwise in one.
    """

    def checked(wanted: Any, text: Text, schemas: Schemas) -> Iterable[Failure]:
        return in_turns(wanted["of"], text.turns, schemas) if isinstance(wanted, dict) else check(wanted, text, schemas)

    def in_turns(wanted: Any, turns: Sequence[Text] | None, schemas: Schemas) -> Iterable[Failure]:
        if turns is None:
            yield Failure("missing_turns", "expected a trace with turns, got none, so nobody knows what was said")
            return
        told: dict[str, list[tuple[int, Failure]]] = {}
        for nth, turn in enumerate(turns, 1):
            for failure in check(wanted, turn, schemas):
                told.setdefault(failure.kind_detail, []).append((nth, failure))
        for kind_detail, failures in told.items():
            nth, failure = failures[0]
            if in_each or len(failures) == len(turns):
                where = f"turn {nth} of {len(turns)}" if in_each else f"any of {len(turns)} turns"
                yield Failure(kind_detail, f"{where}: {failure.explanation}")

    return checked


OF_OBJECT: dict[str, Check] = {
    "required_keys": _required_keys,
    "status_in": _status_in,
    "error_equals": _error_equals,
}
OF_JSON: dict[str, Check] = {"fields": _fields, "output_schema": _output_schema}
OF_TEXT: dict[str, Check] = {
    "length": _length,
    "forbidden": _also_of_turns(_forbidden, in_each=True),
    "forbid_patterns": _also_of_turns(_forbid_patterns, in_each=True),
    "require_patterns": _also_of_turns(_require_patterns, in_each=False),
}
