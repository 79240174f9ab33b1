"""Whatever a source holds, an import ends with cases that lastgood's own reader takes, and with what was left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from json_values import values as JSON  # noqa: N812  # what it is
from lastgood.core.case import read_golden
from lastgood.core.importing import native, openai_evals, promptfoo, recordings
from lastgood.core.importing.promptfoo_assertions import ROWS
from lastgood.core.importing.promptfoo_config import Config
from lastgood.core.importing.sources import Sources
from lastgood.core.strict_json import dump

if TYPE_CHECKING:
    from lastgood.core.importing.drafts import Imported

MAIN = "evals/promptfooconfig.json"
WORDS = st.sampled_from(["x", "", "{{a}}", "file://t.csv", "file://evals/x.json", "1842-AX", "get_order", "*", "é"])
SOME = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "pattern", "args", "steps", "mode", "min", "max", "type", "a", "ignore", "defaults"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=6,
)
TYPES = st.sampled_from([*ROWS, "nonsense", "assert-set", "not-javascript"])
ASSERTION = st.fixed_dictionaries(
    {}, optional={"type": TYPES, "value": SOME, "weight": SOME, "threshold": SOME, "assert": SOME, "$ref": SOME}
)
TEST = st.fixed_dictionaries(
    {},
    optional={
        "vars": st.dictionaries(st.sampled_from(["a", "b"]), SOME, max_size=2) | SOME,
        "assert": st.lists(ASSERTION | SOME, max_size=4) | SOME,
        "description": SOME,
        "threshold": SOME,
        "options": SOME,
        "prompts": SOME,
    },
)
CONFIG = st.fixed_dictionaries(
    {},
    optional={"tests": st.lists(TEST | SOME, max_size=3) | SOME, "defaultTest": TEST | SOME, "prompts": SOME,
              "providers": st.just([{"config": {"tools": [{"function": {"name": "get_order"}}]}}]) | SOME},
)  # fmt: skip


def sound(imported: Imported) -> None:
    """Every case is taken by the reader, and has an id of its own; every loss says why."""
    ids = [draft.case_id for draft in imported.drafts]
    assert len({case_id.casefold() for case_id in ids}) == len(ids)
    for draft in imported.drafts:
        read_golden("case.json", dump(draft.case))
        name = draft.case.get("expect", {}).get("output_schema")
        assert name is None or name in imported.schemas
    assert all(loss.why for loss in imported.losses)
    assert imported.drafts or imported.losses


def of_promptfoo(found: Any) -> Imported:
    files = {MAIN: json.dumps(found).encode(), "evals/t.csv": b"a,__expected\n1,contains: x\n2,similar(0.8): y\n"}
    sources = Sources.of(files)
    return promptfoo.read(Config(sources, MAIN), sources, "billing", frozenset())


@given(CONFIG | JSON)
def test_any_promptfoo_configuration(found: Any) -> None:
    sound(of_promptfoo(found))


@given(st.dictionaries(st.text(max_size=5), JSON | st.fixed_dictionaries({"class": SOME, "args": SOME})), JSON)
def test_any_registry_of_evals(found: Any, sample: Any) -> None:
    found["one"] = {"class": "evals.elsuite.basic.match:Match", "args": {"samples_jsonl": "s.jsonl"}}
    files = {"r/e.json": json.dumps(found).encode(), "r/s.jsonl": json.dumps(sample).encode()}
    sound(openai_evals.read(Sources.of(files), "r/e.json", "billing"))


STEP = st.fixed_dictionaries(
    {"kind": st.sampled_from(["tool", "turn", "final"])}, optional={"name": SOME, "args": SOME, "result": SOME}
)
RUN = st.fixed_dictionaries(
    {"trajectory": st.lists(STEP | SOME, max_size=3)}, optional={"inputs": JSON, "output": JSON}
)


@given(JSON | st.fixed_dictionaries({"variants": st.lists(RUN | SOME, max_size=3)}) | RUN, SOME)
def test_any_baseline_of_brooder(found: Any, config: Any) -> None:
    sound(recordings.brooder({"b/one.json": found}, "billing", {"normalize": config}))
    recordings.agents_of({"b/one.json": found})


EVENT = st.fixed_dictionaries(
    {"type": st.sampled_from(["tool_call", "llm_call"])}, optional={"name": SOME, "args": SOME, "tool_requests": SOME}
)
SNAPSHOT = st.fixed_dictionaries(
    {"trace": st.lists(EVENT | SOME, max_size=3)}, optional={"input": JSON, "output": JSON}
)


@given(JSON | SNAPSHOT)
def test_any_snapshot_of_agentsnap(found: Any) -> None:
    sound(recordings.agentsnap({"s/one.json": found}, "billing"))


@given(JSON, st.sampled_from(["golden.json", "baseline.json", "catalog.json", "x.json"]))
def test_any_file_beside_golden_cases(found: Any, name: str) -> None:
    taken = native.read({f"old/{name}": json.dumps(found).encode()}, {"billing": "0" * 64})
    for copy in taken.copies:
        read_golden(copy.target, copy.data)


@given(st.binary(max_size=60))
def test_any_bytes_beside_golden_cases(data: bytes) -> None:
    assert not native.read({"old/x.json": data}, {"billing": "0" * 64}).copies
