"""JSON Lines are read one line at a time."""

from __future__ import annotations

import json
import tracemalloc
from typing import TYPE_CHECKING

from lastgood.edge.traces import read_traces

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
