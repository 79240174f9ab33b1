"""Each rule holds of exactly the values it says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from json_values import values
from lastgood.core import schema
from lastgood.core.rules import ABSENT, MODIFIERS, RULES, broken

# rule, values it holds of, values it is broken by
TABLE: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    "eq": ({"eq": 1}, [1, 1.0], [True, "1", 2, None, [1], ABSENT]),
    "eq null": ({"eq": None}, [None], [False, 0, "", ABSENT]),
    "eq object": ({"eq": {"a": [1]}}, [{"a": [1.0]}], [{"a": [True]}, {"a": [1], "b": 1}, {}]),
    "in": ({"in": ["a", 1]}, ["a", 1.0], [True, "A", None, ["a"], ABSENT]),
    "not_in": ({"not_in": [1, "x"]}, [True, "X", None], [1, 1.0, "x", ABSENT]),
    "type integer": ({"type": "integer"}, [0, -3, 10**40], [1.0, True, "1", None]),
    "type number": ({"type": "number"}, [1, 1.0], [True, "1"]),
    "type boolean": ({"type": "boolean"}, [True, False], [1, 0]),
    "type null": ({"type": "null"}, [None], [False, ABSENT]),
    "type list": ({"type": ["string", "null"]}, ["", None], [0, []]),
    "type array": ({"type": "array"}, [[]], [{}, "[]"]),
    "type object": ({"type": "object"}, [{}], [[], "{}"]),
    "item_type": ({"item_type": "integer"}, [[], [1, 2]], [[1, 2.0], [True], "12", {}, ABSENT]),
    "item_type list": ({"item_type": ["integer", "null"]}, [[1, None]], [[1, "2"]]),
    "matches": ({"matches": "[0-9]{4}-[A-Z]{2}"}, ["1842-AX"], ["x1842-AX", "1842-AX\n", "1842-ax", 1842, ABSENT]),
    "matches anything": ({"matches": "(?s).*"}, ["", "a\nb"], [None, 1]),
    "contains text": ({"contains": "paid"}, ["paid", "unpaid"], ["Paid", "", None, 1, {"paid": 1}]),
    "contains element": ({"contains": 1}, [[2, 1], [1.0]], [[True], ["1"], [[1]], "1", 1]),
    "contains element text": ({"contains": "a"}, [["a"], "cat"], [["cat"], []]),
    "gt": ({"gt": 1}, [2, 1.5], [1, 1.0, True, "2", None, ABSENT]),
    "ge": ({"ge": 1}, [1, 1.0], [0.99, True, "1"]),
    "lt": ({"lt": 1}, [0, 0.99, -(10**400)], [1, False, None]),
    "le": ({"le": 1}, [1, 0], [1.01, 10**400, False]),
    "near": ({"near": {"value": 0.7, "within": 0.1}}, [0.8, 0.6, 0.7], [0.81, 0.59, "0.7", True, 10**400]),
    "near nothing": ({"near": {"value": 3, "within": 0}}, [3, 3.0], [3.0000001]),
    "length": ({"length": 2}, ["ab", "é👍", [1, 2], {"a": 1, "b": 2}], ["a", [], 2, None]),
    "length bounds": ({"length": {"ge": 1, "le": 2}}, ["a", "ab"], ["", "abc"]),
    "length eq": ({"length": {"eq": 0}}, ["", [], {}], ["a", None]),
    "fields": ({"fields": {"a": {"eq": 1}}}, [{"a": 1}, {"a": 1, "b": 2}], [{}, {"a": True}, [1], ABSENT]),
    "fields optional": ({"fields": {"a": {"optional": True, "eq": 1}}}, [{}, {"a": 1}], [{"a": 2}, {"a": None}]),
    "fields absent": ({"fields": {"a": {"absent": True}}}, [{}, {"b": 1}], [{"a": None}]),
    "closed": ({"fields": {"a": {"type": "integer"}}, "closed": True}, [{"a": 1}], [{"a": 1, "b": 2}, {}]),
    "closed and empty": ({"fields": {}, "closed": True}, [{}], [{"a": 1}, []]),
    "items": ({"items": {"gt": 0}}, [[], [1, 2]], [[1, 0], [True], 1, {"0": 1}]),
    "items by position": ({"items": [{"eq": 1}, {"type": "string"}]}, [[1, "a"]], [[1], [1, "a", 2], ["a", 1], []]),
    "no items": ({"items": []}, [[]], [[1], ABSENT]),
    "any_of": ({"any_of": [{"eq": 1}, {"type": "string"}]}, [1, "x"], [2, None, True, ABSENT]),
    "any_of absent": ({"any_of": [{"eq": 1}, {"absent": True}]}, [1, ABSENT], [2, None]),
    "any_of absent and more": ({"any_of": [{"absent": True}, {"eq": 1}], "type": "integer"}, [1], [ABSENT, 2]),
    "not": ({"not": {"eq": 1}}, [True, 2, None], [1, 1.0, ABSENT]),
    "not absent": ({"not": {"absent": True}}, [None, 0], [ABSENT]),
    "optional": ({"optional": True, "type": "string"}, ["a", ABSENT], [1, None]),
    "absent": ({"absent": True}, [ABSENT], [None, False, ""]),
    "several keys": ({"type": "integer", "ge": 1, "le": 9, "not": {"eq": 5}}, [1, 9], [0, 10, 5, 4.0]),
    "fold case": ({"eq": "Straße", "fold": ["case"]}, ["STRASSE", "straße"], ["Strase", "S trasse"]),
    "fold space": ({"eq": "a b", "fold": ["space"]}, ["ab", " a\n b\t"], ["A b", "a-b"]),
    "fold punctuation": ({"in": ["St. Gall"], "fold": ["punctuation"]}, ["St Gall", "«St. Gall»"], ["St  Gall"]),
    "fold all": (
        {"eq": "San Francisco, CA", "fold": ["case", "space", "punctuation"]},
        ["san francisco CA", "San-Francisco,CA"],
        ["San Francisco"],
    ),
    "fold inside": ({"eq": ["A", {"k": "B"}], "fold": ["case"]}, [["a", {"k": "b"}]], [["a", {"K": "b"}]]),
    "fold punctuation typed": (
        {"eq": "x2", "fold": ["punctuation"]},
        ["x^2", "`x2`", "x_2", "x-2", "x/2", "x,2.*"],
        ["x+2", "x 2", "x=2", "X2"],
    ),
    "fold as one benchmark does": (
        {"in": ["San Francisco, CA", "SF"], "fold": ["case", "space", "punctuation"]},
        ["sanfranciscoca", "San-Francisco/CA", "s_f", "S.F."],
        ["San Francisco", None, 1, ["SF"]],
    ),
    "in lists": ({"in": [["a", "b"], []]}, [["a", "b"], []], [["b", "a"], "a", [["a", "b"]], {}]),
    "in, folded inside lists": (
        {"in": [["A b", 1]], "fold": ["case", "space"]},
        [["ab", 1], ["a B", 1.0]],
        [["ab", "1"], ["ab", True], ["ab"], "ab"],
    ),
    "items in, folded": (
        {"items": {"in": ["New York", "Bern"], "fold": ["case", "space"]}},
        [["newyork", "BERN"], []],
        [["newyork", "Basel"], "Bern"],
    ),
    "items optional": ({"items": [{"optional": True, "eq": 1}]}, [[1]], [[2], []]),
    "optional in": ({"optional": True, "in": ["a", ""]}, [ABSENT, "a", ""], ["b", None, []]),
    "optional in, folded": (
        {"optional": True, "in": ["A."], "fold": ["case", "punctuation"]},
        [ABSENT, "a"],
        ["b", None],
    ),
    "objects in lists in objects": (
        {"fields": {"to": {"items": {"fields": {"n": {"type": "integer", "in": [1, 2]}}, "closed": True}}}},
        [{"to": [{"n": 1}, {"n": 2}]}, {"to": []}],
        [{"to": [{"n": 1.0}]}, {"to": [{"n": True}]}, {"to": [{"n": "1"}]}, {"to": [{"n": 1, "m": 1}]}, {"to": [{}]}],
    ),
    "closed, one that may be there": (
        {"fields": {"a": {"optional": True}}, "closed": True},
        [{}, {"a": None}],
        [{"b": 1}],
    ),
    "not in, folded": ({"not": {"in": ["A"], "fold": ["case"]}}, ["b", 1], ["a", "A", ABSENT]),
    "any_of of folded and bounds": (
        {"any_of": [{"in": ["none"], "fold": ["case"]}, {"type": "integer", "ge": 1, "le": 3}]},
        ["NONE", 1, 3],
        [0, 1.0, True, "1", None],
    ),
    "fold contains": ({"contains": "paid", "fold": ["case"]}, ["PAID in full", ["Paid"]], ["open"]),
    "fold not_in": ({"not_in": ["x"], "fold": ["case"]}, ["y"], ["X"]),
}
HOLDS = [
    pytest.param(rule, found, id=f"{name}: {found!r:.40}") for name, (rule, good, _) in TABLE.items() for found in good
]
BREAKS = [
    pytest.param(rule, found, id=f"{name}: {found!r:.40}") for name, (rule, _, bad) in TABLE.items() for found in bad
]


@pytest.mark.parametrize(("rule", "found"), HOLDS)
def test_holds(rule: dict[str, object], found: object) -> None:
    assert broken(rule, found) == ""


@pytest.mark.parametrize(("rule", "found"), BREAKS)
def test_is_broken_and_says_so(rule: dict[str, object], found: object) -> None:
    reason = broken(rule, found)
    assert "expected " in reason
    assert "got " in reason
    assert reason.isprintable()
    assert len(reason) < 1000


def test_the_reason_points_inside() -> None:
    rule = {"fields": {"a/b": {"items": {"fields": {"n": {"type": "integer"}}}}}}
    assert broken(rule, {"a/b": [{"n": 1}, {"n": 1.0}]}) == '/a~1b/1/n: expected type "integer", got 1.0'


def test_the_first_absent_key_is_told() -> None:
    assert (
        broken({"fields": {"a": {"eq": 1, "type": "integer"}}}, {}) == '/a: expected type "integer", eq 1, got nothing'
    )


def test_every_rule_has_a_row_here_and_in_the_schema() -> None:
    known = {*RULES, *MODIFIERS}
    assert known == set(schema.document("case.json")["$defs"]["rule"]["properties"])
    assert known == {name for rule, _, _ in TABLE.values() for name in rule} | {"optional"}


@pytest.mark.parametrize("rule", [row[0] for row in TABLE.values()], ids=TABLE)
@given(found=values)
def test_no_value_makes_a_rule_raise(rule: dict[str, object], found: object) -> None:
    assert isinstance(broken(rule, found), str)


# Told apart -----------------------------------------------------------------------------------------------------------

LOOK_ALIKES: list[tuple[Any, Any]] = [
    (True, 1),
    (False, 0),
    ("1", 1),
    ("true", True),
    (None, 0),
    ("", None),
    ("null", None),
]
SAYING = {
    "eq": lambda value: {"eq": value},
    "in": lambda value: {"in": [value]},
    "in, folded": lambda value: {"in": [value], "fold": ["case", "space", "punctuation"]},
    "not not_in": lambda value: {"not": {"not_in": [value]}},
    "any_of": lambda value: {"any_of": [{"eq": value}]},
    "optional": lambda value: {"optional": True, "eq": value},
}
AROUND = {
    "bare": lambda value: value,
    "in a list": lambda value: ["x", value],
    "in an object": lambda value: {"x": 1, "k": value},
    "far inside": lambda value: [{"k": [[value]]}],
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@pytest.mark.parametrize("saying", SAYING.values(), ids=SAYING)
@pytest.mark.parametrize(("one", "other"), LOOK_ALIKES, ids=repr)
def test_no_two_that_look_alike_have_one_verdict(one: Any, other: Any, saying: Any, around: Any) -> None:
    for wanted, found in ((one, other), (other, one)):
        assert broken(saying(around(wanted)), around(wanted)) == ""
        assert broken(saying(around(wanted)), around(found)) != ""


@pytest.mark.parametrize("kind", ["string", "integer", "number", "boolean", "null"])
def test_types_tell_them_apart(kind: str) -> None:
    assert sum(not broken({"type": kind}, found) for found in (True, 1, "1", None)) == 1


@given(values, st.sampled_from([[], ["case"], ["space", "punctuation"], ["case", "space", "punctuation"]]))
def test_every_value_is_itself_however_it_is_asked(found: Any, fold: list[str]) -> None:
    folding = {"fold": fold} if fold else {}
    for rule in ({"eq": found}, {"in": [found]}, {"in": [[], found]}):
        assert broken(rule | folding, found) == ""
        assert broken({"items": rule | folding}, [found, found]) == ""
        assert broken({"fields": {"k": rule | folding}, "closed": True}, {"k": found}) == ""
    assert broken({"not_in": [found]} | folding, found) != ""
