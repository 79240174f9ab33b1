"""A golden case and a suite to change in tests, and reading them as their files are read."""

from __future__ import annotations

import json
from typing import Any

from lastgood.core.case import read_golden

PATH = "golden/p/file.json"
CASE: dict[str, Any] = {
    "id": "order_lookup",
    "version": 3,
    "prompt_id": "support",
    "input": {"messages": []},
    "tools": ["get_order", "create_refund"],
    "assertions": {"must_call": ["get_order"]},
}
SUITE: dict[str, Any] = {
    "prompt_id": "billing",
    "cases": [
        {"id": "paid", "input": {}, "expect": {"json": True}},
        {"id": "open", "input": {}, "expect": {"json": True}},
    ],
}


def read(found: object) -> Any:
    """The golden file that holds this value."""
    return read_golden(PATH, json.dumps(found).encode())


def case_of(**parts: object) -> Any:
    """A case of these parts."""
    return read({"id": "a", "version": 1, "prompt_id": "p", "input": {}, **parts}).cases[0]
