"""Phrases and patterns looked for in every turn of the assistant's, and not only in what it said last."""

from __future__ import annotations

from typing import Any

import pytest

from golden_values import case_of
from lastgood.core.grading import grade
from lastgood.core.trace import read_trace

TURNS = [
    {"role": "system", "content": "Never say sorry."},
    {"role": "user", "content": "Sorry, where is order 1842-AX?"},
    {"role": "assistant", "content": None},
    {"role": "tool", "content": "sorry, not found"},
    {"role": "assistant", "content": "Your order 1842-AX is on its way."},
    {"role": "user", "content": "Thanks"},
    {"role": "assistant", "content": "Anything else?"},
]


def found(assertions: dict[str, Any], turns: list[Any] | None, text: str = "Anything else?") -> list[Any]:
    trace = {"tool_calls": [], "final_text": text} | ({} if turns is None else {"turns": turns})
    return list(grade(case_of(assertions=assertions), read_trace(trace), {}))


def in_turns(name: str, *of: str) -> dict[str, Any]:
    return {name: {"of": list(of), "in": "turns"}}


TABLE: dict[str, tuple[dict[str, Any], list[Any] | None, list[str]]] = {
    "forbidden, said by others": (in_turns("forbidden", "sorry"), TURNS, []),
    "forbidden, said earlier": (in_turns("forbidden", "On its way"), TURNS, ["forbidden:On its way"]),
    "forbidden, said last": (in_turns("forbidden", "anything"), TURNS, ["forbidden:anything"]),
    "forbidden, said in a turn without a role": (in_turns("forbidden", "so"), ["So.", "Ok."], ["forbidden:so"]),
    "forbidden, looked for in the final text only": ({"forbidden": ["On its way"]}, TURNS, []),
    "pattern, said by others": (in_turns("forbid_patterns", "^thanks"), TURNS, []),
    "pattern, said earlier": (in_turns("forbid_patterns", "^your", "z"), TURNS, ["forbid_pattern:^your"]),
    "pattern, said twice": (in_turns("forbid_patterns", "a"), TURNS, ["forbid_pattern:a"]),
    "required, said earlier": (in_turns("require_patterns", "1842-AX"), TURNS, []),
    "required, said last": (in_turns("require_patterns", "else"), TURNS, []),
    "required, said by others": (in_turns("require_patterns", "thanks"), TURNS, ["require_pattern:thanks"]),
    "required, final text only": ({"require_patterns": ["1842-AX"]}, TURNS, ["require_pattern:1842-AX"]),
    "each required in a turn of its own": (in_turns("require_patterns", "1842-AX", "else"), TURNS, []),
    "final text where no turn was": (in_turns("require_patterns", "else"), [], []),
    "no turns told": (in_turns("forbidden", "sorry"), None, ["missing_turns"]),
    "no turns told, none required": (in_turns("require_patterns", "else"), None, ["missing_turns"]),
}


@pytest.mark.parametrize(("assertions", "turns", "failures"), TABLE.values(), ids=TABLE)
def test_of_turns(assertions: dict[str, Any], turns: list[Any] | None, failures: list[str]) -> None:
    assert [str(failure) for failure in found(assertions, turns)] == failures


TOLD = {
    "earlier": (
        in_turns("forbidden", "is on"),
        'turn 1 of 2: expected no "is on", got "your order 1842-ax is on its way."',
    ),
    "first of two": (in_turns("forbid_patterns", "an|an"), 'turn 2 of 2: expected no match, got "An"'),
    "nowhere": (
        in_turns("require_patterns", "x{9}"),
        'any of 2 turns: expected a match, got "Your order 1842-AX is on its way."',
    ),
    "nobody told": (
        {**in_turns("forbidden", "x")},
        "expected a trace with turns, got none, so nobody knows what was said",
    ),
}


@pytest.mark.parametrize(("assertions", "told"), TOLD.values(), ids=TOLD)
def test_the_long_form_names_the_turn(assertions: dict[str, Any], told: str) -> None:
    turns = None if told.endswith("was said") else TURNS
    assert [failure.explanation for failure in found(assertions, turns)] == [told]
