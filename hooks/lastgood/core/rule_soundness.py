"""What a schema cannot say of a rule: one that checks nothing, contradicts itself, or cannot work.

Every function yields (JSON Pointer, sentence) of what is wrong.
"""

from __future__ import annotations

from lastgood.core.kinds import folded
from lastgood.core.pattern import compiled
from lastgood.core.rules import RULES
from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Faults = Iterator[tuple[str, str]]


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
    if "fields" in rule:
        yield from of_fields(rule["fields"], f"{place}/fields", closed="closed" in rule)
    for name in [name for name in _OF_RULE if name in rule]:
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


def of_fields(wanted: Any, place: str, *, closed: bool = False) -> Faults:
    """Rules by name; `closed` when no other name may be there."""
    for name, rule in wanted.items():
        if not (closed and rule == {"optional": True}):  # it says that this one may be there, and others may not
            yield from of_rule(rule, f"{place}/{escape(name)}")


def of_length(wanted: Any, place: str) -> Faults:
    """A number of characters, elements or keys."""
    yield from of_bounds(wanted, place, "length")


def of_bounds(wanted: Any, place: str, of_what: str) -> Faults:
    """A number, or bounds of one."""
    if not isinstance(wanted, dict):
        return
    if wanted == {"ge": 0}:
        yield place, f"every {of_what} is at least 0, so it checks nothing"
    low, high = wanted.get("ge", 0), wanted.get("le", wanted.get("ge", 0))
    if low > high:
        yield place, f"no {of_what} is at least {low} and at most {high}"
    elif "eq" in wanted and len(wanted) > 1:
        yield f"{place}/eq", "stands alone: it leaves nothing for ge and le to say"


_OF_RULE: dict[str, Callable[[Any, str], Faults]] = {
    "any_of": _rules,
    "items": _items,
    "length": of_length,
    "matches": _matches,
    "not": of_rule,
}
