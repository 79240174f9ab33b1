"""What grading captured traces costs, as ratios to the json module and a plain loop. `make bench` prints the table."""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lastgood.core.case_folder import read_case_folder
from lastgood.core.grading import grade
from lastgood.core.trace import completion_digest, read_trace
from lastgood.edge.traces import read_traces
from measure import CPU, WALL, Command, Ratio, compare, compare_work, seconds, table
from sample_repository import LASTGOOD

if TYPE_CHECKING:
    from lastgood.core.case import Case

CASES = 20_000  # in one suite, with a trace each
SCHEMAS = {"support_reply_v2": {"type": "object", "required": ["reply"], "properties": {"reply": {"type": "string"}}}}
PARSE = """\
import json
import sys

with open(sys.argv[1], "rb") as file:
    json.load(file)
with open(sys.argv[2], "rb") as file:
    for line in file:
        json.loads(line)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="runs of each (default: 15)")
    runs = parser.parse_args().runs
    gc.disable()  # as `lastgood grade` does while it grades; here for both sides
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        suite, short, long = write(root)
        cases = {case.id: case for case in read_case_folder("golden", {"suite.json": suite.read_bytes()}).cases}
        loop = "the second article's grade loop"
        rows = [
            (
                "grading a captured trace, each case hashed once: CPU",
                loop,
                "≤ 0.5",
                looped(short, cases, runs, schema=False),
            ),
            ("and its reply against a JSON Schema, which that loop leaves out", loop, "", looped(short, cases, runs)),
            *(
                (
                    f"JSON Lines read, graded, digested, {path.stat().st_size // CASES:,} bytes a trace: CPU",
                    "json.loads a line",
                    "≤ 2",
                    streamed(path, cases, runs),
                )
                for path in (short, long)
            ),
            (f"a suite of {CASES:,} cases read, checked, hashed: CPU", "json.loads", "", loaded(suite, runs)),
            *(
                (
                    f"lastgood grade, {CASES:,} cases and traces of {path.stat().st_size // CASES:,} bytes: {name}",
                    "json.loads of both files",
                    "",
                    whole(root, suite, path, runs, what),
                )
                for path in (short, long)
                for name, what in (("CPU", CPU), ("wall", WALL))
            ),
        ]
        rate = CASES / min(seconds(lambda: stream(short, cases)) for _ in range(3))
    print(table(rows, runs))
    print(f"\nOne core reads, grades and digests {rate:,.0f} traces a second here.")


def write(root: Path) -> tuple[Path, Path, Path]:
    """A suite, a trace of each case, and the same traces with what an agent's run leaves beside them."""
    golden, short, long = root / "golden", root / "short.jsonl", root / "long.jsonl"
    (golden / "schemas").mkdir(parents=True)
    for name, found in SCHEMAS.items():
        (golden / "schemas" / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")
    suite = {"prompt_id": "support_agent", "cases": [_case(number) for number in range(CASES)]}
    (golden / "suite.json").write_text(json.dumps(suite, indent=2), encoding="utf-8")
    with short.open("w", encoding="utf-8") as few, long.open("w", encoding="utf-8") as many:
        for number in range(CASES):
            trace = _trace(number)
            few.write(json.dumps(trace) + "\n")
            many.write(json.dumps(trace | _beside(number, trace)) + "\n")
    return golden / "suite.json", short, long


def _case(number: int) -> dict[str, Any]:
    order = f"ord-{number:05d}"
    return {
        "id": f"case-{number:05d}",
        "version": 3,
        "input": {"messages": [{"role": "user", "content": f"Where is my package? The order is {order}."}]},
        "tools": ["get_order", "create_refund"],
        "assertions": {
            "must_call": ["get_order"],
            "must_not_call": ["create_refund"],
            "args": {"get_order": {"order_id": {"eq": order}}},
            "output_schema": "support_reply_v2",
            "forbid_patterns": ["I assume", "tracking number I made up"],
        },
    }


def _trace(number: int) -> dict[str, Any]:
    order = f"ord-{number:05d}"
    reply = f"Order {order} left our warehouse on Monday, and the carrier says that it will be with you by Thursday."
    return {
        "id": f"case-{number:05d}",
        "tool_calls": [{"name": "get_order", "arguments": {"order_id": order}}],
        "final_text": json.dumps({"reply": reply, "order_id": order, "needs_human": False}),
        "usage": {"input_tokens": 812, "output_tokens": 64},
    }


def _beside(number: int, trace: dict[str, Any]) -> dict[str, Any]:
    items = [{"sku": f"A-{nth}", "count": nth, "price": 12.5} for nth in range(5)]
    result = {"order_id": f"ord-{number:05d}", "status": "shipped", "carrier": "DHL", "items": items}
    return {
        "tool_calls": [call | {"result": result} for call in trace["tool_calls"]],
        "turns": [
            {"role": "user", "content": "Where is my package?"},
            {"role": "assistant", "content": "I will look that up for you."},
            {"role": "tool", "content": json.dumps(result)},
            {"role": "assistant", "content": trace["final_text"]},
        ],
        "model": "some-model-2026-09-01",
        "latency_ms": 1234.5,
    }


def looped(traces: Path, cases: dict[str, Case], runs: int, *, schema: bool = True) -> Ratio:
    """Grading against that loop, both on parsed cases and traces that are in memory already."""
    if not schema:
        # The reply is then never parsed, as there; the loop hashes the same cases on both rows.
        cases = {name: _without_schema(case) for name, case in cases.items()}
    found = [json.loads(line) for line in traces.read_bytes().splitlines()]
    read = [(cases[trace["id"]], read_trace(trace)) for trace in found]
    # As in the case form, where the prompt stands in each case.
    plain = [({**cases[trace["id"]].source, "prompt_id": "support_agent"}, trace) for trace in found]

    def ours() -> None:
        for case, completion in read:
            assert not grade(case, completion, SCHEMAS)

    def theirs() -> None:
        for case, trace in plain:
            assert grade_plainly(case, trace)["pass"]

    return compare_work(ours, theirs, runs=runs)


def _without_schema(case: Case) -> Case:
    from lastgood.core.value import replace

    kept = {name: wanted for name, wanted in case.assertions.items() if name != "output_schema"}
    return replace(case, assertions=kept)


def grade_plainly(case: dict[str, Any], trace: dict[str, Any]) -> dict[str, Any]:
    """The steps of the second article's grader and no more: it hashes the case anew for every trace."""
    wanted, calls = case["assertions"], trace["tool_calls"]
    called = [call["name"] for call in calls]
    failures = [f"missing_tool:{name}" for name in wanted.get("must_call", []) if name not in called]
    failures += [f"forbidden_tool:{name}" for name in wanted.get("must_not_call", []) if name in called]
    for name, rules in wanted.get("args", {}).items():
        first = next((call for call in calls if call["name"] == name), None)
        if first is not None:
            given = first.get("arguments", {})
            failures += [f"arg_mismatch:{name}.{key}" for key, rule in rules.items() if given.get(key) != rule["eq"]]
    text = trace["final_text"]
    failures += [f"forbid_pattern:{one}" for one in wanted.get("forbid_patterns", []) if re.search(one, text, re.I)]
    canonical = json.dumps(case, sort_keys=True, separators=(",", ":")).encode("utf-8")
    hashed = hashlib.sha256(canonical).hexdigest()[:16]
    return {"id": case["id"], "case_hash": hashed, "pass": not failures, "failures": failures}


def stream(traces: Path, cases: dict[str, Case]) -> None:
    for trace in read_traces(str(traces)):
        case = cases[trace.case_id]
        assert not grade(case, trace.completion, SCHEMAS)
        completion_digest(trace.completion, case.normalization, trace.raw)


def streamed(traces: Path, cases: dict[str, Case], runs: int) -> Ratio:
    """From the file to failures and digest."""

    def parse() -> None:
        with traces.open("rb") as file:
            for line in file:
                json.loads(line)

    return compare_work(lambda: stream(traces, cases), parse, runs=runs)


def loaded(suite: Path, runs: int) -> Ratio:
    data = suite.read_bytes()
    return compare_work(lambda: read_case_folder("golden", {"suite.json": data}), lambda: json.loads(data), runs=runs)


def whole(root: Path, suite: Path, traces: Path, runs: int, what: int) -> Ratio:
    """The command, from start to end, against an interpreter that only parses what it reads, in one process."""
    ours = [LASTGOOD, "grade", "--cases", str(suite.parent), "--traces", str(traces), "--out", str(root / "scores")]
    theirs = [sys.executable, "-c", PARSE, str(suite), str(traces)]
    return compare(Command(ours, root), Command(theirs, root), what=what, runs=runs)


if __name__ == "__main__":
    main()
