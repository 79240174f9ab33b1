"""Each assertion over tool calls fails exactly what breaks it. Named where the second article's code let it pass."""

from __future__ import annotations

from typing import Any

import pytest

from golden_values import case_of
from lastgood.core.grading import grade
from lastgood.core.trace import read_trace


def of_calls(assertions: dict[str, Any], *calls: tuple[str, object], tools: list[str] | None = None) -> list[str]:
    case = case_of(assertions=assertions, **({} if tools is None else {"tools": tools}))
    trace = {"tool_calls": [{"name": name, "arguments": arguments} for name, arguments in calls], "final_text": "done"}
    return [str(failure) for failure in grade(case, read_trace(trace), {})]


ORDER = ("get_order", {"order_id": "1842-AX"})
IS_AX = {"args": {"get_order": {"order_id": {"eq": "1842-AX"}}}}
TOOLS = ["get_order", "create_refund"]

CALLS: dict[str, tuple[dict[str, Any], list[Any], list[str] | None, list[str]]] = {
    "called": ({"must_call": ["get_order"]}, [ORDER], None, []),
    "not called": ({"must_call": ["get_order", "b"]}, [("b", {})], None, ["missing_tool:get_order"]),
    "nothing called": ({"must_call": ["a", "b"]}, [], None, ["missing_tool:a", "missing_tool:b"]),
    "called although forbidden": (
        {"must_not_call": ["create_refund"]},
        [ORDER, ("create_refund", {})],
        None,
        ["forbidden_tool:create_refund"],
    ),
    "not called as asked": ({"must_not_call": ["create_refund"]}, [ORDER], None, []),
    "argument": (IS_AX, [ORDER], None, []),
    "argument as a JSON string": (IS_AX, [("get_order", '{"order_id": "1842-AX"}')], None, []),
    "argument of another tool": (IS_AX, [("b", {"order_id": "EVIL"})], None, []),
    "tool never called": (IS_AX, [], None, []),
    "argument off": (IS_AX, [("get_order", {"order_id": "1842"})], None, ["arg_mismatch:get_order.order_id"]),
    "argument missing": (IS_AX, [("get_order", {})], None, ["arg_mismatch:get_order.order_id"]),
    "argument null": (IS_AX, [("get_order", {"order_id": None})], None, ["arg_mismatch:get_order.order_id"]),
    "argument optional": ({"args": {"a": {"n": {"optional": True, "eq": 1}}}}, [("a", {})], None, []),
    "argument absent": ({"args": {"a": {"n": {"absent": True}}}}, [("a", {"n": None})], None, ["arg_mismatch:a.n"]),
    # Where the second article's code passed.
    "second call off": (
        IS_AX,
        [ORDER, ("get_order", {"order_id": "EVIL"})],
        None,
        ["arg_mismatch:get_order.order_id"],
    ),
    "two calls off, told once": (
        IS_AX,
        [("get_order", {"order_id": "EVIL"}), ("get_order", {})],
        None,
        ["arg_mismatch:get_order.order_id"],
    ),
    "another rule than eq": (
        {"args": {"a": {"n": {"in": [1, 2]}}}},
        [("a", {"n": 3})],
        None,
        ["arg_mismatch:a.n"],
    ),
    "true for 1": ({"args": {"a": {"n": {"eq": 1}}}}, [("a", {"n": True})], None, ["arg_mismatch:a.n"]),
    "tool outside the list": (
        IS_AX,
        [ORDER, ("drop_table", {}), ("drop_table", {})],
        TOOLS,
        ["unknown_tool:drop_table"],
    ),
    "no tool allowed": ({"length": {"ge": 1}}, [ORDER], [], ["unknown_tool:get_order"]),
    "all at once, in a fixed order": (
        {"must_not_call": ["create_refund"], **IS_AX, "must_call": ["get_order"], "forbid_patterns": ["done"]},
        [("x", {}), ("create_refund", {})],
        TOOLS,
        ["missing_tool:get_order", "forbidden_tool:create_refund", "unknown_tool:x", "forbid_pattern:done"],
    ),
}


@pytest.mark.parametrize(("assertions", "calls", "tools", "failures"), CALLS.values(), ids=CALLS)
def test_of_calls(assertions: dict[str, Any], calls: list[Any], tools: list[str] | None, failures: list[str]) -> None:
    assert of_calls(assertions, *calls, tools=tools) == failures


def test_the_long_form_names_the_call() -> None:
    trace = {
        "tool_calls": [{"name": "get_order", "arguments": {"order_id": n}} for n in ("1842-AX", 7)],
        "final_text": "",
    }
    [failure] = grade(case_of(assertions=IS_AX), read_trace(trace), {})
    assert failure.explanation == 'call 2 of 2: expected "1842-AX", got 7'
