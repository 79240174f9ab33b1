"""What a schema cannot say of a golden case: assertions that check nothing, contradict themselves, or cannot work.

Every function yields (JSON Pointer, sentence) of what is wrong.
"""

from __future__ import annotations

from functools import lru_cache

from lastgood.core import call_bounds, names
from lastgood.core.assertions import EVERY_TOOL
from lastgood.core.failure import one_line, shown
from lastgood.core.pattern import compiled
from lastgood.core.reading import fold_phrase
from lastgood.core.rule_soundness import of_bounds, of_fields, of_length
from lastgood.core.strict_json import escape
from lastgood.core.suggest import meant
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Faults = Iterator[tuple[str, str]]

# Empty lists that still ask for something: no status is allowed.
_CHECKED_EMPTY = frozenset({"status_in"})
_OF_JSON = ("required_keys", "status_in", "error_equals", "fields", "output_schema")


def of_names(objects: list[tuple[str, Any]]) -> Faults:
    """Cases of one file whose names clash."""
    first: dict[tuple[str, int], str] = {}
    for pointer, case in objects:
        key = case["id"], case.get("version", 1)
        if key in first:
            yield f"{pointer}/id", f"case {key[0]!r} version {key[1]} is already at {first[key]}"
        first.setdefault(key, pointer)
    places = {case["id"]: pointer for pointer, case in objects}
    for left, right in names.colliding(places):
        yield f"{places[right]}/id", f"{right!r} and {left!r} are one file name on some systems"


def of_case(case: Any, pointer: str) -> Faults:
    """One case, already known to fit its schema."""
    unusable = names.unusable(case["id"])
    if unusable:
        yield f"{pointer}/id", f"{unusable}, so it cannot name a file"
    if type(case.get("version", 1)) is not int:
        yield f"{pointer}/version", f"must be a whole number written without a fraction, not {shown(case['version'])}"
    yield from of_normalization(case, pointer)
    parts = [(f"{pointer}/{name}", case[name]) for name in ("expect", "assertions") if name in case]
    for place, part in parts:
        if not any(_asks(name, wanted) for name, wanted in part.items()):
            yield place, "checks nothing"
        for name, wanted in part.items():
            if name in _BY_NAME:
                yield from _BY_NAME[name](wanted, f"{place}/{name}")
        yield from _of_json(part, place)
        yield from _of_tools(case.get("tools"), part, place)
        yield from _of_arguments(part, place)
        yield from ((f"{place}{inside}", what) for inside, what in call_bounds.clashes(part))
    if len({part["output_schema"] for _, part in parts if "output_schema" in part}) > 1:
        yield f"{parts[1][0]}/output_schema", "names another schema than expect does; one case has one output schema"


def of_normalization(declaring: Any, pointer: str) -> Faults:
    """A `normalize` value whose replacements cannot work or would replace everything."""
    declared = declaring.get("normalize", "")
    rules = declared.get("replace", ()) if isinstance(declared, dict) else ()
    for nth, rule in enumerate(rules):
        yield from _pattern(rule["pattern"], f"{pointer}/normalize/replace/{nth}/pattern")


def _asks(name: str, wanted: Any) -> bool:
    return name in _CHECKED_EMPTY or wanted not in ([], {}, False)


def _of_json(part: Any, place: str) -> Faults:
    clash = next((name for name in _OF_JSON if name in part), None)
    if part.get("json") is False and clash:
        yield f"{place}/json", f"is false, but {clash} asks for JSON"


def _of_tools(tools: Any, part: Any, place: str) -> Faults:
    clash = [name for name in part.get("must_not_call", ()) if name in part.get("must_call", ())]
    if clash:
        yield f"{place}/must_not_call/{part['must_not_call'].index(clash[0])}", f"must_call names {clash[0]!r} too"
    if tools is not None:
        # Also must_not_call: a call of a tool outside `tools` fails anyway, so such a name is at best idle. At worst it
        # is a slip of the pen, and the tool that was meant may be called.
        for pointer, tool in _tools_named(part):
            if tool not in tools:
                yield f"{place}{pointer}", _not_a_tool(tool, tools)


