"""YAML of others: read as JSON values, and refused in one sentence where it sets a trap."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from json_values import values
from lastgood.core.importing.plain_yaml import MOST, loads
from lastgood.errors import Malformed

WORDS = {
    "a: yes": {"a": "yes"},
    "a: on": {"a": "on"},
    "a: No": {"a": "No"},
    "a: true": {"a": True},
    "a: 12:30:45": {"a": "12:30:45"},
    "a: 2026-01-01": {"a": "2026-01-01"},
    "a: 010": {"a": 10},
    "a: 0o10": {"a": 8},
    "a: 0x1F": {"a": 31},
    "a: 1_000": {"a": "1_000"},
    "a: 1e3": {"a": 1000.0},
    "a: .5": {"a": 0.5},
    "a: ~": {"a": None},
    "a:": {"a": None},
    "1: a\ntrue: b\nnull: c": {"1": "a", "true": "b", "null": "c"},
    "a: &x {b: 1}\nc: {<<: *x, d: 2}": {"a": {"b": 1}, "c": {"b": 1, "d": 2}},
    "a: &x {b: 1}\nc: {<<: *x, b: 2}": {"a": {"b": 1}, "c": {"b": 2}},
    "a: !!str 1": {"a": "1"},
    "- a\n- b": ["a", "b"],
}


@pytest.mark.parametrize(("text", "value"), WORDS.items(), ids=WORDS)
def test_words_are_read_as_the_tools_read_them(text: str, value: Any) -> None:
    assert json.dumps(loads(text)) == json.dumps(value)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)
)
MERGES = "a: &a {x: 1}\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} {{<<: [{', '.join(['*' + chr(97 + n)] * 9)}]}}\n" for n in range(20)
)
TRAPS = {
    "a: 1\na: 2": "duplicate key 'a'",
    "a: 1\n'a': 2": "duplicate key 'a'",
    "1: a\n'1': b": "duplicate key '1'",
    "a: !!python/object/apply:os.system [id]": "could not determine a constructor",
    "a: !!binary aGk=": "a bytes is nothing that JSON has",
    "a: !!timestamp 2026-01-01": "a date is nothing that JSON has",
    "a: !!set {b}": "a set is nothing that JSON has",
    "a: .nan": "nan is no number that JSON has",
    "a: -.inf": "-inf is no number that JSON has",
    "a: 1e999": "inf is no number that JSON has",
    "[1]: a": "unhashable",
    "? {b: 1}\n: a": "unhashable",
    "a: &x [*x]": "nested too deeply",
    "[" * 5000: "nested too deeply",
    "a: [": "not YAML",
    "a: b: c": "not YAML",
    'a: "\\ud800"': "lone surrogate",
    "a: 1\n---\nb: 2": "not YAML",
    BOMB: "holds more than",
    f"a: {'9' * 5000}": "not YAML",
    " " * (MOST + 1): "is larger than",
}


@pytest.mark.parametrize(("text", "why"), TRAPS.items(), ids=[text[:30] for text in TRAPS])
def test_a_trap_is_one_sentence(text: str, why: str) -> None:
    with pytest.raises(Malformed) as found:
        loads(text)
    assert why in found.value.what


def test_merges_do_not_multiply() -> None:
    assert loads(MERGES)["u"] == {"x": 1}


@given(values)
def test_json_written_as_yaml_is_the_same_value(value: Any) -> None:
    assert loads(json.dumps(value)) == value


@given(st.text() | st.binary())
def test_any_text_is_a_value_or_malformed(text: Any) -> None:
    try:
        json.dumps(loads(text), allow_nan=False).encode()
    except Malformed as exc:
        assert exc.what  # noqa: PT017  # either will do
