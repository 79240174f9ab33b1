"""JSON texts are edited in place: what is not changed stays as it is, byte for byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from json_values import values
from lastgood.core.json_text import case_spans, elements, inserted_after, members, with_version

LAYOUTS: tuple[dict[str, Any], ...] = (
    {},
    {"indent": 2},
    {"indent": 4},
    {"separators": (",", ":")},
    {"indent": 2, "ensure_ascii": False},
)


@given(found=st.dictionaries(st.text(max_size=5), values, max_size=4), layout=st.sampled_from(LAYOUTS))
def test_every_member_is_found_where_it_stands(found: dict[str, object], layout: dict[str, Any]) -> None:
    """Whatever the value and its layout."""
    text = json.dumps(found, **layout)
    spans = members(text)
    assert {key: json.loads(text[slice(*span)]) for key, span in spans.items()} == found


@given(found=st.lists(values, max_size=4), layout=st.sampled_from(LAYOUTS))
def test_every_element_is_found_where_it_stands(found: list[object], layout: dict[str, Any]) -> None:
    """Whatever the value and its layout."""
    text = json.dumps(found, **layout)
    assert [json.loads(text[slice(*span)]) for span in elements(text, 0)] == found


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ('{"id": "a", "version": 1}', '{"id": "a", "version": 2}'),
        ('{"id": "a", "input": {}}', '{"id": "a", "version": 2, "input": {}}'),
        ('{\n  "id": "a",\n  "input": {}\n}', '{\n  "id": "a",\n  "version": 2,\n  "input": {}\n}'),
        ('{\r\n  "id": "a"\r\n}', '{\r\n  "id": "a",\r\n  "version": 2\r\n}'),
        ('{"input": {"version": 9}, "id": "a"}', '{"input": {"version": 9}, "id": "a", "version": 2}'),
    ],
)
def test_a_version_is_set_in_the_layout_there_is(case: str, expected: str) -> None:
    """Replaced where it stands, else put behind the id."""
    assert with_version(case, 2) == expected


def test_an_element_is_added_behind_another() -> None:
    """With the indent of its neighbour."""
    text = '{\n  "cases": [\n    {"id": "a"},\n    {"id": "b"}\n  ]\n}\n'
    first = case_spans(text)[0]
    assert inserted_after(text, first, '{"id": "c"}') == text.replace('"a"},\n', '"a"},\n    {"id": "c"},\n')


def test_a_file_in_case_form_is_one_case() -> None:
    """All of it, with its final newline."""
    assert case_spans('{"id": "a"}\n') == [(0, 12)]
