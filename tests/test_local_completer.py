"""The completer `local` without its model: what it asks, and what it refuses. tests/real_model.py asks the model."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

import local
import pytest
import tomli

from pages import ROOT, page

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = json.loads(page("completers/local_examples.json"))
BILLING = page("prompts/billing-status-v3.txt")
OPTIONS = Namespace(temperature=0.0, seed=0)
TOOLS = [tool["function"] for tool in json.loads(page("tools/support.json"))]


def test_what_the_answers_are_pinned_to_is_said_alike_everywhere() -> None:
    """In the identity that the fingerprint holds, in the program that checks it, and where it is installed from."""
    completer = tomli.loads(page("lastgood.toml"))["completers"]["local"]
    assert completer["model"] == f"xllamacpp {local.RUNTIME}, {local.WEIGHTS} {local.SHA256}"
    assert completer["command"][1:] == ["completers/local.py", "completers/local_examples.json"]
    groups = tomli.loads(page("pyproject.toml"))["dependency-groups"]
    assert groups["local"] == [f"xllamacpp=={local.RUNTIME}"]


def test_without_the_runtime_it_says_what_to_run() -> None:
    program = [sys.executable, "-I", "-S", str(ROOT / "completers" / "local.py"), "--check"]
    done = subprocess.run(program, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"completers/local\.py: [^\n]+\n", done.stderr)
    # Where the wheel cannot run, that is said first.
    machine = subprocess.run([*program[:-1], "--machine"], check=False, capture_output=True, text=True)
    assert machine.returncode or done.stderr.endswith("run: make eval COMPLETER=local\n")


def test_a_cpu_without_avx2_is_refused_before_the_runtime_dies_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "open", lambda *_, **__: io.StringIO("flags : sse4_2 avx\n"), raising=False)
    with pytest.raises(local.Refused, match="no AVX2"):
        local.check_machine()


def test_the_prompt_is_the_system_message_and_its_examples_are_turns() -> None:
    asked = {"order_id": "", "locale": "en"}
    messages = local.chat(BILLING, [], asked, [])
    rules = BILLING.partition("\nExamples\n")[0]
    assert messages[0] == {"role": "system", "content": rules.strip()}
    assert [message["role"] for message in messages[1:]] == ["user", "assistant"] * 4 + ["user"]
    assert messages[-3:-1] == [  # the example most like the input stands last
        {"role": "user", "content": '{"order_id": "", "locale": "en"}'},
        {"role": "assistant", "content": '{"error": "missing_order_id"}'},
    ]
    assert messages[-1] == {"role": "user", "content": json.dumps(asked)}


def test_a_conversation_is_asked_as_it_is_and_tools_are_named_in_the_system_message() -> None:
    turns = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Wo ist meine Bestellung 1000-AB?"},
    ]
    messages = local.chat("You help.", TOOLS, {"messages": turns}, EXAMPLES["support_agent"]["examples"])
    assert messages[0]["content"].startswith("You help.\nget_order(order_id): Look up one order")
    assert "\ncreate_refund(order_id, amount): Pay money back" in messages[0]["content"]
    assert messages[-3:] == turns
    assert "Bestellung" in messages[-5]["content"]


@pytest.mark.parametrize("prompt_id", sorted(EXAMPLES))
def test_no_example_is_a_golden_case(prompt_id: str) -> None:
    """Then the model would only copy; a listed order may be asked of in another language."""
    (folder,) = (ROOT / "golden").glob(f"{prompt_id}*")
    cases = [json.loads(file.read_bytes()) for file in folder.glob("*.json") if file.name != "catalog.json"]
    inputs = [one["input"] for case in cases for one in case.get("cases", [case])]
    asked = [one["messages"][-1]["content"] if "messages" in one else one for one in inputs]
    assert [example[0] for example in EXAMPLES[prompt_id]["examples"] if example[0] in asked] == []


def test_an_answer_with_tools_is_held_to_what_the_tools_take() -> None:
    schema = local.trace_schema(TOOLS, {"type": "object"})
    calls = schema["properties"]["tool_calls"]["items"]["anyOf"]
    assert [call["properties"]["name"]["const"] for call in calls] == ["get_order", "create_refund"]
    assert [call["properties"]["arguments"] for call in calls] == [tool["parameters"] for tool in TOOLS]
    assert schema["required"] == ["tool_calls", "final_text"]


class Model:
    """Stands in for the model: gives one answer, cut or whole."""

    def __init__(self, text: str, finish_reason: str = "stop") -> None:
        self.text, self.finish_reason = text, finish_reason

    def handle_chat_completions(self, asked: dict[str, object]) -> dict[str, object]:
        self.asked = asked
        return {"choices": [{"message": {"content": self.text}, "finish_reason": self.finish_reason}]}


def request(prompt: str) -> dict[str, object]:
    return {"prompt_file": str(ROOT / prompt), "input": {"messages": [{"role": "user", "content": "Where is 1-A?"}]}}


def test_a_trace_is_handed_on_with_its_reply_as_text() -> None:
    model = Model('{"tool_calls": [], "final_text": {"reply": "Wie?", "order_id": null}}')
    answer = local.completion(model, request("prompts/support_agent_v12.md"), EXAMPLES["support_agent"], OPTIONS)
    assert answer == {"tool_calls": [], "final_text": '{"reply": "Wie?", "order_id": null}'}
    assert (model.asked["temperature"], model.asked["seed"]) == (0.0, 0)


def test_an_answer_that_was_cut_is_no_answer(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Say something.")
    with pytest.raises(local.Refused, match="cut after 256 tokens: …'and on'"):
        local.completion(Model("and on", "length"), request(str(prompt)), {}, OPTIONS)
