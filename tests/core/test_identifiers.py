"""`identifiers`: what the answer names was in the input or came from a tool."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from golden_values import case_of
from json_values import values
from lastgood.core.grading import grade
from lastgood.core.trace import read_trace

ORDER = {"name": "get_order", "arguments": {"order_id": "1842-AX"}}
FOUND = {**ORDER, "result": {"status": "shipped", "tracking": "1Z999AA10123456784"}}
TRACKING = {"pattern": "1Z[0-9A-Z]{16}"}
NUMBER = {"pattern": "[0-9]{4,}"}
ASKED = {"messages": [{"role": "user", "content": "Where is order 1842-AX?"}]}
INVENTED = ["invented_identifier:1Z999AA10123456784"]
SAYS = "It is on its way: 1Z999AA10123456784."


def failures(wanted: dict[str, Any], call: object, text: str, asked: dict[str, Any] = ASKED) -> list[str]:
    trace = {"tool_calls": [call], "final_text": text}
    found = grade(case_of(input=asked, assertions={"identifiers": wanted}), read_trace(trace), {})
    return [str(failure) for failure in found]


TABLE: dict[str, tuple[dict[str, Any], dict[str, Any], str, list[str]]] = {
    "none said": (TRACKING, ORDER, "It is on its way.", []),
    "invented": (TRACKING, ORDER, SAYS, INVENTED),
    "from a result": (TRACKING, FOUND, SAYS, []),
    "from a result that does not count": ({**TRACKING, "from": ["input"]}, FOUND, SAYS, INVENTED),
    "from a result that is JSON in a string": (TRACKING, {**ORDER, "result": json.dumps(FOUND["result"])}, SAYS, []),
    "from a result that is JSON with escapes in a string": (
        {"pattern": "\\w+-XY"},
        {**ORDER, "result": json.dumps({"note": "Also:\n7701-XY"})},
        "7701-XY",
        [],
    ),
    "from a result in a list": (TRACKING, {**ORDER, "result": [{"a": [SAYS]}]}, SAYS, []),
    "from a key": (TRACKING, {**ORDER, "result": {"1Z999AA10123456784": 1}}, SAYS, []),
    "from an error": (TRACKING, {**ORDER, "error": "no scan of 1Z999AA10123456784 yet"}, SAYS, []),
    "from a number": (NUMBER, {**ORDER, "result": {"id": 77012}}, "Ticket 77012.", []),
    "from an argument, which is invented too": (
        TRACKING,
        {**ORDER, "arguments": {"q": "1Z999AA10123456784"}},
        SAYS,
        INVENTED,
    ),
    "from the input": (NUMBER, ORDER, "Order 1842-AX.", []),
    "from an input that does not count": (
        {**NUMBER, "from": ["tool_results"]},
        ORDER,
        "Order 1842-AX.",
        ["invented_identifier:1842"],
    ),
    "half of one": ({"pattern": "[0-9]+-[A-Z]+"}, ORDER, "Order 842-AX.", ["invented_identifier:842-AX"]),
    "another case": ({"pattern": "[0-9]+-[A-Z]+"}, ORDER, "1842-ax", ["invented_identifier:1842-ax"]),
    "another case, folded": ({"pattern": "[0-9]+-[A-Z]+", "fold": ["case"]}, ORDER, "1842-ax", []),
    "other spacing, folded": (
        {"pattern": "[0-9]+[ -]?[A-Z]{2}\\b", "fold": ["case", "space", "punctuation"]},
        ORDER,
        "1842 ax, 1842AX",
        [],
    ),
    "a hyphen that does not break": ({"pattern": "[0-9]+-[A-Z]+"}, ORDER, "1842\u2011AX", []),
    "full-width digits": (NUMBER, ORDER, "\uff11\uff18\uff14\uff12", []),
    "hidden by a zero-width space": (NUMBER, ORDER, "77\u200b012", ["invented_identifier:77012"]),
    "hidden by an escape": (NUMBER, ORDER, '{"id": "\\u0037\\u0037012"}', ["invented_identifier:77012"]),
    "after a line break in JSON": ({"pattern": "\\w+-AX"}, ORDER, '{"a": "Order:\\n1842-AX"}', []),
    "a number in JSON": (NUMBER, ORDER, '{"id": 77012}', ["invented_identifier:77012"]),
    "twice the same": (NUMBER, ORDER, "77012 and 77012", ["invented_identifier:77012"]),
    "two": (NUMBER, ORDER, "77012, 1842, 66001", ["invented_identifier:77012", "invented_identifier:66001"]),
    "as many as may be new": ({**NUMBER, "max_new": 1}, ORDER, "77012, 77012", []),
    "more than may be new": (
        {**NUMBER, "max_new": 1},
        ORDER,
        "77012, 66001",
        ["invented_identifier:77012", "invented_identifier:66001"],
    ),
}


@pytest.mark.parametrize(("wanted", "call", "text", "expected"), TABLE.values(), ids=TABLE)
def test_identifiers(wanted: dict[str, Any], call: dict[str, Any], text: str, expected: list[str]) -> None:
    assert failures(wanted, call, text) == expected


def test_the_long_form_says_where_it_should_have_been() -> None:
    trace = read_trace({"tool_calls": [], "final_text": SAYS})
    [failure] = grade(case_of(input=ASKED, assertions={"identifiers": TRACKING}), trace, {})
    assert failure.explanation == 'expected only what the input or a tool\'s result holds, got "1Z999AA10123456784"'


def test_of_very_many_the_first_are_told() -> None:
    assert len(failures(NUMBER, ORDER, " ".join(map(str, range(10_000, 20_000))))) == 20


@given(values)
def test_whatever_a_tool_answered_may_be_said(result: object) -> None:
    said = json.dumps(result, ensure_ascii=False)
    assert failures({"pattern": "[0-9]{2,}"}, {**ORDER, "result": result}, said) == []
