"""Rules: checks of one value. Every key of a rule must hold; one function and one row a key.

A rule holds when `broken` gives an empty string; otherwise that string says where, what was expected and what came.
"""

from __future__ import annotations

from functools import lru_cache

from lastgood.core.failure import shown
from lastgood.core.kinds import exact, folded, is_a, is_number
from lastgood.core.strict_json import escape, same
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Rule = Mapping[str, Any]


class _Absent:
    """What stands where nothing is: no JSON value is it."""


ABSENT = _Absent()


def broken(rule: Rule, found: Any, where: str = "") -> str:
    """What of `rule` the value does not keep; empty when all of it holds. `found` may be ABSENT."""
    if found is ABSENT:
        return "" if _may_be_absent(rule) else f"{where}{': ' if where else ''}expected {_wanted(rule)}, got nothing"
    for name, check in _checks(tuple(rule)):
        reason = check(rule[name], found, rule, where)
        if reason:
            return reason
    return ""


@lru_cache(maxsize=1024)
def _checks(names: tuple[str, ...]) -> tuple[tuple[str, Check], ...]:
    """The checks among the keys of a rule, in order. Rules are many, and have few different sets of keys."""
    return tuple((name, check) for name, check in RULES.items() if name in names)


def _may_be_absent(rule: Rule) -> bool:
    if "optional" in rule or "absent" in rule:
        return True
    # any_of may be kept by absence when nothing beside it asks for a value.
    return rule.keys() <= {"any_of", "fold"} and any(map(_may_be_absent, rule.get("any_of", ())))


def _wanted(rule: Rule) -> str:
    return ", ".join(f"{name} {shown(rule[name])}" for name in RULES if name in rule)


def _told(where: str, expected: str, found: Any) -> str:
    return f"{where}{': ' if where else ''}expected {expected}, got {shown(found)}"


# Types ----------------------------------------------------------------------------------------------------------------


def _type(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    return "" if is_a(found, wanted) else _told(where, f"type {shown(wanted)}", found)


def _item_type(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, list):
        return _told(where, "an array", found)
    bad = next((index for index, item in enumerate(found) if not is_a(item, wanted)), None)
    return "" if bad is None else _told(f"{where}/{bad}", f"type {shown(wanted)}", found[bad])


# Equality ------------------------------------------------------------------------------------------------------------


def _same(rule: Rule, wanted: Any, found: Any) -> bool:
    fold = rule.get("fold")
    return same(folded(wanted, fold), folded(found, fold)) if fold else same(wanted, found)


def _eq(wanted: Any, found: Any, rule: Rule, where: str) -> str:
    return "" if _same(rule, wanted, found) else _told(where, shown(wanted), found)


def _in(wanted: Any, found: Any, rule: Rule, where: str) -> str:
    return "" if any(_same(rule, one, found) for one in wanted) else _told(where, f"one of {shown(wanted)}", found)


def _not_in(wanted: Any, found: Any, rule: Rule, where: str) -> str:
    return _told(where, f"none of {shown(wanted)}", found) if any(_same(rule, one, found) for one in wanted) else ""


def _contains(wanted: Any, found: Any, rule: Rule, where: str) -> str:
    if isinstance(found, str) and isinstance(wanted, str):
        fold = rule.get("fold", ())
        held = folded(wanted, fold) in folded(found, fold)
    else:
        held = isinstance(found, list) and any(_same(rule, wanted, item) for item in found)
    return "" if held else _told(where, f"something that contains {shown(wanted)}", found)


# Strings, numbers, sizes ---------------------------------------------------------------------------------------------


def _matches(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    from lastgood.core.pattern import compiled

    held = isinstance(found, str) and compiled(wanted).fullmatch(found)
    return "" if held else _told(where, f"a string that matches {wanted}", found)


def _bound(words: str, holds: Callable[[Any, Any], bool]) -> Check:
    def check(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
        held = is_number(found) and holds(found, wanted)
        return "" if held else _told(where, f"a number {words} {wanted}", found)

    return check


def _near(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    held = is_number(found) and abs(exact(found) - exact(wanted["value"])) <= exact(wanted["within"])
    return "" if held else _told(where, f"a number within {wanted['within']} of {wanted['value']}", found)


def out_of_bounds(wanted: Any, size: int) -> str:
    """What a `length` asks for, in words, when `size` is not that; empty when it is."""
    bounds = wanted if isinstance(wanted, dict) else {"eq": wanted}
    held = size == bounds.get("eq", size) and bounds.get("ge", 0) <= size <= bounds.get("le", size)
    words = {"eq": "exactly", "ge": "at least", "le": "at most"}
    return "" if held else " and ".join(f"{words[name]} {bound}" for name, bound in bounds.items())


def _length(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, (str, list, dict)):
        return _told(where, "a string, array or object", found)
    expected = out_of_bounds(wanted, len(found))
    return expected and f"{where}{': ' if where else ''}expected length {expected}, got {len(found)}"


# Inside --------------------------------------------------------------------------------------------------------------


def _fields(wanted: Any, found: Any, rule: Rule, where: str) -> str:
    if not isinstance(found, dict):
        return _told(where, "an object", found)
    for name, inner in wanted.items():
        reason = broken(inner, found.get(name, ABSENT), f"{where}/{escape(name)}")
        if reason:
            return reason
    others = sorted(found.keys() - wanted.keys()) if "closed" in rule else []
    return _told(where, f"no key but {', '.join(wanted) or 'none'}", {others[0]: found[others[0]]}) if others else ""


def _items(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, list):
        return _told(where, "an array", found)
    if isinstance(wanted, list) and len(wanted) != len(found):
        return f"{where}{': ' if where else ''}expected {len(wanted)} elements, got {len(found)}"
    rules = wanted if isinstance(wanted, list) else [wanted] * len(found)
    reasons = (
        broken(rule, item, f"{where}/{index}") for index, (rule, item) in enumerate(zip(rules, found, strict=True))
    )
    return next(filter(None, reasons), "")


def _any_of(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    return "" if any(not broken(rule, found) for rule in wanted) else _told(where, f"any of {shown(wanted)}", found)


def _not(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    return "" if broken(wanted, found) else _told(where, f"not {shown(wanted)}", found)


def _absent(_wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    return _told(where, "nothing", found)


if TYPE_CHECKING:
    Check = Callable[[Any, Any, Rule, str], str]

# In the order in which they are tried, so the plainest reason is told: what type, then what value.
RULES: dict[str, Check] = {
    "absent": _absent,
    "type": _type,
    "item_type": _item_type,
    "eq": _eq,
    "in": _in,
    "not_in": _not_in,
    "contains": _contains,
    "matches": _matches,
    "gt": _bound("greater than", lambda found, wanted: found > wanted),
    "ge": _bound("not less than", lambda found, wanted: found >= wanted),
    "lt": _bound("less than", lambda found, wanted: found < wanted),
    "le": _bound("not greater than", lambda found, wanted: found <= wanted),
    "near": _near,
    "length": _length,
    "fields": _fields,
    "items": _items,
    "any_of": _any_of,
    "not": _not,
}
# Keys that change how the others work.
MODIFIERS = ("optional", "fold", "closed")
