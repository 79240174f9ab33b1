"""Assertions over a trace's tool calls: one function and one row each. Those over its text are `expect`'s."""

from __future__ import annotations

from functools import lru_cache
from operator import eq

from lastgood.core import expected_calls, identifiers
from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.matching import in_order
from lastgood.core.rules import ABSENT, broken, keeps, out_of_bounds
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

    Calls = Sequence[Mapping[str, Any]]
    OfTool = Mapping[str, Calls]  # name → the calls of that tool, in the order of their first
    Check = Callable[[Any, OfTool, Completion, Case], Iterable[Failure]]


def failures(case: Case, completion: Completion) -> list[Failure]:
    """What of the case's assertions the calls of a trace break, in the order of the table below.

    Then calls of tools that the case does not allow.
    """
    of_tool: dict[str, list[Mapping[str, Any]]] = {}
    for call in completion.calls:
        of_tool.setdefault(call["name"], []).append(call)
    found: list[Failure] = []
    wanted = case.assertions
    for name, check in _asked(tuple(wanted)):
        found += check(wanted[name], of_tool, completion, case)
    if case.tools is not None:
        found += [_outside(name, case.tools) for name in of_tool if name not in case.tools]
    return found


@lru_cache(maxsize=1024)
def _asked(names: tuple[str, ...]) -> tuple[tuple[str, Check], ...]:
    """The checks among `names`, in the table's order. Cases are many, and ask for few different sets of names."""
    return tuple((name, check) for name, check in OF_CALLS.items() if name in names)


def _outside(name: str, tools: Sequence[str]) -> Failure:
    return Failure(f"unknown_tool:{one_line(name)}", f"expected only {shown(list(tools))}, got a call of {shown(name)}")


def _must_call(wanted: Any, of_tool: OfTool, _completion: Completion, _case: Case) -> Iterable[Failure]:
    return [_uncalled(name, of_tool) for name in wanted if name not in of_tool]


def _uncalled(name: str, of_tool: OfTool) -> Failure:
    got = f"only {shown(list(of_tool))}" if of_tool else "no call"
    return Failure(f"missing_tool:{name}", f"expected a call of {shown(name)}, got {got}")


def _must_not_call(wanted: Any, of_tool: OfTool, _completion: Completion, _case: Case) -> Iterable[Failure]:
    return [_called(name, of_tool[name][0]) for name in wanted if name in of_tool]


def _called(name: str, call: Mapping[str, Any]) -> Failure:
    told = f"expected no call of {shown(name)}, got one with {shown(call['arguments'])}"
    return Failure(f"forbidden_tool:{name}", told)


def _args(wanted: Any, of_tool: OfTool, _completion: Completion, _case: Case) -> Iterable[Failure]:
    found = []
    for tool, rules in wanted.items():
        # Every call: a second one must not undo what the first one kept. A tool never called is must_call's matter.
        calls = of_tool.get(tool, ())
        for argument, rule in rules.items():
            for nth, call in enumerate(calls, 1):
                given = call["arguments"].get(argument, ABSENT)
                if not keeps(rule, given):
                    where = f"call {nth} of {len(calls)}: " if len(calls) > 1 else ""
                    found.append(Failure(f"arg_mismatch:{tool}.{argument}", f"{where}{broken(rule, given)}"))
                    break
    return found


def _no_calls(_wanted: Any, of_tool: OfTool, _completion: Completion, _case: Case) -> Iterable[Failure]:
    for name, calls in of_tool.items():
        yield Failure(f"unwanted_call:{one_line(name)}", f"expected no call, got {len(calls)} of {shown(name)}")


def _closed_args(_wanted: Any, _of_tool: OfTool, completion: Completion, case: Case) -> Iterable[Failure]:
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


def _calls(wanted: Any, _of_tool: OfTool, completion: Completion, _case: Case) -> Iterable[Failure]:
    return expected_calls.failures(wanted, completion.calls)


def _call_count(wanted: Any, of_tool: OfTool, completion: Completion, _case: Case) -> Iterable[Failure]:
    for name, bounds in wanted.items():
        count = len(completion.calls if name == EVERY_TOOL else of_tool.get(name, ()))
        expected = out_of_bounds(bounds, count)
        if expected:
            yield Failure(f"call_count:{one_line(name)}", f"expected {expected} calls, got {count}")


def _call_order(wanted: Any, _of_tool: OfTool, completion: Completion, _case: Case) -> Iterable[Failure]:
    names = [call["name"] for call in completion.calls]
    placed = in_order(wanted, names, eq)
    if placed < len(wanted):
        yield Failure(
            f"call_order:{one_line(wanted[placed])}", f"expected {shown(wanted)} in this order, got {shown(names)}"
        )


def _identifiers(wanted: Any, _of_tool: OfTool, completion: Completion, case: Case) -> Iterable[Failure]:
    return identifiers.failures(wanted, completion, case)


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
    "identifiers": _identifiers,
}
