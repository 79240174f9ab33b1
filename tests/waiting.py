"""A repository with a pending run that holds one of everything a report shows, and a completion that means harm."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from repository import Repository, suite

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = """\
    commit_completer = "stub"

    [completers.stub]
    command = ["python3", "stub.py"]
    protocol = "lines"

    [completers.stub.outputs]
    agent = "trace"
"""

STUB = """\
    import json, sys

    answers = json.load(open("answers.json", encoding="utf-8"))
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], "output": answers[request["input"]["key"]]}), flush=True)
"""

HOSTILE = (
    "</script><script>document.title='owned'</script><!-- <img src=x onerror=\"document.title='owned'\">\n"
    "\u202egnp.exe\u202c zero\u200bwidth \x00\x07\x1b[31mred\n::error::owned\n]]>&amp;{{ 7*7 }}{% raw %}\ufffe"
)
HUGE = "word " * 200_000 + "end"  # one line of 1 MB


def case(case_id: str, **changes: Any) -> dict[str, Any]:
    """A case whose answer is looked up by its id."""
    asked = {"key": case_id, "question": f"What of <{case_id}>?"}
    return {"id": case_id, "version": 1, "input": asked, "expect": {"forbidden": ["as an AI"]}} | changes


def call(name: str, result: Any = None, **arguments: Any) -> dict[str, Any]:
    """A tool call of a trace."""
    return {"name": name, "arguments": arguments, **({} if result is None else {"result": result})}


def trace(*calls: dict[str, Any], text: str = "On its way.") -> str:
    """What an agent wrote."""
    return json.dumps({"tool_calls": list(calls), "final_text": text})


ORDER = call("get_order", {"state": "sent"}, order_id="1842-AX")
ACCEPTED = {
    "same": "Yes.",
    "moved": "Returns are free.\nThey take five days.",
    "failing": "Good morning.",
    "orders": trace(ORDER, call("notify", channel="mail")),
}
NOW = ACCEPTED | {
    "moved": "I think returns are free.\nThey take five days.",
    "failing": "As an AI I have no mornings.",
    "orders": trace(ORDER, call("search", {"hits": []}, query="late"), call("notify", channel="sms")),
    "hostile": HOSTILE,
    "huge": HUGE,
}


def answer(repo: Repository, answers: dict[str, str]) -> None:
    """What the stub says from now on."""
    repo.write({"answers.json": json.dumps(answers)})


def waiting(root: Path) -> Repository:
    """Committed: two prompts, two migrations of `policy`, one of `agent`. Pending: PASS, FAIL, DIFF and NEW."""
    repo = Repository(root)
    repo.write(
        {
            "lastgood.toml": CONFIG,
            "stub.py": STUB,
            ".gitattributes": "prompts/** -text\ngolden/** -text\nbaselines/** -text\n",
            "prompts/policy.md": "Answer in one line.\nTone: plain.\n",
            "prompts/agent.md": "Look up first.\n",
            "golden/policy/suite.json": suite("policy", case("same"), case("moved"), case("failing")),
            "golden/agent/orders.json": json.dumps({"prompt_id": "agent", **case("orders")}, indent=2) + "\n",
        }
    )
    repo.lastgood("catalog", "ship")
    for reason, answers in (("First", ACCEPTED), ("A longer hello", ACCEPTED | {"failing": "Good morning to all."})):
        answer(repo, answers)
        repo.write({"prompts/policy.md": f"Answer in one line.\nTone: plain.\n{reason}\n"})
        repo.accept(reason)
        repo.git("add", "-A")
        repo.commit(reason)
    more = {"prompt_id": "policy", **case("huge")}, {"prompt_id": "policy", **case("hostile")}
    for row in more:
        repo.write({f"golden/policy/{row['id']}.json": json.dumps(row, indent=2) + "\n"})
    repo.lastgood("catalog", "ship")
    repo.write({"prompts/policy.md": "Answer in one line.\nTone: warm.\nA longer hello\n"})
    answer(repo, NOW)
    repo.lastgood("eval", code=1)
    return repo
