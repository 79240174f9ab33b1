"""Rules: checks of one value. Every key of a rule must hold; one row a key: whether it holds, and what to say if not.

`keeps` only answers, and builds no words: matching asks it of every call. `broken` also says where, what was expected
and what came.
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
    Holds = Callable[[Any, Any, Rule], bool]  # what the key asks for, the value, the whole rule
    Told = Callable[[Any, Any, Rule, str], str]  # likewise, and where the value stands


class _Absent:
    """What stands where nothing is: no JSON value is it."""


ABSENT = _Absent()


def keeps(rule: Rule, found: Any) -> bool:
    """Whether the value keeps the whole rule. `found` may be ABSENT."""
    if found is ABSENT:
        return _may_be_absent(rule)
    for name, holds in _checks(tuple(rule)):  # noqa: SIM110  # all() of a generator takes half as long again
        if not holds(rule[name], found, rule):
            return False
    return True


def broken(rule: Rule, found: Any, where: str = "") -> str:
    """What of `rule` the value does not keep; empty when all of it holds. `found` may be ABSENT."""
    if keeps(rule, found):
        return ""
    if found is ABSENT:
        return f"{_at(where)}expected {_wanted(rule)}, got nothing"
    # The first that is broken: the plainest reason.
    name = next(name for name, holds in _checks(tuple(rule)) if not holds(rule[name], found, rule))
    return RULES[name][1](rule[name], found, rule, where)


@lru_cache(maxsize=1024)
def _checks(names: tuple[str, ...]) -> tuple[tuple[str, Holds], ...]:
    """The checks among the keys of a rule, in order. Rules are many, and have few different sets of keys."""
    return tuple((name, holds) for name, (holds, _) in RULES.items() if name in names)


def _may_be_absent(rule: Rule) -> bool:
    if "optional" in rule or "absent" in rule:
        return True
    # any_of may be kept by absence when nothing beside it asks for a value.
    return rule.keys() <= {"any_of", "fold"} and any(map(_may_be_absent, rule.get("any_of", ())))


def _wanted(rule: Rule) -> str:
    return ", ".join(f"{name} {shown(rule[name])}" for name in RULES if name in rule)


def _at(where: str) -> str:
    return f"{where}: " if where else ""


def _told(where: str, expected: str, found: Any) -> str:
    return f"{_at(where)}expected {expected}, got {shown(found)}"


def _expected(words: Callable[[Any], str]) -> Told:
    return lambda wanted, found, _rule, where: _told(where, words(wanted), found)


# Types ----------------------------------------------------------------------------------------------------------------


def _item_type(wanted: Any, found: Any, _rule: Rule) -> bool:
    return isinstance(found, list) and all(is_a(item, wanted) for item in found)


def _bad_item(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, list):
        return _told(where, "an array", found)
    bad = next(index for index, item in enumerate(found) if not is_a(item, wanted))
    return _told(f"{where}/{bad}", f"type {shown(wanted)}", found[bad])


# Equality ------------------------------------------------------------------------------------------------------------


def _eq(wanted: Any, found: Any, rule: Rule) -> bool:
    fold = rule.get("fold")
    return same(folded(wanted, fold), folded(found, fold)) if fold else same(wanted, found)


def _in(wanted: Any, found: Any, rule: Rule) -> bool:
    return any(_eq(one, found, rule) for one in wanted)


def _contains(wanted: Any, found: Any, rule: Rule) -> bool:
    if isinstance(found, str) and isinstance(wanted, str):
        fold = rule.get("fold", ())
        return folded(wanted, fold) in folded(found, fold)
    return isinstance(found, list) and any(_eq(wanted, item, rule) for item in found)


# Strings, numbers, sizes ---------------------------------------------------------------------------------------------


def _matches(wanted: Any, found: Any, _rule: Rule) -> bool:
    from lastgood.core.pattern import compiled

    return isinstance(found, str) and compiled(wanted).fullmatch(found) is not None


def _near(wanted: Any, found: Any, _rule: Rule) -> bool:
    return is_number(found) and abs(exact(found) - exact(wanted["value"])) <= exact(wanted["within"])


def out_of_bounds(wanted: Any, size: int) -> str:
    """What a `length` asks for, in words, when `size` is not that; empty when it is."""
    bounds = wanted if isinstance(wanted, dict) else {"eq": wanted}
    held = size == bounds.get("eq", size) and bounds.get("ge", 0) <= size <= bounds.get("le", size)
    words = {"eq": "exactly", "ge": "at least", "le": "at most"}
    return "" if held else " and ".join(f"{words[name]} {bound}" for name, bound in bounds.items())


def _length(wanted: Any, found: Any, _rule: Rule) -> bool:
    return isinstance(found, (str, list, dict)) and not out_of_bounds(wanted, len(found))


def _wrong_length(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, (str, list, dict)):
        return _told(where, "a string, array or object", found)
    return f"{_at(where)}expected length {out_of_bounds(wanted, len(found))}, got {len(found)}"


# Inside --------------------------------------------------------------------------------------------------------------


def _fields(wanted: Any, found: Any, rule: Rule) -> bool:
    if not isinstance(found, dict) or ("closed" in rule and not found.keys() <= wanted.keys()):
        return False
    return all(keeps(inner, found.get(name, ABSENT)) for name, inner in wanted.items())


def _bad_field(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, dict):
        return _told(where, "an object", found)
    for name, inner in wanted.items():
        reason = broken(inner, found.get(name, ABSENT), f"{where}/{escape(name)}")
        if reason:
            return reason
    other = min(found.keys() - wanted.keys())
    return _told(where, f"no key but {', '.join(wanted) or 'none'}", {other: found[other]})


def _items(wanted: Any, found: Any, _rule: Rule) -> bool:
    if not isinstance(found, list):
        return False
    if not isinstance(wanted, list):
        return all(keeps(wanted, item) for item in found)
    return len(wanted) == len(found) and all(map(keeps, wanted, found))


def _bad_element(wanted: Any, found: Any, _rule: Rule, where: str) -> str:
    if not isinstance(found, list):
        return _told(where, "an array", found)
    if isinstance(wanted, list) and len(wanted) != len(found):
        return f"{_at(where)}expected {len(wanted)} elements, got {len(found)}"
    rules = wanted if isinstance(wanted, list) else [wanted] * len(found)
    bad = next(index for index, rule in enumerate(rules) if not keeps(rule, found[index]))
    return broken(rules[bad], found[bad], f"{where}/{bad}")


# In the order in which they are tried, so the plainest reason is told: what type, then what value.
RULES: dict[str, tuple[Holds, Told]] = {
    "absent": (lambda _wanted, _found, _rule: False, _expected(lambda _: "nothing")),
    "type": (lambda wanted, found, _: is_a(found, wanted), _expected(lambda wanted: f"type {shown(wanted)}")),
    "item_type": (_item_type, _bad_item),
    "eq": (_eq, _expected(shown)),
    "in": (_in, _expected(lambda wanted: f"one of {shown(wanted)}")),
    "not_in": (
        lambda wanted, found, rule: not _in(wanted, found, rule),
        _expected(lambda wanted: f"none of {shown(wanted)}"),
    ),
    "contains": (_contains, _expected(lambda wanted: f"something that contains {shown(wanted)}")),
    "matches": (_matches, _expected(lambda wanted: f"a string that matches {wanted}")),
    "gt": (
        lambda wanted, found, _: is_number(found) and found > wanted,
        _expected(lambda wanted: f"a number greater than {wanted}"),
    ),
    "ge": (
        lambda wanted, found, _: is_number(found) and found >= wanted,
        _expected(lambda wanted: f"a number not less than {wanted}"),
    ),
    "lt": (
        lambda wanted, found, _: is_number(found) and found < wanted,
        _expected(lambda wanted: f"a number less than {wanted}"),
    ),
    "le": (
        lambda wanted, found, _: is_number(found) and found <= wanted,
        _expected(lambda wanted: f"a number not greater than {wanted}"),
    ),
    "near": (_near, _expected(lambda wanted: f"a number within {wanted['within']} of {wanted['value']}")),
    "length": (_length, _wrong_length),
    "fields": (_fields, _bad_field),
    "items": (_items, _bad_element),
    "any_of": (
        lambda wanted, found, _: any(keeps(rule, found) for rule in wanted),
        _expected(lambda wanted: f"any of {shown(wanted)}"),
    ),
    "not": (lambda wanted, found, _: not keeps(wanted, found), _expected(lambda wanted: f"not {shown(wanted)}")),
}
# Keys that change how the others work.
MODIFIERS = ("optional", "fold", "closed")
