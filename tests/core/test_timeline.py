"""Tool calls of two traces side by side."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.timeline import timeline


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def told(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    return [(step.state, step.old_place, step.new_place) for step in timeline(old, new)]


A, B, C = call("a"), call("b", x=1), call("c")


@pytest.mark.parametrize(
    ("old", "new", "steps"),
    [
        pytest.param([], [], [], id="no call"),
        pytest.param([A, B], [A, B], [("same", 1, 1), ("same", 2, 2)], id="the same"),
        pytest.param([A], [A, C], [("same", 1, 1), ("added", 0, 2)], id="one more"),
        pytest.param([A, C], [C], [("removed", 1, 0), ("same", 2, 1)], id="one less"),
        pytest.param([B], [call("b", x=2)], [("changed", 1, 1)], id="another argument"),
        pytest.param([call("b", x=1, y=2)], [call("b", y=2, x=1)], [("changed", 1, 1)], id="arguments reordered"),
        pytest.param([A, B], [B, A], [("elsewhere", 1, 0), ("same", 2, 1), ("elsewhere", 0, 2)], id="another order"),
        pytest.param([A], [C], [("removed", 1, 0), ("added", 0, 1)], id="another tool"),
    ],
)
def test_every_call_stands_in_its_place(
    old: list[dict[str, Any]], new: list[dict[str, Any]], steps: list[tuple[str, int, int]]
) -> None:
    assert told(old, new) == steps


def test_what_a_tool_answered_is_no_move() -> None:
    (step,) = timeline([A], [{**A, "result": {"ok": True}}])
    assert step.state == "same"
    assert step.new == {**A, "result": {"ok": True}}
