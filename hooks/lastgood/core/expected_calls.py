"""The assertion `calls`: each expected call has an actual call of its own."""

from __future__ import annotations

from itertools import islice

from lastgood.core.digest import canonical
from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.matching import in_order, matched
from lastgood.core.rules import ABSENT, broken, keeps
from lastgood.core.trace import failed
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    Call = Mapping[str, Any]
    Expected = Mapping[str, Any]
    Judged = Sequence[tuple[int, Call]]  # calls that count, each with its number in the trace

_LOOKED_AT = 1000  # calls compared to find the nearest


def failures(wanted: Mapping[str, Any], calls: Sequence[Call]) -> Iterator[Failure]:
    """What of `calls` the actual calls break.

    Permuting either list changes no failure, unless order is asked for: calls only ever match within one tool, and
    every largest matching leaves equally many of a tool without a partner.
    """
    of, exact = wanted["of"], wanted.get("match", "exact") == "exact"
    judged = list(_judged(wanted, calls))
    actual = [call for _, call in judged]
    partner = _partners(of, actual)
    found = [*_missing(of, judged, partner), *(_unexpected(of, judged, partner) if exact else ())]
    if not found and wanted.get("order") == "subsequence":
        found = [*_out_of_order(of, actual)]
    yield from found


def _judged(wanted: Mapping[str, Any], calls: Sequence[Call]) -> Iterator[tuple[int, Call]]:
    among, ignore_failed = wanted.get("among"), wanted.get("ignore_failed")
    for nth, call in enumerate(calls, 1):
        if (among is None or call["name"] in among) and not (ignore_failed and failed(call)):
            yield nth, call


def _partners(of: Sequence[Expected], actual: Sequence[Call]) -> dict[int, int]:
    """Expected call → actual call, as many as can be. Matched tool by tool, as calls of two tools never fit."""
    partner = {}
    of_tool = _by_tool(actual)
    for name, expected in _by_tool(of).items():
        made = [(nth, actual[nth]) for nth in of_tool.get(name, ())]
        pairs = matched(_fitting([of[left] for left in expected], made))
        partner.update({expected[left]: right for left, right in pairs.items()})
    return partner


def _fitting(of: Sequence[Expected], made: Judged) -> list[Iterable[int]]:
    """For each expected call the places of the calls that fit it; equal expected calls are compared once."""
    known: dict[str, list[int]] = {}
    keys = [canonical(expected) if len(of) > 1 else "" for expected in of]
    by_value: dict[str, dict[str, list[tuple[int, Call]]]] = {}
    for key, expected in zip(keys, of, strict=True):
        if key not in known:
            candidates = (nth for nth, call in _candidates(expected, made, by_value) if _fits(expected, call))
            known[key] = list(islice(candidates, len(of)))
    return [known[key] for key in keys]


def _candidates(expected: Expected, made: Judged, by_value: dict[str, dict[str, list[tuple[int, Call]]]]) -> Judged:
    """The calls worth comparing: where an argument must be one text, those that have it, found by that text.

    `by_value`: argument → its text → calls; filled here as needed.
    """
    for argument, rule in expected.get("args", _NONE).items():
        text = rule.get("eq")
        if isinstance(text, str) and "fold" not in rule and "optional" not in rule:
            if argument not in by_value:
                found = by_value[argument] = {}
                for place in made:
                    given = place[1]["arguments"].get(argument)
                    if isinstance(given, str):
                        found.setdefault(given, []).append(place)
            return by_value[argument].get(text, ())
    return made


