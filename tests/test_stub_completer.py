"""The stub completer of this repository, run as a program under both protocols."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

STUB = Path(__file__).resolve().parent.parent / "completers" / "stub.py"
BILLING, SUPPORT = "billing-status-v3", "support_agent_v12"


def stub(stdin: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(STUB)]
    return subprocess.run(
        command, input=stdin, env=os.environ | environ, check=False, capture_output=True, encoding="utf-8"
    )


def complete(prompt_id: str, payload: dict[str, Any], prompt: Path | None = None) -> str:
    """What it says when started for one case; the same, asserted, as one of many."""
    file = str(prompt or "")
    alone = stub(json.dumps({"prompt_id": prompt_id, **payload}), LASTGOOD_PROMPT_FILE=file)
    assert (alone.returncode, alone.stderr) == (0, "")
    line = {"id": "a", "prompt_id": prompt_id, "prompt_file": file, "prompt_sha256": "", "input": payload}
    answers = [json.loads(found) for found in stub(f"{json.dumps(line)}\n" * 2).stdout.splitlines()]
    output = answers[0]["output"]
    assert answers == [{"id": "a", "output": output}] * 2
    assert (output if isinstance(output, str) else json.dumps(output)) == alone.stdout
    return alone.stdout


BILLINGS = {
    "paid": ({"order_id": "ord_1042", "locale": "en"}, '{"status": "paid", "order_id": "ord_1042"}'),
    "pending": ({"order_id": "ord_2077"}, '{"status": "pending", "order_id": "ord_2077"}'),
    "failed": ({"order_id": "ord_3003"}, '{"status": "failed", "order_id": "ord_3003"}'),
    "no order id": ({"locale": "en"}, '{"error": "missing_order_id"}'),
    "empty order id": ({"order_id": ""}, '{"error": "missing_order_id"}'),
    "null order id": ({"order_id": None}, '{"error": "missing_order_id"}'),
    "no underscore": ({"order_id": "ord-1042"}, '{"error": "invalid_order_id"}'),
    "newline": ({"order_id": "ord_1042\n"}, '{"error": "invalid_order_id"}'),
    "too long": ({"order_id": "ord_1234567890123"}, '{"error": "invalid_order_id"}'),
    "number": ({"order_id": 1042}, '{"error": "invalid_order_id"}'),
    "another prompt's id": ({"order_id": "ord_7", "prompt_id": BILLING}, '{"status": "paid", "order_id": "ord_7"}'),
}


@pytest.mark.parametrize(("payload", "answer"), BILLINGS.values(), ids=BILLINGS)
def test_billing_status(payload: dict[str, Any], answer: str) -> None:
    assert complete(BILLING, payload) == answer


@pytest.mark.parametrize(("order_id", "digest"), [("ord_1042", "90c6433e8ed0"), ("", "0bd5f955bad1")])
def test_it_says_what_the_published_digests_are_of(order_id: str, digest: str) -> None:
    answer = complete(BILLING, {"order_id": order_id, "locale": "en"})
    assert hashlib.sha256(answer.encode()).hexdigest()[:12] == digest


KEYS = {
    "as published": ("Reply keys: status, order_id\n", ["status", "order_id"]),
    "reordered": ("Rules\nReply keys: order_id, status\r\nNo prose.\n", ["order_id", "status"]),
    "one and an unknown one": ("Reply keys: order_id, mood\n", ["order_id", "status"]),
    "not at the start of a line": ("The Reply keys: order_id, status\n", ["status", "order_id"]),
}


@pytest.mark.parametrize(("text", "keys"), KEYS.values(), ids=KEYS)
def test_a_line_of_the_billing_prompt_orders_the_keys(tmp_path: Path, text: str, keys: list[str]) -> None:
    prompt = tmp_path / "prompt.txt"
    prompt.write_bytes(text.encode())
    assert list(json.loads(complete(BILLING, {"order_id": "ord_1042"}, prompt))) == keys


def support(text: str, prompt: Path | None = None) -> tuple[list[str], dict[str, Any]]:
    """The orders looked up, and the reply."""
    messages = [{"role": "user", "content": "1111-AA"}, {"role": "assistant", "content": "Yes?"}]
    trace = json.loads(complete(SUPPORT, {"messages": [*messages, {"role": "user", "content": text}]}, prompt))
    assert list(trace) == ["tool_calls", "final_text"]
    assert {call["name"] for call in trace["tool_calls"]} <= {"get_order"}
    return [call["arguments"]["order_id"] for call in trace["tool_calls"]], json.loads(trace["final_text"])


ASK = "Please tell me your order id; it is in the confirmation e-mail."
DECIDES = "A colleague decides about refunds and has your request."
TURNS = {
    "one order": ("Order is 1842-AX.", ["1842-AX"], "I looked up order 1842-AX.", "1842-AX", False),
    "two orders": (
        "1842-AX or 2093-BK, 1842-AX?",
        ["1842-AX", "2093-BK"],
        "I looked up order 1842-AX. I looked up order 2093-BK.",
        None,
        False,
    ),
    "no order": ("Where is my parcel?", [], ASK, None, False),
    "almost an order": ("1842-ax, 11842-AX, 1842-AXE, X-1842-AX", [], ASK, None, False),
    "refund": ("Money back for 5521-KD!", ["5521-KD"], f"I looked up order 5521-KD. {DECIDES}", "5521-KD", True),
    "refund without order": ("I want a refund", [], f"{ASK} {DECIDES}", None, True),
    "German": (
        "Wann kommt meine Bestellung 4077-QT?",
        ["4077-QT"],
        "Ich habe die Bestellung 4077-QT nachgeschlagen.",
        "4077-QT",
        False,
    ),
}


@pytest.mark.parametrize(("text", "orders", "reply", "order_id", "escalate"), TURNS.values(), ids=TURNS)
def test_support_agent(text: str, orders: list[str], reply: str, order_id: str | None, escalate: bool) -> None:
    assert support(text) == (orders, {"reply": reply, "order_id": order_id, "escalate": escalate})


def test_a_line_of_the_support_prompt_greets(tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.md"
    prompt.write_text("# Support\nGreeting: Good day!\n", encoding="utf-8")
    assert support("1842-AX?", prompt)[1]["reply"] == "Good day! I looked up order 1842-AX."


def test_a_new_version_of_a_prompt_is_the_same_prompt_to_it() -> None:
    assert complete("billing-status-v4", {"order_id": ""}) == '{"error": "missing_order_id"}'


WRONG = {
    "another prompt": {"prompt_id": "poems-v1"},
    "no prompt id": {"order_id": "ord_1042"},
    "no message": {"prompt_id": SUPPORT, "messages": []},
}


@pytest.mark.parametrize("payload", WRONG.values(), ids=WRONG)
def test_what_it_cannot_answer_is_an_error(payload: dict[str, Any]) -> None:
    alone = stub(json.dumps(payload))
    assert (alone.returncode, alone.stdout) == (1, "")
    line = {"id": "a", "prompt_id": payload.get("prompt_id", ""), "input": payload}
    (answer,) = map(json.loads, stub(json.dumps(line) + "\n").stdout.splitlines())
    assert list(answer) == ["id", "error"]


def test_a_prompt_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    payload = json.dumps({"prompt_id": BILLING, "order_id": "ord_1042"})
    assert stub(payload, LASTGOOD_PROMPT_FILE=str(tmp_path / "none")).returncode == 1


def test_a_request_may_be_laid_out_over_many_lines() -> None:
    payload = json.dumps({"prompt_id": BILLING, "order_id": "ord_1042"}, indent=2)
    assert stub(payload).stdout == '{"status": "paid", "order_id": "ord_1042"}'
