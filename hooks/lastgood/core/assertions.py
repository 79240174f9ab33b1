"""Assertions over a trace's tool calls: one function and one row each. Those over its text are `expect`'s."""

from __future__ import annotations

from functools import lru_cache
from operator import eq

from lastgood.core import expected_calls, identifiers
from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.matching import in_order
from lastgood.core.rules import ABSENT, broken, out_of_bounds
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

    Calls = Sequence[Mapping[str, Any]]
    Check = Callable[[Any, Completion, Case], Iterator[Failure]]


def failures(case: Case, completion: Completion) -> Iterator[Failure]:
    """What of the case's assertions the calls of a trace break, in the order of the table below."""
    wanted = case.assertions
    for name, check in _asked(tuple(wanted)):
        yield from check(wanted[name], completion, case)


@lru_cache(maxsize=1024)
def _asked(names: tuple[str, ...]) -> tuple[tuple[str, Check], ...]:
    """The checks among `names`, in the table's order. Cases are many, and ask for few different sets of names."""
    return tuple((name, check) for name, check in OF_CALLS.items() if name in names)


def outside(tools: Sequence[str], calls: Calls) -> Iterator[Failure]:
    """Calls to tools that the case does not allow, once a tool."""
    for name in _names(calls):
        if name not in tools:
            yield Failure(
                f"unknown_tool:{one_line(name)}", f"expected only {shown(list(tools))}, got a call of {shown(name)}"
            )


def _names(calls: Calls) -> dict[str, int]:
    """Tools called, in order of their first call, each with how often it was."""
    counts: dict[str, int] = {}
    for call in calls:
        counts[call["name"]] = counts.get(call["name"], 0) + 1
    return counts


def _must_call(wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    called = _names(completion.calls)
    for name in wanted:
        if name not in called:
            got = f"only {shown(list(called))}" if called else "no call"
            yield Failure(f"missing_tool:{name}", f"expected a call of {shown(name)}, got {got}")


def _must_not_call(wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    called = {call["name"]: call for call in reversed(completion.calls)}  # the first of each
    for name in wanted:
        if name in called:
            call = called[name]
            yield Failure(
                f"forbidden_tool:{name}", f"expected no call of {shown(name)}, got one with {shown(call['arguments'])}"
            )


def _args(wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    for name, rules in wanted.items():
        # Every call: a second one must not undo what the first one kept. A tool never called is must_call's matter.
        of_tool = [call["arguments"] for call in completion.calls if call["name"] == name]
        for argument, rule in rules.items():
            for nth, given in enumerate(of_tool, 1):
                reason = broken(rule, given.get(argument, ABSENT))
                if reason:
                    where = f"call {nth} of {len(of_tool)}: " if len(of_tool) > 1 else ""
                    yield Failure(f"arg_mismatch:{name}.{argument}", f"{where}{reason}")
                    break


def _no_calls(_wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    for name, count in _names(completion.calls).items():
        yield Failure(f"unwanted_call:{one_line(name)}", f"expected no call, got {count} of {shown(name)}")


def _closed_args(_wanted: Any, completion: Completion, case: Case) -> Iterator[Failure]:
    named: dict[str, dict[str, Any]] = {tool: dict(rules) for tool, rules in case.assertions.get("args", {}).items()}
    for expected in case.assertions.get("calls", {}).get("of", ()):
        named.setdefault(expected["name"], {}).update(expected.get("args", {}))
    for call in completion.calls:
        known = named.get(call["name"], {})
        for argument, given in call["arguments"].items():
            if argument not in known:
                yield Failure(
                    f"invented_arg:{one_line(call['name'] + '.' + argument)}",
                    f"expected no argument but {shown(list(known))}, got {shown(given)}",
                )


def _calls(wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    yield from expected_calls.failures(wanted, completion.calls)


def _call_count(wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    counts = _names(completion.calls)
    for name, bounds in wanted.items():
        count = len(completion.calls) if name == EVERY_TOOL else counts.get(name, 0)
        expected = out_of_bounds(bounds, count)
        if expected:
            yield Failure(f"call_count:{one_line(name)}", f"expected {expected} calls, got {count}")


def _call_order(wanted: Any, completion: Completion, _case: Case) -> Iterator[Failure]:
    names = [call["name"] for call in completion.calls]
    placed = in_order(wanted, names, eq)
    if placed < len(wanted):
        yield Failure(
            f"call_order:{one_line(wanted[placed])}", f"expected {shown(wanted)} in this order, got {shown(names)}"
        )


EVERY_TOOL = "*"
OF_CALLS: dict[str, Check] = {
    "must_call": _must_call,
    "must_not_call": _must_not_call,
    "no_calls": _no_calls,
    "args": _args,
    "closed_args": _closed_args,
    "calls": _calls,
    "call_count": _call_count,
    "call_order": _call_order,
    "identifiers": identifiers.failures,
}
