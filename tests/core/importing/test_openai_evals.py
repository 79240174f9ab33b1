"""Samples of openai-evals are held as their class holds them, and left out where no assertion says that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lastgood.core.case import read_golden
from lastgood.core.grading import grade
from lastgood.core.importing import openai_evals
from lastgood.core.importing.sources import Sources
from lastgood.core.strict_json import dump
from lastgood.core.trace import Completion

if TYPE_CHECKING:
    from lastgood.core.importing.drafts import Imported

SAMPLE = {"input": [{"role": "user", "content": "2+2"}], "ideal": "Four"}


def imported(kind: str, *samples: Any, **args: Any) -> Imported:
    entry = {"class": f"evals.elsuite.basic.x:{kind}", "args": {"samples_jsonl": "a/s.jsonl", **args}}
    lines = "".join(json.dumps(sample) + "\n" for sample in samples or (SAMPLE,))
    files = {
        "registry/evals/a.yaml": json.dumps({"a": {"id": "a.dev.v0"}, "a.dev.v0": entry}).encode(),
        "registry/data/a/s.jsonl": lines.encode(),
    }
    return openai_evals.read(Sources.of(files), "registry/evals/a.yaml", "sums")


SAID = [
    ("Match", SAMPLE, {}, ["Four", "Four."], ["four", "It is Four"]),
    ("Match", {**SAMPLE, "ideal": ["4", "(4)"]}, {}, ["4", "(4) it is"], ["14", "x"]),
    ("Includes", SAMPLE, {}, ["It is Four."], ["It is four."]),
    ("Includes", SAMPLE, {"ignore_case": True}, ["It is four."], ["It is 4."]),
    ("JsonMatch", {"input": "x", "ideal": ['{"a": 1}', "[2]"]}, {}, ['{"a": 1.0}', "[2]"], ['{"a": 2}', "[]", "x"]),
]


@pytest.mark.parametrize(("kind", "sample", "args", "passing", "failing"), SAID)
def test_an_ideal_is_held_as_its_class_holds_it(
    kind: str, sample: Any, args: dict[str, Any], passing: list[str], failing: list[str]
) -> None:
    found = imported(kind, sample, **args)
    assert found.losses == ()
    (draft,) = found.drafts
    case = read_golden("case.json", dump(draft.case)).cases[0]
    held = {said: not grade(case, Completion(said, None), {}) for said in (*passing, *failing)}
    assert held == dict.fromkeys(passing, True) | dict.fromkeys(failing, False)


def test_a_sample_keeps_its_id_wherever_it_stands() -> None:
    other = {**SAMPLE, "ideal": "5"}
    ids = {draft.case_id for draft in imported("Match", SAMPLE, other).drafts}
    assert ids == {draft.case_id for draft in imported("Match", other, SAMPLE).drafts}
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (imported("FuzzyMatch"), "no assertion says that"),
        (imported("ModelBasedClassify"), "a model's judgement"),
        (imported("Translate"), "does not know"),
        (imported("Match", num_few_shot=2), "examples are put before every input"),
        (imported("Match", samples_jsonl=7), "names no samples_jsonl"),
        (imported("Match", samples_jsonl="b.jsonl"), "cannot be read"),
        (imported("Match", {"input": "x"}), "has no input, or no ideal"),
        (imported("Match", {"input": "x", "ideal": []}), "its ideal is no text"),
        (imported("Match", {"input": 7, "ideal": "x"}), "its input is no text"),
        (imported("JsonMatch", {"input": "x", "ideal": "{"}), "not JSON"),
    ],
)
def test_what_cannot_be_said_is_left_out_with_its_reason(found: Imported, why: str) -> None:
    assert found.drafts == ()
    assert [why in loss.why for loss in found.losses] == [True]


def test_samples_that_are_no_json_leave_the_eval_out() -> None:
    files = {
        "r.yaml": b"a.v0: {class: 'x:Match', args: {samples_jsonl: s.jsonl}}\n",
        "s.jsonl": b'{"input": "x", "ideal": "y"}\n{\n',
    }
    (loss,) = openai_evals.read(Sources.of(files), "r.yaml", "sums").losses
    assert (loss.path, loss.pointer) == ("r.yaml", "/a.v0/args/samples_jsonl")
    assert "not JSON" in loss.why