def _tools_named(part: Any) -> Iterator[tuple[str, str]]:
    """Every tool that an assertion names, with its pointer."""
    for name in _TOOLS:
        if name in part:
            yield from [(f"/{name}/{nth}", tool) for nth, tool in enumerate(part[name])]
    for name in _BY_TOOL:
        if name in part:
            yield from [(f"/{name}/{escape(tool)}", tool) for tool in part[name] if tool != EVERY_TOOL]
    if "calls" in part:
        calls = part["calls"]
        yield from [(f"/calls/among/{nth}", tool) for nth, tool in enumerate(calls.get("among", ()))]
        yield from [(f"/calls/of/{nth}/name", expected["name"]) for nth, expected in enumerate(calls["of"])]


_TOOLS = ("must_call", "must_not_call", "call_order")  # each a list of tools
_BY_TOOL = ("args", "call_count")  # each tool → what is asked of its calls


def _of_arguments(part: Any, place: str) -> Faults:
    """The arguments that `args` names. Where no other may be given, being named is a check by itself."""
    closed = "closed_args" in part
    calls = part["calls"]["of"] if "calls" in part else ()
    if closed and not part.get("args") and not calls:
        yield f"{place}/closed_args", "names no argument that a call may have: needs args or calls beside it"
    for tool, rules in part["args"].items() if "args" in part else ():
        yield from of_fields(rules, f"{place}/args/{escape(tool)}", closed=closed)
    for nth, expected in enumerate(calls):
        inside = f"{place}/calls/of/{nth}/args"
        yield from of_fields(expected.get("args", {}), inside, closed=closed or "closed" in expected)


def _not_a_tool(tool: str, tools: list[str]) -> str:
    hint = meant(tool, tools) or f" (tools: {', '.join(tools) or 'none'})"
    return f"{one_line(repr(tool))} is not in tools{hint}"


def _pattern(pattern: str, place: str) -> Faults:
    fault = _fault_of_pattern(pattern)
    if fault:
        yield place, fault


@lru_cache(maxsize=4096)
def _fault_of_pattern(pattern: str) -> str:
    try:
        search = compiled(pattern, fold_case=True).search
    except Malformed as exc:
        return exc.what
    # A character that no text holds tells `x*`, which any text keeps, from `^$`, which only an empty one does.
    if search("") and search("\ufdd0"):
        return f"pattern {pattern!r} matches the empty string anywhere, so it matches every text"
    return ""


def _listed(check: Callable[[Any, str], Faults]) -> Callable[[Any, str], Faults]:
    """The check of one element, over a list or over what is to be looked for in turns."""

    def checked(wanted: Any, place: str) -> Faults:
        if isinstance(wanted, dict):
            wanted, place = wanted["of"], f"{place}/of"
        for nth, one in enumerate(wanted):
            yield from check(one, f"{place}/{nth}")

    return checked


def _phrase(phrase: Any, place: str) -> Faults:
    if not fold_phrase(phrase):
        yield place, f"nothing visible is left of the phrase {shown(phrase)}, so every text would hold it"


def _calls(wanted: Any, place: str) -> Faults:
    of, among = wanted["of"], wanted.get("among")
    if not of and wanted.get("match") == "at_least":
        yield f"{place}/of", "is empty, and any calls are at least none, so it checks nothing"
    for nth, expected in enumerate(of):
        if among is not None and expected["name"] not in among:
            yield f"{place}/of/{nth}/name", f"{shown(expected['name'])} is not in among, so no call of it is judged"


def _identifiers(wanted: Any, place: str) -> Faults:
    place = f"{place}/pattern"
    try:
        search = compiled(wanted["pattern"], fold_case=True).search
    except Malformed as exc:
        yield place, exc.what
        return
    # Around a letter, for what matches only there, as \b does.
    if any(found and not found.group() for found in map(search, ("", "a", "\ufdd0"))):
        yield place, f"pattern {wanted['pattern']!r} matches the empty string, which identifies nothing"


def _call_count(wanted: Any, place: str) -> Faults:
    for tool, bounds in wanted.items():
        yield from of_bounds(bounds, f"{place}/{escape(tool)}", "count")


_BY_NAME: dict[str, Callable[[Any, str], Faults]] = {
    "call_count": _call_count,
    "calls": _calls,
    "fields": of_fields,
    "forbid_patterns": _listed(_pattern),
    "forbidden": _listed(_phrase),
    "identifiers": _identifiers,
    "length": of_length,
    "require_patterns": _listed(_pattern),
}
