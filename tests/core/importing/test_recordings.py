"""What brooder and agentsnap recorded becomes calls that must be made again, and a completion to accept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lastgood.core.importing.recordings import agents_of, agentsnap, brooder

if TYPE_CHECKING:
    from lastgood.core.importing.drafts import Imported

PATH = ".brooder/baselines/support/ab12.json"


def run(*calls: tuple[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    trajectory = [{"kind": "tool", "name": name, "args": args, "result": None} for name, args in calls]
    return {"agent": "support", "case_id": "ab12", "inputs": {"q": 1}, "trajectory": trajectory, "output": "x"} | more


def of_brooder(*runs: Any, config: Any = None, version: Any = 2, traces: bool = True) -> Imported:
    return brooder({PATH: {"schema_version": version, "variants": list(runs)}}, "support", config, traces=traces)


def rules(found: Imported) -> Any:
    (draft,) = found.drafts
    return draft.case["assertions"]["calls"]["of"][0]["args"]


LOOK = ("get_order", {"id": "1842", "at": 7, "price": 10.0})


def test_a_recording_is_its_calls_in_order_and_no_others() -> None:
    found = of_brooder(run(LOOK, ("send", {}), model="m-1"))
    (draft,) = found.drafts
    assert draft.case == {
        "id": "ab12",
        "version": 1,
        "prompt_id": "support",
        "input": {"q": 1},
        "assertions": {
            "calls": {
                "match": "exact",
                "order": "subsequence",
                "of": [
                    {
                        "name": "get_order",
                        "args": {"id": {"eq": "1842"}, "at": {"eq": 7}, "price": {"eq": 10.0}},
                        "closed": True,
                    },
                    {"name": "send", "args": {}, "closed": True},
                ],
            }
        },
    }
    assert found.losses == ()
    assert draft.said is not None
    assert (draft.said.final_text, draft.said.model) == ("x", "m-1")
    assert [call["name"] for call in draft.said.tool_calls or ()] == ["get_order", "send"]


def test_what_brooder_was_told_not_to_hold_is_left_open() -> None:
    config = {"normalize": {"ignore": ["at"], "tools": {"get_order": {"tolerance": {"price": 0.5}}}}}
    held = rules(of_brooder(run(LOOK), config=config))
    assert held == {
        "id": {"eq": "1842"},
        "at": {"optional": True},
        "price": {"near": {"value": 10.0, "within": 0.5}},
    }
    config = {"normalize": {"relative_tolerance": {"price": 0.1}}}
    assert rules(of_brooder(run(LOOK), config=config))["price"] == {"optional": True}


def test_a_redacted_argument_has_to_be_there_and_is_listed() -> None:
    found = of_brooder(run(("login", {"key": "[REDACTED]"})))
    assert "type" in rules(found)["key"]
    assert [loss.name for loss in found.losses] == ["login.key"]


def test_variants_that_call_alike_are_one_case_with_the_first_answer() -> None:
    found = of_brooder(run(LOOK), run(LOOK, output="y"))
    assert [loss.name for loss in found.losses] == ["variants"]
    assert [draft.said.final_text for draft in found.drafts if draft.said] == ["x"]


def test_an_output_that_is_no_text_is_its_json() -> None:
    (draft,) = of_brooder(run(LOOK, output={"a": "ü"})).drafts
    assert draft.said is not None
    assert draft.said.final_text == '{"a": "ü"}'


def test_a_bare_run_is_the_oldest_form() -> None:
    assert brooder({PATH: run(LOOK)}, "support").drafts
    assert agents_of({PATH: run(LOOK), "x.json": 7}) == {"support": [PATH], "": ["x.json"]}


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (of_brooder(run(LOOK), run(("other", {}))), "2 accepted variants call differently"),
        (of_brooder(run(LOOK, meta={"crashed": True})), "the agent crashed"),
        (of_brooder(run(LOOK, meta={"runaway": True})), "the agent ran away"),
        (of_brooder(run(LOOK), version=3), "is of a newer brooder"),
        (of_brooder(run(LOOK), version=True), "is of a newer brooder"),
        (of_brooder(), "no run with a trajectory"),
        (of_brooder(run(*[LOOK] * 1001)), "more than 1000 calls"),
        (of_brooder(run(trajectory=[7])), "a step of the trajectory is no object"),
        (of_brooder(run(), traces=False), "holds an exact text and no call"),
        (agentsnap({PATH: {"trace": []}}, "support"), "no input was recorded"),
        (agentsnap({PATH: {"input": 1}}, "support"), "has no trace"),
        (agentsnap({PATH: {"input": 1, "trace": [{"type": "tool_call", "name": ""}]}}, "support"), "has no name"),
    ],
)
def test_what_can_be_no_case_is_left_out_with_its_reason(found: Imported, why: str) -> None:
    assert found.drafts == ()
    (loss,) = found.losses
    assert why in loss.why


def test_no_call_is_something_to_hold_where_calls_are_told() -> None:
    (draft,) = of_brooder(run()).drafts
    assert draft.case["assertions"] == {"no_calls": True}


def test_what_the_model_asked_for_stands_in_for_what_ran() -> None:
    asked = {"type": "llm_call", "tool_requests": [{"name": "get_order", "args": {"id": 1}}]}
    snapshot = {"input": "Where?", "trace": [asked], "output": "Here.", "model": "unknown"}
    (draft,) = agentsnap({"s/test_order.json": snapshot}, "support").drafts
    assert (draft.case["id"], draft.case["input"]) == ("test_order", {"input": "Where?"})
    assert draft.case["assertions"]["calls"]["of"][0]["name"] == "get_order"
    assert draft.said is not None
    assert draft.said.model == ""
