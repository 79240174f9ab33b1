"""JSON Lines are read one line at a time."""

from __future__ import annotations

import json
import os
import tempfile
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastgood.edge.traces import read_share, read_traces, shares

if TYPE_CHECKING:
    from pathlib import Path

MEGABYTE = 2**20


def test_a_file_is_never_held_whole(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(32):
            file.write(json.dumps({"id": f"case-{number}", "tool_calls": [], "final_text": "x" * MEGABYTE}) + "\n")
    tracemalloc.start()
    try:
        assert [trace.case_id for trace in read_traces(str(path))] == [f"case-{number}" for number in range(32)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * MEGABYTE


@given(
    st.lists(st.sampled_from(["", "  ", "x", "é" * 9, "y" * 60]), max_size=12),
    st.integers(1, 120),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_every_line_is_in_exactly_one_share(texts: list[str], size: int, ending: str, ended: bool) -> None:
    kept = ["first", *texts]
    lines = [
        json.dumps({"id": f"case-{nth}", "tool_calls": [], "final_text": text}, ensure_ascii=False)
        if text.strip()
        else text
        for nth, text in enumerate(kept)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "traces.jsonl")
        with open(path, "wb") as file:
            file.write((ending.join(lines) + (ending if ended else "")).encode())
        found = [trace for number in range(shares(path, size)) for trace in read_share(path, number, size)]
        whole = list(read_traces(path))
    assert [(trace.case_id, trace.completion) for trace in found] == [(t.case_id, t.completion) for t in whole]


@pytest.mark.parametrize("text", ['{"a": {"tool_calls": [], "final_text": ""}}', "", "{\n", "[1,\n2]"])
def test_what_is_no_json_lines_is_one_share(tmp_path: Path, text: str) -> None:
    path = tmp_path / "traces.json"
    path.write_text(text, encoding="utf-8")
    assert shares(str(path), 1) == 1
    assert shares(str(tmp_path), 1) == 1  # a folder, or a pipe
