"""The line in which a case begins."""

from __future__ import annotations

import json

import pytest

from lastgood.core.where import case_lines

CASES = [{"id": "a", "input": {"cases": [{}]}}, {"id": "b", "expect": {"json": True}}]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param('{\n "id": "a"\n}\n', {"": 1}, id="a file of one case"),
        pytest.param('{"cases": [\n{"id": "a"},\n\n{"id": "b"}]}', {"": 1, "/cases/0": 2, "/cases/1": 4}, id="a suite"),
        pytest.param('{"cases":[{"id":"a"},{"id":"b"}]}', {"": 1, "/cases/0": 1, "/cases/1": 1}, id="in one line"),
        pytest.param('{"x": {"cases": [{}]},\n"cases": [\n{}]}', {"": 1, "/cases/0": 3}, id="the word deeper down"),
        pytest.param('{"x": "cases",\n"y": "\\"cases\\": [{", "cases":\n[{}]}', {"": 1, "/cases/0": 3}, id="in a text"),
        pytest.param('{"y": [1, {}, [{}]], "cases": [ \n\n {} ]}', {"": 1, "/cases/0": 3}, id="after another list"),
        pytest.param("{]}[", {"": 1}, id="no JSON at all"),
    ],
)
def test_lines_of_cases(text: str, lines: dict[str, int]) -> None:
    assert case_lines(text) == lines


def test_every_case_of_a_suite_laid_out_begins_where_its_brace_stands() -> None:
    text = json.dumps({"prompt_id": "p", "cases": CASES}, indent=2)
    rows = text.split("\n")
    found = case_lines(text)
    assert list(found) == ["", "/cases/0", "/cases/1"]
    for number, case in enumerate(CASES):
        line = found[f"/cases/{number}"]
        assert rows[line - 1].strip() == "{"
        assert rows[line].strip() == f'"id": "{case["id"]}",'
