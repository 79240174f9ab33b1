"""Cases on their way in: what a source's assertion becomes, what several become together, and what was left out."""

from __future__ import annotations

import re

from lastgood.core import schema, strict_json
from lastgood.core.case import read_golden
from lastgood.core.digest import value_hash
from lastgood.core.names import unusable
from lastgood.core.strict_json import same
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_LONGEST = 60  # characters of an id that is made of a description
_OTHER = re.compile(r"[^a-z0-9_]+")
DRAFT_07 = "http://json-schema.org/draft-07/schema#"


class Unexpressed(LastgoodError):
    """Something that a golden case cannot say; `what` is the reason."""


@value(frozen=True)
class Loss:
    """Something that was left out: where it stands in the source, what it is called there, and why.

    `aside`: it is no part of what the source asserts, so that without it everything is said all the same.
    """

    path: str
    pointer: str
    name: str
    why: str
    aside: bool = False


@value(frozen=True)
class Held:
    """What of a source a case holds: `expect` over the text, `assertions` over the calls, `tools` that may be called.

    `schema` is a JSON Schema of the text; `left` are (name, why) of the parts that were left out.
    """

    expect: Mapping[str, Any] = {}
    assertions: Mapping[str, Any] = {}
    tools: tuple[str, ...] | None = None
    schema: Any = None
    left: tuple[tuple[str, str], ...] = ()


NOTHING = Held()


@value(frozen=True)
class Said:
    """What was said when the source recorded: the text, the calls where it kept any, and which model said it."""

    final_text: str
    tool_calls: tuple[Mapping[str, Any], ...] | None
    model: str = ""


@value(frozen=True)
class Draft:
    """One golden case that does not lie in the repository yet; `said` is the completion that came with it."""

    case: dict[str, Any]
    path: str
    pointer: str
    said: Said | None = None

    @property
    def case_id(self) -> str:
        return str(self.case["id"])


@value(frozen=True)
class Imported:
    """What one source gave: cases that lastgood's own reader accepts, the schemas they name, and what was left out."""

    drafts: tuple[Draft, ...] = ()
    schemas: Mapping[str, Any] = {}
    losses: tuple[Loss, ...] = ()


def merged(one: Held, other: Held) -> Held:
    """What holds both; Unexpressed where one case cannot say both."""
    schemas = [held.schema for held in (one, other) if held.schema is not None]
    if len(schemas) == 2 and not same(*schemas):
        schemas = [{"$schema": DRAFT_07, "allOf": schemas}]
    tools = one.tools if other.tools is None else other.tools
    if one.tools is not None and other.tools is not None:
        tools = tuple(name for name in one.tools if name in other.tools)
    return Held(
        expect=_joined(one.expect, other.expect),
        assertions=_joined(one.assertions, other.assertions),
        tools=tools,
        schema=schemas[0] if schemas else None,
        left=(*one.left, *other.left),
    )


_LISTS = ("require_patterns", "forbid_patterns", "must_call", "must_not_call")


