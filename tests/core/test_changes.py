"""What changed between two JSON values, by pointer."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.changes import changes

ROWS: list[tuple[str, Any, Any, list[tuple[str, str]]]] = [
    ("nothing", {"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, []),
    ("key order", {"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
    ("value", {"a": {"b": 1}}, {"a": {"b": 2}}, [("/a/b", "1 → 2")]),
    ("added", {}, {"a": "x"}, [("/a", '(absent) → "x"')]),
    ("removed", {"a": "x"}, {}, [("/a", '"x" → (absent)')]),
    ("null is not absent", {"a": None}, {}, [("/a", "null → (absent)")]),
    ("in a list", {"a": [1, 2]}, {"a": [1, 3]}, [("/a/1", "2 → 3")]),
    ("list of another length", {"a": [1]}, {"a": [1, 2]}, [("/a", "[1] → [1, 2]")]),
    ("true is not 1", {"a": True}, {"a": 1}, [("/a", "true → 1")]),
    ("1 is not 1.0", {"a": 1}, {"a": 1.0}, [("/a", "1 → 1.0")]),
    ("text is not a number", {"a": "1"}, {"a": 1}, [("/a", '"1" → 1')]),
    ("object to list", {"a": {}}, {"a": []}, [("/a", "{} → []")]),
    ("several, in the order they stand", {"b": 1, "a": 1}, {"b": 2, "a": 2, "c": 3}, [
        ("/b", "1 → 2"), ("/a", "1 → 2"), ("/c", "(absent) → 3"),
    ]),
    ("the whole", 1, 2, [("/", "1 → 2")]),
    ("escaped keys", {"a/b~c": 1}, {"a/b~c": 2}, [("/a~1b~0c", "1 → 2")]),
    ("unicode", {"a": "grün"}, {"a": "rot"}, [("/a", '"grün" → "rot"')]),
    ("long values are cut", {"a": "x" * 100}, {"a": 1}, [("/a", f'"{"x" * 58}… → 1')]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_changes(name: str, old: Any, new: Any, expected: list[tuple[str, str]]) -> None:
    assert list(changes(old, new)) == expected
