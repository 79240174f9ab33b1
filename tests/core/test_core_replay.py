"""Accepted completions as answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastgood.core.baseline import completion_of, dump_baseline, read_baseline
from lastgood.core.case import Case, read_golden
from lastgood.core.replay import gradable, recorded_output, replayed
from lastgood.core.trace import Completion, completion_digest, read_completion
from lastgood.errors import LastgoodError


def golden(version: int = 1, **changes: Any) -> Case:
    found = {"id": "a", "version": version, "prompt_id": "p", "input": {"n": 1}, "expect": {"forbidden": ["x"]}}
    return read_golden("a.json", json.dumps(found | changes).encode()).cases[0]


def hashed(*cases: Case) -> dict[str, Case]:
    return {case.case_hash: case for case in cases}


def recorded(case: Case, completion: Completion) -> bytes:
    return dump_baseline(case, completion, completion_digest(completion, case.normalization, ""))


def replay(data: bytes, payload: dict[str, Any], cases: dict[str, Case], output: str | None = None) -> str:
    return replayed(read_baseline("a.json", data), completion_of(data), payload, cases, output=output)


COMPLETIONS = {
    "a line": Completion("paid", None),
    "lines": Completion("\n\r\n paid \n\n", None),
    "nothing": Completion("", None),
    "calls": Completion(
        "Done.\n", ({"name": "b", "arguments": {"z": 1.5, "a": [None, "ü", {}]}}, {"name": "b", "arguments": {}})
    ),
    "no calls": Completion("{}", ()),
}


@pytest.mark.parametrize("mode", ["whitespace", "exact"])
@pytest.mark.parametrize("completion", COMPLETIONS.values(), ids=COMPLETIONS)
def test_a_replayed_completion_has_the_digest_of_the_recorded_one(completion: Completion, mode: str) -> None:
    case = golden(normalize={"mode": mode})
    text = replay(recorded(case, completion), {"n": 1}, hashed(case))
    again = read_completion(text, recorded_output("text" if completion.tool_calls is None else "openai"))
    assert again == completion
    assert completion_digest(again, case.normalization, text) == completion_digest(completion, case.normalization, "")


def test_a_newer_version_of_the_same_input_is_answered() -> None:
    case = golden()
    data = recorded(case, COMPLETIONS["a line"])
    assert replay(data, {"n": 1}, hashed(golden(2, expect={"forbidden": ["paid"]}), case)) == "paid"


REFUSED: dict[str, tuple[Any, list[Case], str]] = {
    "another input": ({"n": True}, [golden()], "another input: that of version 1"),
    "a case that is gone": ({"n": 1}, [golden(2)], "not in the tree any more"),
}


@pytest.mark.parametrize(("payload", "cases", "why"), REFUSED.values(), ids=REFUSED)
def test_what_was_accepted_for_something_else_is_no_answer(payload: Any, cases: list[Case], why: str) -> None:
    with pytest.raises(LastgoodError, match=why):
        replay(recorded(golden(), COMPLETIONS["a line"]), payload, hashed(*cases))


@pytest.mark.parametrize(("name", "output"), [("a line", "trace"), ("calls", "text"), ("no calls", "text")])
def test_what_is_read_otherwise_now_is_no_answer(name: str, output: str) -> None:
    data = recorded(golden(), COMPLETIONS[name])
    with pytest.raises(LastgoodError, match=f"answers are now read as {output}"):
        replay(data, {"n": 1}, hashed(golden()), output=output)


def test_what_was_edited_is_no_answer() -> None:
    data = recorded(golden(), COMPLETIONS["a line"]).replace(b"paid", b"lost")
    with pytest.raises(LastgoodError, match="edited by hand"):
        replay(data, {"n": 1}, hashed(golden()))


BEYOND: dict[str, tuple[dict[str, Any], bool]] = {
    "identifiers": ({"identifiers": {"pattern": "[0-9]+"}}, True),
    "identifiers of the input": ({"identifiers": {"pattern": "[0-9]+", "from": ["input"]}}, False),
    "calls": ({"calls": {"of": [{"name": "b"}]}}, False),
    "calls that did not fail": ({"calls": {"of": [{"name": "b"}], "ignore_failed": True}}, True),
    "phrases": ({"forbidden": ["x"]}, False),
    "phrases in every turn": ({"forbidden": {"of": ["x"], "in": "turns"}}, True),
}


@pytest.mark.parametrize(("assertions", "beyond"), BEYOND.values(), ids=BEYOND)
def test_an_assertion_over_what_no_baseline_keeps_is_left_out(assertions: dict[str, Any], beyond: bool) -> None:
    (name,) = assertions
    case = golden(assertions={"call_count": {"*": {"le": 3}}} | assertions)
    left, names = gradable(case)
    assert names == ((name,) if beyond else ())
    assert set(left.assertions) == {"call_count", name} - set(names)
    assert left.case_hash == case.case_hash
