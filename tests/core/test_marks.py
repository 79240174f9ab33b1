"""What makes a move suspicious: one pair a mark, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from golden_values import case_of
from lastgood.core.marks import HEDGES, MOST_OF_A_SORT, REFUSALS, marks
from lastgood.core.trace import Completion

SCHEMA = {
    "type": "object",
    "properties": {"status": {"type": "string"}, "order": {"properties": {"id": {}, "note/s": {}}}},
    "required": ["status", "eta"],
}


def text(final_text: str) -> Completion:
    return Completion(final_text, None)


def trace(*calls: tuple[str, Any], final_text: str = "done") -> Completion:
    return Completion(final_text, tuple({"name": name, "arguments": arguments} for name, arguments in calls))


TEXTS = {
    "a hedge": ("It is paid.", "I think it is paid.", ("hedging phrase appeared: 'I think'",)),
    "a typographic apostrophe": ("Paid.", "I\u2019m not sure.", ('hedging phrase appeared: "I\'m not sure"',)),
    "inside JSON": ('{"reply": "Paid."}', '{"reply": "I\\u0020think so"}', ("hedging phrase appeared: 'I think'",)),
    "across a line break": ("Paid.", "I\nthink so.", ("hedging phrase appeared: 'I think'",)),
    "a refusal comes first": (
        "It is paid.",
        "Perhaps. As an AI, I cannot know.",
        (
            "refusal phrase appeared: 'as an AI'",
            "refusal phrase appeared: 'I cannot'",
            "hedging phrase appeared: 'perhaps'",
        ),
    ),
    "hedged before": ("I think it is paid.", "I think it is open.", ()),
    "hedged no more": ("I think it is paid.", "It is paid.", ()),
    "inside a word": ("Paid.", "I thinkable improbably.", ()),
    "nothing of it": ("It is paid.", "It is open.", ()),
}


@pytest.mark.parametrize(("old", "new", "expected"), TEXTS.values(), ids=TEXTS)
def test_phrases(old: str, new: str, expected: tuple[str, ...]) -> None:
    assert marks(case_of(expect={"json": True}), text(old), text(new)) == expected


def test_a_case_never_accepted_is_read_like_any() -> None:
    assert marks(case_of(expect={"json": True}), None, text("I think so")) == ("hedging phrase appeared: 'I think'",)


def test_no_more_than_a_few_of_a_sort() -> None:
    said = marks(case_of(expect={"json": True}), text(""), text(". ".join((*HEDGES, *REFUSALS))))
    assert len(said) == 2 * MOST_OF_A_SORT


TOOLS = {
    "named in the answer": (
        trace(),
        trace(final_text="Shall I run create_refund?"),
        ("forbidden tool nearer: create_refund is named now",),
    ),
    "named in an argument": (
        trace(),
        trace(("plan", {"next": "create_refund"})),
        ("forbidden tool nearer: create_refund is named now",),
    ),
    "its like is called": (
        trace(),
        trace(("preview_refund", {})),
        ("forbidden tool nearer: create_refund, by a call of preview_refund",),
    ),
    "its like, written otherwise": (
        trace(),
        trace(("previewRefund", {})),
        ("forbidden tool nearer: create_refund, by a call of previewRefund",),
    ),
    "its like was called before": (trace(("preview_refund", {})), trace(("preview_refund", {"a": 1})), ()),
    "looking is not nearer": (trace(), trace(("get_refund", {})), ()),
    "another thing": (trace(), trace(("create_ticket", {})), ()),
    "named before": (trace(final_text="create_refund"), trace(final_text="create_refund!"), ()),
}


@pytest.mark.parametrize(("old", "new", "expected"), TOOLS.values(), ids=TOOLS)
def test_forbidden_tools(old: Completion, new: Completion, expected: tuple[str, ...]) -> None:
    assert marks(case_of(assertions={"must_not_call": ["create_refund"]}), old, new) == expected


FIELDS = {
    "of the top": ('{"status": "paid", "eta": 1}', '{"status": "paid"}', ("schema field lost: /eta",)),
    "deep": (
        '{"order": {"id": 1, "note/s": "x"}}',
        '{"order": {"id": 1}}',
        ("schema field lost: /order/note~1s",),
    ),
    "not of the schema": ('{"status": "paid", "x": 1}', '{"status": "paid"}', ()),
    "never there": ('{"status": "paid"}', '{"status": "open"}', ()),
    "no JSON any more": ('{"status": "paid"}', "paid", ()),
    "another type": ('{"order": {"id": 1}}', '{"order": 5}', ()),
}


@pytest.mark.parametrize(("old", "new", "expected"), FIELDS.values(), ids=FIELDS)
def test_schema_fields(old: str, new: str, expected: tuple[str, ...]) -> None:
    assert marks(case_of(expect={"json": True}), text(old), text(new), SCHEMA) == expected
