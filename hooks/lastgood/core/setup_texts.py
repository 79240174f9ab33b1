"""The files that `lastgood init` writes, as they begin."""

from __future__ import annotations

import json

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ATTRIBUTES = "# Hashed by lastgood: no conversion of line ends. The last line that matches wins."
EMPTY_MANAGER = "default_install_hook_types: [pre-commit, pre-merge-commit, pre-push]\nrepos:\n"
CONFIG = """\
# Written by `lastgood init`. Every prompt below has its cases in golden/ and its accepted answers in baselines/.
commit_completer = "stub"   # what the commit hook runs: fast, deterministic, no network
prompts = {prompts}
{unguarded}{parts}
[completers.stub]
command = ["python3", {stub}]
protocol = "lines"
timeout_s = 20

# Your model: its baselines are its own. Ask it by `lastgood eval -c real`.
# [completers.real]
# command = ["python3", "ask_model.py"]
# env = ["OPENAI_API_KEY"]
{declared}"""
STUB = '''\
"""The stub: answers at every commit, without a model. It says the same whatever is asked, until you teach it more.

The better it follows the lines of a prompt that matter to your users, the more a commit can tell.
"""

import json
import sys


def answer(prompt_id, prompt, request):
    """The answer to a case's input (`request`) under the text of a prompt."""
    return f"The fixed answer of the stub for {prompt_id}."


for line in sys.stdin:
    asked = json.loads(line)
    with open(asked["prompt_file"], encoding="utf-8", errors="replace") as file:
        told = answer(asked["prompt_id"], file.read(), asked["input"])
    print(json.dumps({"id": asked["id"], "output": told}), flush=True)
'''
_NOTES = (
    "Written by lastgood init: put in what a user sends, and what must hold of every answer. It is yours to change."
)


def first_suite(prompt_id: str) -> str:
    """A suite of one case that asserts little, and says so."""
    case = {
        "id": "first",
        "input": {"message": "Replace this by what a user sends."},
        "expect": {"length": {"ge": 1}, "forbidden": ["as an AI language model"]},
        "notes": _NOTES,
    }
    return json.dumps({"prompt_id": prompt_id, "cases": [case]}, indent=2, ensure_ascii=False) + "\n"


def literal(path: str) -> str:
    """A path as a glob that matches it alone; `?` stands for what TOML could not show."""
    return "".join(f"[{char}]" if char in "*?[" else char if char.isprintable() else "?" for char in path)


def toml_text(text: str) -> str:
    """A string of TOML."""
    return json.dumps(text, ensure_ascii=False)


def toml_list(texts: Sequence[str]) -> str:
    """A list of TOML."""
    if len(texts) == 1:
        return f"[{toml_text(texts[0])}]"
    return "[\n" + "".join(f"    {toml_text(text)},\n" for text in texts) + "]"


def toml_table(name: str, rows: Mapping[str, str]) -> str:
    """A table of TOML, where it has rows."""
    body = "".join(f"{toml_text(key)} = {toml_text(held)}\n" for key, held in rows.items())
    return (
        f"\n[{name}]  # where only a part of a file is the prompt, moving the rest is no move\n{body}" if rows else ""
    )