def _by_tool(calls: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for nth, call in enumerate(calls):
        found.setdefault(call["name"], []).append(nth)
    return found


def _fits(expected: Expected, call: Call) -> bool:
    """Whether a call of the same tool is the expected one. Asked of every pair, so it builds no words."""
    rules, given = expected.get("args", _NONE), call["arguments"]
    if "closed" in expected and not given.keys() <= rules.keys():
        return False
    return all(keeps(rule, given.get(argument, ABSENT)) for argument, rule in rules.items())


_NONE: dict[str, Any] = {}


def _differences(expected: Expected, call: Call) -> Iterator[str]:
    """Everything that keeps a call from being the expected one."""
    if call["name"] != expected["name"]:
        yield f"its name is {shown(call['name'])}"
    rules, given = expected.get("args", _NONE), call["arguments"]
    for argument, rule in rules.items():
        found = given.get(argument, ABSENT)
        if not keeps(rule, found):
            yield broken(rule, found, one_line(argument))
    if "closed" in expected:
        for argument in given:
            if argument not in rules:
                yield f"{one_line(argument)}: expected no such argument, got {shown(given[argument])}"


# Failures -------------------------------------------------------------------------------------------------------------


def _missing(of: Sequence[Expected], judged: Judged, partner: dict[int, int]) -> Iterator[Failure]:
    lone: dict[str, list[int]] = {}
    for nth, expected in enumerate(of):
        if nth not in partner:
            lone.setdefault(expected["name"], []).append(nth)
    for name, places in lone.items():
        others = f" and {len(places) - 1} more of it" if len(places) > 1 else ""
        expected = of[places[0]]
        yield Failure(
            f"missing_call:{one_line(name)}",
            f"expected {_call(expected, 'args')} (call {places[0] + 1} of {len(of)}){others}, "
            f"got {_nearest(expected, judged, partner)}",
        )


def _nearest(expected: Expected, judged: Judged, partner: dict[int, int]) -> str:
    """The call least unlike the expected one, and the first thing that keeps them apart."""
    if not judged:
        return "no call"
    taken = {right: left for left, right in partner.items()}
    told = []
    for place, (number, call) in enumerate(judged[:_LOOKED_AT]):
        apart = list(_differences(expected, call))
        if place in taken:
            apart.append(f"it is the partner of expected call {taken[place] + 1}")
        # Of calls equally far off, one of the right tool that nobody else needs says most.
        told.append((len(apart), call["name"] != expected["name"], place in taken, number, call, apart))
    _, _, _, number, call, apart = min(told, key=lambda one: one[:4])
    more = f" (and {len(apart) - 1} more)" if len(apart) > 1 else ""
    return f"nothing nearer than call {number}, {_call(call, 'arguments')}: {apart[0]}{more}"


def _unexpected(of: Sequence[Expected], judged: Judged, partner: dict[int, int]) -> Iterator[Failure]:
    expected, taken = _by_tool(of), set(partner.values())
    for name, places in _by_tool([call for _, call in judged]).items():
        asked = len(expected.get(name, ()))
        # Only what is too many: a call that differs from the one expected is told once, as the missing one.
        if len(places) > asked:
            number, call = next(judged[place] for place in places if place not in taken)
            yield Failure(
                f"unexpected_call:{one_line(name)}",
                f"expected {asked or 'no'} call{'s' * (asked > 1)} of {shown(name)}, got {len(places)}; "
                f"without a partner: call {number}, {_call(call, 'arguments')}",
            )


def _out_of_order(of: Sequence[Expected], actual: Sequence[Call]) -> Iterator[Failure]:
    # Where the match is exact there are as many of both by now, so in order means one to one.
    placed = in_order(of, actual, lambda one, call: one["name"] == call["name"] and _fits(one, call))
    if placed < len(of):
        expected, order = of[placed], shown([call["name"] for call in actual])
        after = f"after {_call(of[placed - 1], 'args')}" if placed else "first"
        yield Failure(
            f"call_order:{one_line(expected['name'])}",
            f"expected {_call(expected, 'args')} {after}, got the order {order}",
        )


def _call(call: Mapping[str, Any], key: str) -> str:
    return f"{one_line(call['name'])} {shown(call[key])}" if call.get(key) else one_line(call["name"])