def _joined(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(one)
    for name, wanted in other.items():
        before = found.get(name)
        if before is None or same(before, wanted):
            found[name] = wanted
        elif name in _LISTS:
            found[name] = list(dict.fromkeys((*before, *wanted)))
        elif name == "calls":
            found[name] = _more_calls(before, wanted)
        elif isinstance(before, dict) and isinstance(wanted, dict) and name != "length":
            found[name] = _by_key(name, before, wanted)
        else:
            raise Unexpressed(f"another assertion of this test has taken {name}, which a case has once")
    return found


def _by_key(name: str, before: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(before)
    for key, held in wanted.items():
        if name == "call_count" and key in found:
            found[key] = _bounds(found[key], held)
        elif key in found and not same(found[key], held):
            raise Unexpressed(f"another assertion of this test asks otherwise of {key!r} in {name}")
        found.setdefault(key, held)
    return found


def _bounds(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    low = [bounds["ge"] for bounds in (one, other) if "ge" in bounds]
    high = [bounds["le"] for bounds in (one, other) if "le" in bounds]
    return ({"ge": max(low)} if low else {}) | ({"le": min(high)} if high else {})


def _more_calls(before: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    names = {call["name"] for call in before["of"]} & {call["name"] for call in wanted["of"]}
    if before.get("match") == wanted.get("match") == "at_least" and not names:
        return {"match": "at_least", "of": [*before["of"], *wanted["of"]]}
    what = f"calls of {min(names)!r}" if names else "the calls"
    raise Unexpressed(f"another assertion of this test is about {what}: a case would need a call for each of the two")


class CaseFile:
    """Builds one case, assertion by assertion; what the loader would refuse never gets in."""

    def __init__(self, prompt_id: str, case_id: str, given: Mapping[str, Any], notes: str = "") -> None:
        self._prompt_id, self._id, self._input, self._notes = prompt_id, case_id, given, notes
        self._held = NOTHING

    def add(self, held: Held) -> tuple[tuple[str, str], ...]:
        """Take one assertion in; what of it was left out. Unexpressed when none of it can be said."""
        if held.schema is not None:
            _sound_schema(held.schema)
        both = merged(self._held, replace(held, left=()))
        _refuse_unsound(self._object(both))
        self._held = both
        return held.left

    @property
    def empty(self) -> bool:
        """Whether it would hold nothing."""
        return not (self._held.expect or self._held.assertions or self._held.schema is not None)

    @property
    def schemas(self) -> dict[str, Any]:
        """Name → the JSON Schema that the case names."""
        return {} if self._held.schema is None else {schema_name(self._held.schema): self._held.schema}

    def object(self) -> dict[str, Any]:
        """The case as it will stand in its file."""
        return self._object(self._held)

    def _object(self, held: Held) -> dict[str, Any]:
        expect = dict(held.expect)
        if held.schema is not None:
            expect["output_schema"] = schema_name(held.schema)
        found: dict[str, Any] = {"id": self._id, "version": 1, "prompt_id": self._prompt_id, "input": dict(self._input)}
        found |= {"tools": list(held.tools)} if held.tools is not None else {}
        found |= {"expect": expect} if expect else {}
        found |= {"assertions": dict(held.assertions)} if held.assertions else {}
        return found | ({"notes": self._notes} if self._notes else {})


def _refuse_unsound(case: Mapping[str, Any]) -> None:
    if not ("expect" in case or "assertions" in case):  # tools alone, which is no assertion of a case
        case = {**case, "expect": {"json": True}}
    why = fault_of(case)
    if why:
        raise Unexpressed(why)


def fault_of(case: Mapping[str, Any]) -> str:
    """Why lastgood's own reader would refuse a case; "" when it takes it."""
    try:
        read_golden("", strict_json.dump(case))
    except Malformed as exc:
        return f"{exc.what} (at {exc.pointer})" if exc.pointer else exc.what
    except (UnicodeEncodeError, ValueError, RecursionError) as exc:
        return f"cannot be written as JSON: {type(exc).__name__}"
    return ""


def _sound_schema(found: Any) -> None:
    try:
        schema.check_schema(found)
    except Malformed as exc:
        raise Unexpressed(exc.what) from None


def schema_name(found: Any) -> str:
    """The name of a schema's file: of what it says, so that cases share it."""
    return f"schema-{value_hash(found)[:8]}"


def with_draft(found: Any) -> Any:
    """A schema with the draft that says how its source reads it."""
    return {"$schema": DRAFT_07, **found} if isinstance(found, dict) and "$schema" not in found else found


def slug(text: str, otherwise: str) -> str:
    """An id made of a description; `otherwise` where nothing is left of it."""
    from unicodedata import normalize

    plain = normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    found = _OTHER.sub("-", plain)[:_LONGEST].strip("-_")
    return otherwise if not found or unusable(found) else found


def hashed(found: Any) -> str:
    """Eight hex digits that stand for a value, for an id that moves only when the value does."""
    return value_hash(found)[:8]


class Ids:
    """Gives every case of one import an id of its own, in the order asked for."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def give(self, wanted: str, given: Any) -> str:
        """`wanted`, or where it is taken the same with digits of the input, or a number."""
        options = [wanted, f"{wanted}-{hashed(given)[:6]}"]
        nth = 2
        while options[0].casefold() in self._taken:
            options = options[1:] or [f"{wanted}-{nth}"]
            nth += 1
        self._taken.add(options[0].casefold())
        return options[0]


def losses_of(path: str, pointer: str, left: Iterable[tuple[str, str]]) -> tuple[Loss, ...]:
    """The parts of one assertion that were left out, as losses."""
    return tuple(Loss(path, pointer, name, why) for name, why in left)
