"""Makes a repository of a given size, in step, for benchmarks: prompts, golden cases, a stub, recorded baselines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LASTGOOD = os.path.join(os.path.dirname(sys.executable), "lastgood")

STUB = """\
import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    answer = json.dumps({"status": "paid", "order_id": request["input"]["order_id"]})
    print(json.dumps({"id": request["id"], "output": answer}), flush=True)
"""

CONFIG = """\
commit_completer = "stub"

[completers.stub]
command = ["python3", "stub.py"]
protocol = "lines"
"""


def environment() -> dict[str, str]:
    """No configuration of the person, no CI variable (recording would be refused), byte code as usual."""
    drop = ("CI", "GIT_", "PYTHONDONTWRITEBYTECODE", "PRE_COMMIT")
    kept = {name: text for name, text in os.environ.items() if not name.startswith(drop)}
    who = {f"GIT_{role}_{what}": "bench@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return kept | who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def run(root: Path, *command: str) -> str:
    """Run a command in the repository; its output."""
    done = subprocess.run(command, cwd=root, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def make(root: Path, *, prompts: int, cases: int, files: int) -> None:
    """A committed repository with `files` files in all, of which `prompts` prompts with `cases` cases each."""
    root.mkdir(parents=True)
    run(root, "git", "init", "-q", "-b", "main")
    _write(root / "lastgood.toml", CONFIG)
    _write(root / "stub.py", STUB)
    for number in range(prompts):
        name = f"prompt-{number:05d}"
        _write(root / "prompts" / f"{name}.txt", f"Answer with the status of an order. Prompt {number}.\n")
        _write(root / "golden" / name / "suite.json", json.dumps(_suite(name, cases), indent=2) + "\n")
    run(root, LASTGOOD, "catalog", "ship")
    run(root, LASTGOOD, "eval")
    shown = json.loads(run(root, LASTGOOD, "diff", "--format", "json"))
    run(root, LASTGOOD, "record", "--reason", "benchmark", "--accept", shown["token"])
    have = sum(1 for path in root.rglob("*") if path.is_file() and path.relative_to(root).parts[0] != ".git")
    for number in range(max(0, files - have)):
        _write(root / "src" / f"{number % 97:02d}" / f"module_{number}.py", f"VALUE = {number}\n")
    run(root, "git", "add", "-A")
    run(root, "git", "commit", "-q", "-m", "start")
    run(root, "git", "gc", "-q")


def _suite(name: str, cases: int) -> dict[str, object]:
    expect = {"json": True, "required_keys": ["status", "order_id"], "forbidden": ["as an AI", "I think"]}
    rows = [{"id": f"case-{n}", "input": {"order_id": f"ord_{n}"}, "expect": expect} for n in range(cases)]
    return {"prompt_id": name, "cases": rows}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
