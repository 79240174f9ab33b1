"""Each assertion over tool calls fails exactly what breaks it. Named where the second article's code let it pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from golden_values import case_of
from lastgood.core.grading import grade
from lastgood.core.trace import read_trace

if TYPE_CHECKING:
    from lastgood.core.failure import Failure


def graded(assertions: dict[str, Any], *calls: tuple[str, object], tools: list[str] | None = None) -> list[Failure]:
    case = case_of(assertions=assertions, **({} if tools is None else {"tools": tools}))
    trace = {"tool_calls": [{"name": name, "arguments": arguments} for name, arguments in calls], "final_text": "done"}
    return list(grade(case, read_trace(trace), {}))


def of_calls(assertions: dict[str, Any], *calls: tuple[str, object], tools: list[str] | None = None) -> list[str]:
    return [str(failure) for failure in graded(assertions, *calls, tools=tools)]


def explanations(assertions: dict[str, Any], *calls: tuple[str, object]) -> list[str]:
    return [failure.explanation for failure in graded(assertions, *calls)]


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
    "no call": ({"no_calls": True}, [], None, []),
    "a call, and none was wanted": (
        {"no_calls": True},
        [ORDER, ("b", {}), ORDER],
        None,
        ["unwanted_call:get_order", "unwanted_call:b"],
    ),
    "count": ({"call_count": {"get_order": 1}}, [ORDER, ("b", {})], None, []),
    "count off": ({"call_count": {"get_order": {"eq": 2}}}, [ORDER], None, ["call_count:get_order"]),
    "at least": ({"call_count": {"get_order": {"ge": 1}}}, [ORDER, ORDER], None, []),
    "not even at least": ({"call_count": {"get_order": {"ge": 1}}}, [("b", {})], None, ["call_count:get_order"]),
    "at most": ({"call_count": {"b": {"le": 1}}}, [], None, []),
    "more than at most": ({"call_count": {"b": {"le": 1}}}, [("b", {}), ("b", {})], None, ["call_count:b"]),
    "all calls": ({"call_count": {"*": {"ge": 1, "le": 2}}}, [ORDER, ("b", {})], None, []),
    "too many of all": ({"call_count": {"*": 1}}, [ORDER, ("b", {})], None, ["call_count:*"]),
    "order": ({"call_order": ["a", "b"]}, [("a", {}), ("x", {}), ("b", {})], None, []),
    "order, later": ({"call_order": ["a", "b"]}, [("b", {}), ("a", {}), ("b", {})], None, []),
    "order off": ({"call_order": ["a", "b"]}, [("b", {}), ("a", {})], None, ["call_order:b"]),
    "order, once for two": ({"call_order": ["a", "a"]}, [("a", {})], None, ["call_order:a"]),
    "order of what is not called": ({"call_order": ["a"]}, [], None, ["call_order:a"]),
    "arguments as named": ({**IS_AX, "closed_args": True}, [ORDER, ("b", {})], None, []),
    "invented argument": (
        {**IS_AX, "closed_args": True},
        [("get_order", {"order_id": "1842-AX", "note": "urgent"})],
        None,
        ["invented_arg:get_order.note"],
    ),
    "invented argument of another tool": (
        {**IS_AX, "closed_args": True},
        [("b", {"n": 1})],
        None,
        ["invented_arg:b.n"],
    ),
    "argument that may be there": (
        {"args": {"a": {"n": {"optional": True}}}, "closed_args": True},
        [("a", {"n": 1})],
        None,
        [],
    ),
    "argument that calls names": (
        {
            "calls": {"of": [{"name": "a", "args": {"n": {"eq": 1}}}, {"name": "a", "args": {"m": {"eq": 2}}}]},
            "closed_args": True,
        },
        [("a", {"n": 1, "m": 2}), ("a", {"m": 2})],
        None,
        [],
    ),
    "argument that calls names, and one that it does not": (
        {"calls": {"of": [{"name": "a"}]}, "args": {"a": {"n": {"eq": 1}}}, "closed_args": True},
        [("a", {"n": 1, "m": 2})],
        None,
        ["invented_arg:a.m"],
    ),
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


TOLD: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no_calls": ({"no_calls": True}, ['expected no call, got 1 of "get_order"', 'expected no call, got 1 of "b"']),
    "call_count": ({"call_count": {"*": {"ge": 3, "le": 4}}}, ["expected at least 3 and at most 4 calls, got 2"]),
    "call_order": (
        {"call_order": ["b", "get_order"]},
        ['expected ["b", "get_order"] in this order, got ["get_order", "b"]'],
    ),
    "closed_args": (
        {"args": {"get_order": {"id": {"optional": True}}}, "closed_args": True},
        ['expected no argument but ["id"], got "1842-AX"'],
    ),
}


@pytest.mark.parametrize(("assertions", "told"), TOLD.values(), ids=TOLD)
def test_the_long_form(assertions: dict[str, Any], told: list[str]) -> None:
    assert explanations(assertions, ORDER, ("b", {})) == told


def test_the_long_form_names_the_call() -> None:
    trace = {
        "tool_calls": [{"name": "get_order", "arguments": {"order_id": n}} for n in ("1842-AX", 7)],
        "final_text": "",
    }
    [failure] = grade(case_of(assertions=IS_AX), read_trace(trace), {})
    assert failure.explanation == 'call 2 of 2: expected "1842-AX", got 7'
