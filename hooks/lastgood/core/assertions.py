"""Assertions over a trace's tool calls: one function and one row each. Those over its text are `expect`'s."""

from __future__ import annotations

from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.rules import ABSENT, broken
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    Call = Mapping[str, Any]
    Calls = Sequence[Call]
    Check = Callable[[Any, Calls], Iterator[Failure]]


def failures(assertions: Mapping[str, Any], calls: Calls) -> Iterator[Failure]:
    """What of `assertions` the calls break, in the order of the table below."""
    for name in filter(assertions.__contains__, OF_CALLS):
        yield from OF_CALLS[name](assertions[name], calls)


def outside(tools: Sequence[str], calls: Calls) -> Iterator[Failure]:
    """Calls to tools that the case does not allow, once a tool."""
    for name in dict.fromkeys(call["name"] for call in calls):
        if name not in tools:
            yield Failure(
                f"unknown_tool:{one_line(name)}", f"expected only {shown(list(tools))}, got a call of {shown(name)}"
            )


def _must_call(wanted: Any, calls: Calls) -> Iterator[Failure]:
    called = list(dict.fromkeys(call["name"] for call in calls))
    for name in wanted:
        if name not in called:
            got = f"only {shown(called)}" if called else "no call"
            yield Failure(f"missing_tool:{name}", f"expected a call of {shown(name)}, got {got}")


def _must_not_call(wanted: Any, calls: Calls) -> Iterator[Failure]:
    for name in wanted:
        call = next((call for call in calls if call["name"] == name), None)
        if call:
            yield Failure(
                f"forbidden_tool:{name}", f"expected no call of {shown(name)}, got one with {shown(call['arguments'])}"
            )


def _args(wanted: Any, calls: Calls) -> Iterator[Failure]:
    for name, rules in wanted.items():
        # Every call: a second one must not undo what the first one kept. A tool never called is must_call's matter.
        of_tool = [call["arguments"] for call in calls if call["name"] == name]
        for argument, rule in rules.items():
            reasons = ((broken(rule, given.get(argument, ABSENT)), nth) for nth, given in enumerate(of_tool, 1))
            reason, nth = next(filter(lambda told: told[0], reasons), ("", 0))
            if reason:
                where = f"call {nth} of {len(of_tool)}: " if len(of_tool) > 1 else ""
                yield Failure(f"arg_mismatch:{name}.{argument}", f"{where}{reason}")


OF_CALLS: dict[str, Check] = {
    "must_call": _must_call,
    "must_not_call": _must_not_call,
    "args": _args,
}
