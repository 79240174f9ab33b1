#!/usr/bin/env python3
"""The deterministic stub completer of this repository: no model, no network, the standard library only.

It proves graders, hashes and exit codes before a real completer is wired in. Two prompts, whatever their version:

- `billing-status-v3`: `{"order_id"}` in, `{"status", "order_id"}` or `{"error"}` out, as text.
- `support_agent_v12`: `{"messages"}` in, a trace out: `get_order` for every order id (`1842-AX`) in the last user
  message, and a reply of schema `support_reply_v2`, in English or German. It never refunds: a colleague decides.

It reads two lines of the prompt, so that an edit of the prompt can move an answer that stays legal:

- `Reply keys: order_id, status` (billing) orders the keys of an answer that holds a status.
- `Greeting: Good day!` (support) is put before the reply.

It speaks both protocols. When the first line of stdin is an object with `id` and `input` it answers line by line until
stdin ends; otherwise stdin is one request and stdout its completion.
"""

from __future__ import annotations

import json
import os
import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

UNSETTLED = {"ord_2077": "pending", "ord_3003": "failed"}  # every other order is paid
BILLING_ID = re.compile(r"ord_[0-9]{1,12}")
SUPPORT_ID = re.compile(r"(?<![0-9A-Za-z-])[0-9]{4}-[A-Z]{2}(?![0-9A-Za-z-])")
REFUND = re.compile(r"refund|money back|geld zurück|erstattung", re.IGNORECASE)
GERMAN = re.compile(r"\b(bestellung|bitte|guten|ich|meine?|wann|wo)\b", re.IGNORECASE)

ENGLISH_WORDS = {
    "looked up": "I looked up order {}.",
    "no order": "Please tell me your order id; it is in the confirmation e-mail.",
    "refund": "A colleague decides about refunds and has your request.",
}
GERMAN_WORDS = {
    "looked up": "Ich habe die Bestellung {} nachgeschlagen.",
    "no order": "Wie lautet die Bestellnummer? Sie steht in der Bestätigungsmail.",
    "refund": "Über Erstattungen entscheidet eine Kollegin; die Anfrage liegt ihr vor.",
}


def billing_status(asked: dict[str, Any], prompt: str) -> str:
    """What is known of one payment."""
    order_id = asked.get("order_id")
    if not order_id:
        return json.dumps({"error": "missing_order_id"})
    if not isinstance(order_id, str) or not BILLING_ID.fullmatch(order_id):
        return json.dumps({"error": "invalid_order_id"})
    facts = {"status": UNSETTLED.get(order_id, "paid"), "order_id": order_id}
    wanted = [key.strip() for key in setting(prompt, "Reply keys").split(",")]
    return json.dumps({key: facts[key] for key in [*wanted, *facts] if key in facts})


def support_agent(asked: dict[str, Any], prompt: str) -> dict[str, Any]:
    """One turn of support: the calls it makes and what it says."""
    said = [message["content"] for message in asked["messages"] if message["role"] == "user"][-1]
    orders = list(dict.fromkeys(SUPPORT_ID.findall(said)))
    refund = bool(REFUND.search(said))
    words = GERMAN_WORDS if GERMAN.search(said) else ENGLISH_WORDS
    sentences = [words["looked up"].format(order) for order in orders] or [words["no order"]]
    reply = {
        "reply": " ".join(filter(None, [setting(prompt, "Greeting"), *sentences, words["refund"] * refund])),
        "order_id": orders[0] if len(orders) == 1 else None,
        "escalate": refund,
    }
    calls = [{"name": "get_order", "arguments": {"order_id": order}} for order in orders]
    return {"tool_calls": calls, "final_text": json.dumps(reply, ensure_ascii=False)}


PROMPTS: dict[str, Callable[[dict[str, Any], str], Any]] = {
    "billing-status": billing_status,
    "support_agent": support_agent,
}


def setting(prompt: str, name: str) -> str:
    """What the prompt's line `name: …` says; nothing when it has none."""
    found = re.search(rf"^{name}:(.*)$", prompt, re.MULTILINE)
    return found[1].strip() if found else ""


def complete(prompt_id: str, asked: dict[str, Any], prompt_file: str) -> Any:
    """The completion: a string, or an object for a trace."""
    answer = PROMPTS.get(re.sub(r"[-_]v[0-9]+$", "", prompt_id))
    if answer is None:
        raise ValueError(f"the stub knows no prompt {prompt_id!r}")
    prompt = ""
    if prompt_file:
        with open(prompt_file, encoding="utf-8") as file:
            prompt = file.read()
    return answer(asked, prompt)


def request(line: bytes) -> dict[str, Any] | None:
    """The request that a line of protocol `lines` holds; None when it is something else."""
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) and {"id", "input"} <= found.keys() else None


def answered(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer line of one request."""
    try:
        output = complete(asked["prompt_id"], asked["input"], asked.get("prompt_file", ""))
    except (ValueError, KeyError, IndexError, TypeError, OSError) as exc:
        return {"id": asked["id"], "error": f"{type(exc).__name__}: {exc}"}
    return {"id": asked["id"], "output": output}


def main() -> int:
    stdin = sys.stdin.buffer
    line = stdin.readline()
    asked = request(line)
    if asked is None:
        payload = json.loads(line + stdin.read())
        output = complete(payload.get("prompt_id", ""), payload, os.environ.get("LASTGOOD_PROMPT_FILE", ""))
        sys.stdout.write(output if isinstance(output, str) else json.dumps(output))
        return 0
    while line:
        if asked is None:
            sys.exit("a line that is no request")
        sys.stdout.write(json.dumps(answered(asked)) + "\n")
        sys.stdout.flush()
        line = stdin.readline()
        asked = request(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
