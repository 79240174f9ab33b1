"""What a schema cannot say of a golden case: assertions that check nothing, contradict themselves, or cannot work.

Every function yields (JSON Pointer, sentence) of what is wrong.
"""

from __future__ import annotations

from lastgood.core import names
from lastgood.core.failure import one_line, shown
from lastgood.core.kinds import folded
from lastgood.core.pattern import compiled
from lastgood.core.reading import fold_phrase
from lastgood.core.rules import RULES
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
    if not parts:
        yield pointer, "has neither expect nor assertions, so it checks nothing"
    for place, part in parts:
        if not any(_asks(name, wanted) for name, wanted in part.items()):
            yield place, "checks nothing"
        for name, wanted in part.items():
            if name in _BY_NAME:
                yield from _BY_NAME[name](wanted, f"{place}/{name}")
        yield from _of_json(part, place)
        yield from _of_tools(case.get("tools"), part, place)
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
    both = [name for name in part.get("must_not_call", ()) if name in part.get("must_call", ())]
    if both:
        yield f"{place}/must_not_call/{part['must_not_call'].index(both[0])}", f"must_call names {both[0]!r} too"
    if tools is None:
        return
    # Also must_not_call: a call of a tool outside `tools` fails anyway, so such a name is at best idle. At worst it
    # is a slip of the pen, and the tool that was meant may be called.
    for name in ("must_call", "must_not_call"):
        for nth, tool in enumerate(part.get(name, ())):
            if tool not in tools:
                yield f"{place}/{name}/{nth}", _not_a_tool(tool, tools)
    for tool in part.get("args", ()):
        if tool not in tools:
            yield f"{place}/args/{escape(tool)}", _not_a_tool(tool, tools)


def _not_a_tool(tool: str, tools: list[str]) -> str:
    hint = meant(tool, tools) or f" (tools: {', '.join(tools) or 'none'})"
    return f"{one_line(repr(tool))} is not in tools{hint}"


def _pattern(pattern: str, place: str) -> Faults:
    try:
        search = compiled(pattern, fold_case=True).search
    except Malformed as exc:
        yield place, exc.what
        return
    # A character that no text holds tells `x*`, which any text keeps, from `^$`, which only an empty one does.
    if search("") and search("\ufdd0"):
        yield place, f"pattern {pattern!r} matches the empty string anywhere, so it matches every text"


def _patterns(wanted: Any, place: str) -> Faults:
    for nth, pattern in enumerate(wanted):
        yield from _pattern(pattern, f"{place}/{nth}")


def _phrases(wanted: Any, place: str) -> Faults:
    for nth, phrase in enumerate(wanted):
        if not fold_phrase(phrase):
            yield (
                f"{place}/{nth}",
                f"nothing visible is left of the phrase {shown(phrase)}, so every text would hold it",
            )


def _fields(wanted: Any, place: str) -> Faults:
    for name, rule in wanted.items():
        yield from of_rule(rule, f"{place}/{escape(name)}")


def _args(wanted: Any, place: str) -> Faults:
    for tool, rules in wanted.items():
        yield from _fields(rules, f"{place}/{escape(tool)}")


def _length(wanted: Any, place: str) -> Faults:
    if isinstance(wanted, dict) and wanted.keys() == {"ge"} and not wanted["ge"]:
        yield place, "every length is at least 0, so it checks nothing"
    if isinstance(wanted, dict) and wanted.get("ge", 0) > wanted.get("le", wanted.get("ge", 0)):
        yield place, f"no length is at least {wanted['ge']} and at most {wanted['le']}"


# Rules ----------------------------------------------------------------------------------------------------------------


def of_rule(rule: Any, place: str) -> Faults:
    """One rule and the rules inside it."""
    if RULES.keys().isdisjoint(rule):
        yield place, f"has only {', '.join(sorted(rule))}, so it checks nothing"
    if "absent" in rule and len(rule) > 1:
        yield f"{place}/absent", "stands alone: what is absent keeps no other rule"
    if "closed" in rule and "fields" not in rule:
        yield f"{place}/closed", "needs fields beside it"
    if "fold" in rule:
        yield from _of_fold(rule, place)
    elif rule.get("contains") == "":
        yield f"{place}/contains", "every string contains the empty string, so it checks nothing"
    for name in filter(rule.__contains__, _OF_RULE):
        yield from _OF_RULE[name](rule[name], f"{place}/{name}")


def _of_fold(rule: Any, place: str) -> Faults:
    if {"eq", "in", "not_in", "contains"}.isdisjoint(rule):
        yield f"{place}/fold", "needs eq, in, not_in or contains beside it"
    if folded(rule.get("contains"), rule["fold"]) == "":
        yield f"{place}/contains", "folded, nothing is left of it, so every string contains it"


def _matches(wanted: Any, place: str) -> Faults:
    try:
        compiled(wanted)
    except Malformed as exc:
        yield place, exc.what


def _items(wanted: Any, place: str) -> Faults:
    if isinstance(wanted, list):
        yield from _rules(wanted, place)
    else:
        yield from of_rule(wanted, place)


def _rules(wanted: Any, place: str) -> Faults:
    for nth, rule in enumerate(wanted):
        yield from of_rule(rule, f"{place}/{nth}")


_OF_RULE: dict[str, Callable[[Any, str], Faults]] = {
    "any_of": _rules,
    "fields": _fields,
    "items": _items,
    "length": _length,
    "matches": _matches,
    "not": of_rule,
}

_BY_NAME: dict[str, Callable[[Any, str], Faults]] = {
    "args": _args,
    "fields": _fields,
    "forbid_patterns": _patterns,
    "forbidden": _phrases,
    "length": _length,
    "require_patterns": _patterns,
}
