"""How often each tool may be called, as all assertions together have it: those that contradict each other."""

from __future__ import annotations

from lastgood.core.assertions import EVERY_TOOL
from lastgood.core.failure import shown
from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    # JSON Pointer into the assertions, tool or EVERY_TOOL, least and most calls; None is no limit.
    Bound = tuple[str, str, int, int | None]

_NONE = 0, ""


def clashes(part: Any) -> Iterator[tuple[str, str]]:
    """JSON Pointer and sentence where one assertion forbids calls that others demand."""
    asked = [name for name in _OF if name in part]
    if len(asked) < 2 and asked != ["call_count"]:  # the only one that can contradict itself
        return
    bounds = [bound for name in asked for bound in _OF[name](part[name])]
    least: dict[str, tuple[int, str]] = {}
    for pointer, tool, low, _ in bounds:
        if low > least.get(tool, _NONE)[0]:
            least[tool] = low, f"{pointer[1:]} asks for {low}"
    single = [demand for tool, demand in least.items() if tool != EVERY_TOOL]
    together = sum(low for low, _ in single)
    if together > least.get(EVERY_TOOL, _NONE)[0]:
        least[EVERY_TOOL] = single[0] if len(single) == 1 else (together, f"those of single tools come to {together}")
    for pointer, tool, _, high in bounds:
        low, demand = least.get(tool, _NONE)
        if high is not None and low > high:
            of_what = "" if tool == EVERY_TOOL else f" of {shown(tool)}"
            yield pointer, f"allows {high or 'no'} call{'s' * (high > 1)}{of_what}, but {demand}"


def _must_call(wanted: Any) -> Iterator[Bound]:
    for nth, tool in enumerate(wanted):
        yield f"/must_call/{nth}", tool, 1, None


def _must_not_call(wanted: Any) -> Iterator[Bound]:
    for nth, tool in enumerate(wanted):
        yield f"/must_not_call/{nth}", tool, 0, 0


def _no_calls(_wanted: Any) -> Iterator[Bound]:
    yield "/no_calls", EVERY_TOOL, 0, 0


def _calls(wanted: Any) -> Iterator[Bound]:
    expected = [call["name"] for call in wanted["of"]]
    # Calls that are not judged may be made beside the expected ones.
    exact = wanted.get("match", "exact") == "exact" and not wanted.get("ignore_failed")
    for tool in dict.fromkeys([*expected, *wanted.get("among", ())]):
        count = expected.count(tool)
        yield "/calls", tool, count, count if exact else None
    if exact and "among" not in wanted:
        yield "/calls", EVERY_TOOL, 0, len(expected)


def _call_count(wanted: Any) -> Iterator[Bound]:
    for tool, count in wanted.items():
        bounds: Any = count if isinstance(count, dict) else {"eq": count}
        low: int = bounds.get("eq", bounds.get("ge", 0))
        high: int | None = bounds.get("eq", bounds.get("le"))
        yield f"/call_count/{escape(tool)}", tool, low, high


def _call_order(wanted: Any) -> Iterator[Bound]:
    for tool in dict.fromkeys(wanted):
        yield "/call_order", tool, wanted.count(tool), None


_OF: dict[str, Callable[[Any], Iterator[Bound]]] = {
    "must_call": _must_call,
    "must_not_call": _must_not_call,
    "no_calls": _no_calls,
    "calls": _calls,
    "call_count": _call_count,
    "call_order": _call_order,
}
