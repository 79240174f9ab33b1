"""Every assertion type of promptfoo's: an imported case passes and fails the completions that promptfoo does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastgood.core.case import Case, read_golden
from lastgood.core.grading import grade
from lastgood.core.importing import promptfoo
from lastgood.core.importing.promptfoo_assertions import ROWS
from lastgood.core.importing.promptfoo_config import Config
from lastgood.core.importing.sources import Sources
from lastgood.core.strict_json import dump
from lastgood.core.trace import Completion

if TYPE_CHECKING:
    from collections.abc import Callable

    from lastgood.core.importing.drafts import Imported

PARAMETERS = {
    "type": "object",
    "properties": {"order_id": {"type": "string", "pattern": "^ord_"}, "limit": {"type": "integer", "minimum": 1}},
    "required": ["order_id"],
    "additionalProperties": False,
}
TOOLS = [{"type": "function", "function": {"name": "get_order", "parameters": PARAMETERS}}]


def imported(*asserted: Any, **more: Any) -> Imported:
    config = {"tests": [{"vars": {"topic": "cats"}, "assert": list(asserted), **more}]}
    config |= {"providers": [{"id": "openai:x", "config": {"tools": TOOLS}}]}
    sources = Sources.of({"c.json": json.dumps(config).encode()})
    return promptfoo.read(Config(sources, "c.json"), sources, "billing", frozenset())


def case_of(found: Imported) -> Case:
    (draft,) = found.drafts
    return read_golden("case.json", dump(draft.case)).cases[0]


def held(found: Imported, said: Any) -> bool:
    """Whether the case takes a text, or a list of calls as (name, arguments)."""
    calls = None if isinstance(said, str) else tuple({"name": name, "arguments": args} for name, args in said)
    return not grade(case_of(found), Completion(said if isinstance(said, str) else "", calls), found.schemas)


LOOK = ("get_order", {"order_id": "ord_1"})
REFUND = ("create_refund", {"order_id": "ord_1", "amount": 5})
SAID: list[tuple[str, Any, list[Any], list[Any]]] = [
    ("equals", "Yes", ["Yes", "Yes\n"], ["yes", "Yes.", '{"a": "Yes"}', ""]),
    ("equals", 4, ["4"], ["44", "4.0"]),
    ("equals", "", ["", "\n"], ["x"]),
    ("equals", "a.c", ["a.c"], ["abc"]),
    ("equals", {"a": [1, None]}, ['{"a": [1, null]}'], ['{"a": [1]}', '{"a": [1, null], "b": 1}', "no JSON"]),
    ("contains", "as an AI", ["I, as an AI, can"], ["I, as an ai, can"]),
    ("contains", "{{topic}}", ["two cats"], ["two dogs"]),
    ("contains", 0, ["10"], ["11"]),
    ("not-contains", "as an AI", ["I, as an ai, can"], ["I, as an AI, can"]),
    ("icontains", "as an AI", ["I, as an ai, can"], ["I can"]),
    ("not-icontains", "as an AI", ["I can"], ["as an ai"]),
    ("contains-all", ["a(b", "c"], ["c and a(b"], ["a(b"]),
    ("contains-all", "x, y", ["y x"], ["x"]),
    ("icontains-all", ["A", "B"], ["b a"], ["a"]),
    ("contains-any", ["a", "b"], ["xbx"], ["XAX"]),
    ("icontains-any", ["a", "b"], ["xBx"], ["x"]),
    ("not-contains-any", ["ab", "cd"], ["AB"], ["xcd"]),
    ("not-icontains-any", ["ab", "cd"], ["a b"], ["AB"]),
    ("regex", "\\d{4}", ["in 2026"], ["in 26"]),
    ("regex", "^[A-Z]+$", ["YES"], ["yes", "YES!"]),
    ("regex", "gr\\u00fc", ["gr\u00fcn"], ["gr\u00dcn"]),
    ("not-regex", "[A-Z]{2}", ["Yes"], ["YES"]),
    ("starts-with", "Yes", ["Yes, it is"], ["yes", "Oh Yes"]),
    ("not-starts-with", "Yes", ["Oh Yes"], ["Yes."]),
    ("ends-with", "Yes", ["Oh Yes\n"], ["Yes."]),
    ("not-ends-with", "Yes", ["Yes."], ["Oh Yes"]),
    ("character-count", 3, ["abc"], ["abcd"]),
    ("character-count", {"min": 2, "max": 3}, ["abc"], ["a", "abcd"]),
    ("is-json", None, ["[1]"], ["x"]),
    ("is-json", {"required": ["a"], "type": "object"}, ['{"a": 1}'], ["{}", "[]", "x"]),
    ("is-json", "required: [a]\ntype: object\n", ['{"a": 1}'], ["{}"]),
    ("is-valid-openai-tools-call", None, [[LOOK], [LOOK, ("get_order", {"order_id": "ord_2", "limit": 1})]],
     [[], [REFUND], [("get_order", {})], [("get_order", {"order_id": "1842"})],
      [("get_order", {"order_id": "ord_1", "limit": 0})], [("get_order", {"order_id": "ord_1", "invented": 1})]]),
    ("tool-call-f1", ["get_order"], [[LOOK], [LOOK, LOOK]], [[], [LOOK, REFUND], [REFUND]]),
    ("tool-call-f1", "get_order, create_refund", [[REFUND, LOOK]], [[LOOK]]),
    ("trajectory:tool-used", "get_order", [[LOOK], [REFUND, LOOK]], [[], [REFUND]]),
    ("trajectory:tool-used", ["get_order", "create_refund"], [[REFUND, LOOK]], [[LOOK]]),
    ("trajectory:tool-used", {"name": "get_order", "max": 1}, [[LOOK]], [[], [LOOK, LOOK]]),
    ("not-trajectory:tool-used", "create_refund", [[], [LOOK]], [[REFUND]]),
    ("trajectory:tool-args-match", {"name": "get_order", "args": {"order_id": "ord_1"}},
     [[LOOK], [("get_order", {"order_id": "ord_1", "x": 1})]], [[], [("get_order", {"order_id": "ord_2"})]]),
    ("trajectory:tool-args-match", {"name": "f", "args": {"a": {"b": [1, {"c": 2}]}}},
     [[("f", {"a": {"b": [1, {"c": 2, "d": 3}], "e": 4}})]], [[("f", {"a": {"b": [1]}})], [("f", {"a": {"b": 1}})]]),
    ("trajectory:tool-args-match", {"name": "get_order", "mode": "exact", "args": {"order_id": "ord_1"}},
     [[LOOK], [LOOK, REFUND]], [[("get_order", {"order_id": "ord_1", "x": 1})]]),
    ("trajectory:tool-args-match",
     {"name": "f", "mode": "exact", "args": {"s": "Q"}, "defaults": {"page": 1}, "ignore": "id"},
     [[("f", {"s": "Q"})], [("f", {"s": "Q", "page": 1, "id": 7})]], [[("f", {"s": "Q", "page": 2})], [("f", {})]]),
    ("trajectory:tool-sequence", ["get_order", "create_refund"], [[LOOK, ("x", {}), REFUND]], [[REFUND, LOOK], [LOOK]]),
    ("trajectory:tool-sequence", {"mode": "exact", "steps": ["get_order", {"name": "create_refund"}]},
     [[LOOK, REFUND]], [[LOOK, ("x", {}), REFUND], [REFUND, LOOK], [LOOK]]),
    ("trajectory:step-count", {"type": "tool", "max": 1}, [[], [LOOK]], [[LOOK, REFUND]]),
    ("trajectory:step-count", {"type": "tool", "pattern": "get_order", "min": 2}, [[LOOK, LOOK]], [[LOOK, REFUND]]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "value", "passing", "failing"), SAID, ids=[f"{row[0]} {row[1]}" for row in SAID])
def test_a_case_holds_what_the_assertion_did(kind: str, value: Any, passing: list[Any], failing: list[Any]) -> None:
    found = imported({"type": kind, "value": value})
    assert found.losses == tuple(loss for loss in found.losses if loss.aside)
    assert [said for said in passing if not held(found, said)] == []
    assert [said for said in failing if held(found, said)] == []


def test_every_type_that_becomes_something_is_tried() -> None:
    assert {row[0] for row in SAID} == {kind for kind, row in ROWS.items() if row.make}


PLAIN = st.text(st.sampled_from("aAbBé .*\\[1"), max_size=6)
MEANT: dict[str, Callable[[str, str], bool]] = {
    "equals": lambda text, said: text.strip() == said.strip(),
    "contains": lambda text, said: text in said,
    "icontains": lambda text, said: text.lower() in said.lower(),
    "starts-with": lambda text, said: said.startswith(text),
    "ends-with": lambda text, said: said.rstrip().endswith(text.rstrip()),
}


@given(st.sampled_from([*MEANT, *(f"not-{kind}" for kind in MEANT if kind != "equals")]), PLAIN, PLAIN)
def test_texts_are_compared_as_promptfoo_compares_them(kind: str, text: str, said: str) -> None:
    found = imported({"type": kind, "value": text})
    if not found.drafts:  # an empty text, which everything contains
        assert not text.strip()
        return
    if '"' in said or said.strip().isdigit():  # JSON, in which lastgood looks at every string
        return
    wanted = MEANT[kind.removeprefix("not-")](text, said) != kind.startswith("not-")
    assert held(found, said) == wanted


LEFT = [
    ({"type": "llm-rubric", "value": "kind"}, "a model's judgement"),
    ({"type": "not-llm-rubric", "value": "kind"}, "a model's judgement"),
    ({"type": "javascript", "value": "true"}, "code of its own"),
    ({"type": "latency", "threshold": 5}, "a measure of the run"),
    ({"type": "contians", "value": "x"}, "is no assertion type of promptfoo's"),
    ({"type": "not-character-count", "value": 1}, "its opposite"),
    ({"type": "regex", "value": "(?=x)"}, "is not usable"),
    ({"type": "regex", "value": "x)(y"}, "is not usable"),
    ({"type": "regex", "value": ".*"}, "matches every text"),
    ({"type": "contains", "value": ""}, "is no text"),
    ({"type": "contains", "value": "{{ topic | upper }}"}, "only its own engine renders"),
    ({"type": "contains", "value": "{{other}}"}, "no variable of this test"),
    ({"type": "contains", "value": "x", "weight": 0}, "never fails"),
    ({"type": "contains", "value": "x", "transform": "output.a"}, "'transform' changes what it means"),
    ({"type": "equals", "value": "x", "normalizeUnicode": True}, "changes what it means"),
    ({"type": "is-json", "value": {"type": "nonsense"}}, "not a usable JSON Schema"),
    ({"type": "is-json", "value": {"$ref": "http://127.0.0.1/x"}}, "nothing is ever fetched"),
    ({"type": "contains", "value": "file://check.py"}, "is a program or a picture"),
    ({"type": "contains", "value": "file://../../../etc/passwd"}, "is a program or a picture"),
    ({"type": "trajectory:tool-used", "value": "search*"}, "by the pattern"),
    ({"type": "trajectory:step-count", "value": {"type": "reasoning", "max": 1}}, "only tool calls are counted"),
    ({"type": "assert-set", "threshold": 0.5, "assert": [{"type": "is-json"}]}, "passes by a score"),
    ({"$ref": "#/assertionTemplates/none"}, "which is not there"),
    ({"value": "x"}, "has no type"),
    (7, "has no type"),
]


@pytest.mark.parametrize(("asserted", "why"), LEFT, ids=[str(row[0])[:60] for row in LEFT])
def test_what_cannot_be_said_is_left_out_with_its_reason(asserted: Any, why: str) -> None:
    found = imported(asserted)
    assert found.drafts == ()
    reasons = [loss.why for loss in found.losses if loss.pointer.startswith("/tests/0/assert/0")]
    assert len(reasons) == 1
    assert why in reasons[0]
    assert any(loss.name == "test" for loss in found.losses)


def test_a_set_without_a_threshold_is_its_assertions() -> None:
    found = imported({"type": "assert-set", "assert": [{"type": "contains", "value": "x"}, "is-json"]})
    assert case_of(found).expect == {"require_patterns": ["(?-i:x)"], "json": True}


def test_two_assertions_that_one_case_cannot_hold_leave_the_second_out() -> None:
    found = imported({"type": "equals", "value": "a"}, {"type": "equals", "value": "bb"})
    assert case_of(found).expect["length"] == {"eq": 1}
    assert [loss.pointer for loss in found.losses if not loss.aside] == ["/tests/0/assert/1"]


def test_two_schemas_hold_together() -> None:
    one, other = {"required": ["a"]}, {"required": ["b"]}
    found = imported({"type": "is-json", "value": one}, {"type": "is-json", "value": other})
    assert [held(found, text) for text in ('{"a": 1, "b": 1}', '{"a": 1}', '{"b": 1}')] == [True, False, False]


def test_two_calls_of_one_tool_are_not_asked_to_be_two() -> None:
    match = {"type": "trajectory:tool-args-match"}
    found = imported(
        match | {"value": {"name": "f", "args": {"a": 1}}}, match | {"value": {"name": "f", "args": {"b": 2}}}
    )
    assert [loss.pointer for loss in found.losses if not loss.aside] == ["/tests/0/assert/1"]
    assert held(found, [("f", {"a": 1, "b": 2})])


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"threshold": 0.5}, "passes by a score"),
        ({"assertScoringFunction": "file://x.js"}, "is scored by code"),
        ({"options": {"transform": "output.a"}}, "has transform"),
        ({"options": {"prefix": "Hi"}}, "has prefix"),
        ({"prompts": ["other"]}, "is of other prompts"),
        ({"vars": {"a": "file://secret.png"}}, "its input cannot be told"),
        ({"vars": {"a": "{% if x %}"}}, "its input cannot be told"),
        ({"vars": ["a"]}, "its input cannot be told"),
    ],
)
def test_a_test_that_is_no_case_is_left_out_whole(more: dict[str, Any], why: str) -> None:
    found = imported({"type": "contains", "value": "x"}, **more)
    assert found.drafts == ()
    assert [loss.name for loss in found.losses if why in loss.why] == ["test"]
