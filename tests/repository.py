"""State a repository as files, run real git and the real command, compare what a user can see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LASTGOOD = os.path.join(os.path.dirname(sys.executable), "lastgood")

STUB = """\
    import json, os, sys

    # Answers with whatever stands after "say:" in the prompt, and the order asked for.
    request = json.load(sys.stdin)
    with open(os.environ["LASTGOOD_PROMPT_FILE"], encoding="utf-8", errors="replace") as file:
        said = [line[4:].strip() for line in file if line.startswith("say:")]
    print(json.dumps({"status": said[0] if said else "paid", "order_id": request.get("order_id", "")}))
"""

CONFIG = """\
    commit_completer = "stub"
    base = "origin/main"

    [completers.stub]
    command = ["python3", "stub.py"]
    timeout_s = 20
"""


def case(case_id: str, version: int = 1, **changes: Any) -> dict[str, Any]:
    """A golden case that the stub passes."""
    expect = {"json": True, "required_keys": ["status", "order_id"], "forbidden": ["I think"]}
    return {"id": case_id, "version": version, "input": {"order_id": f"ord_{case_id}"}, "expect": expect} | changes


def suite(prompt_id: str, *cases: dict[str, Any], **more: Any) -> str:
    """A suite file."""
    return json.dumps({"prompt_id": prompt_id, **more, "cases": list(cases)}, indent=2) + "\n"


def manager_config(*hooks: str, program: str = LASTGOOD) -> str:
    """A `.pre-commit-config.yaml` with the given hooks of lastgood (default: the gate)."""
    rows = "".join(
        f"      - id: lastgood-{hook}\n        name: lastgood {hook}\n        language: system\n"
        f"        entry: {program} {hook}\n        always_run: true\n        pass_filenames: false\n"
        "        require_serial: true\n        stages: [pre-commit, pre-merge-commit, pre-push, manual]\n"
        for hook in hooks or ("gate",)
    )
    return f"repos:\n  - repo: local\n    hooks:\n{rows}"


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


class Repository:
    """A git repository in a temporary folder, and the commands a person would type in it."""

    def __init__(self, root: Path, *, init: bool = True, initial_branch: str = "main") -> None:
        self.root = root
        self.env: dict[str, str] = {}
        root.mkdir(parents=True, exist_ok=True)
        if init:
            self.git("init", "-q", "-b", initial_branch)

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files; text is dedented."""
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else dedent(content).encode("utf-8"))

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")

    def files(self, below: str = ".") -> dict[str, bytes]:
        """Every file below a folder, git's and lastgood's own folders apart: what must not change when refused."""
        found = {}
        for path in sorted((self.root / below).rglob("*")):
            name = path.relative_to(self.root)
            if path.is_file() and name.parts[0] not in (".git", ".lastgood"):
                found[name.as_posix()] = path.read_bytes()
        return found

    def run(
        self, *command: str, code: int | None = 0, cwd: str = ".", env: Mapping[str, str] | None = None, feed: str = ""
    ) -> Done:
        """Run a program; fails the test when the exit code is not `code` (None: any)."""
        done = subprocess.run(
            command,
            cwd=self.root / cwd,
            env={**os.environ, **self.env, **(env or {})},
            input=feed,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=120,
            check=False,
        )
        assert code is None or done.returncode == code, (
            f"{command} ended with {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def git(
        self, *words: str, code: int | None = 0, cwd: str = ".", env: Mapping[str, str] | None = None, feed: str = ""
    ) -> Done:
        return self.run("git", *words, code=code, cwd=cwd, env=env, feed=feed)

    def lastgood(
        self, *words: str, code: int | None = 0, cwd: str = ".", env: Mapping[str, str] | None = None, feed: str = ""
    ) -> Done:
        return self.run(LASTGOOD, *words, code=code, cwd=cwd, env=env, feed=feed)

    def accept(self, reason: str = "as wanted", *which: str, cwd: str = ".") -> None:
        """Evaluate, read the diff, record it by its token."""
        self.lastgood("eval", *which, code=None, cwd=cwd)
        token = self.token(*which, cwd=cwd)
        self.lastgood("record", *which, "--reason", reason, "--accept", token, cwd=cwd)

    def token(self, *which: str, cwd: str = ".") -> str:
        """The token that `lastgood diff` prints."""
        out = self.lastgood("diff", *which, code=None, cwd=cwd).out
        return next(line.split()[1] for line in out.splitlines() if line.startswith("token "))

    def commit(self, message: str = "change", *flags: str, code: int | None = 0) -> Done:
        return self.git("commit", "-q", "-m", message, *flags, code=code)

    def hook(self, name: str = "pre-commit", command: str = "gate", *, program: str = LASTGOOD) -> None:
        """Install a plain git hook."""
        path = self.root / self.git("rev-parse", "--git-path", f"hooks/{name}").out.strip()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\nexec '{program}' {command}\n", encoding="utf-8")
        path.chmod(0o755)

    def manager(self, which: str, *hooks: str, types: tuple[str, ...] = ("pre-commit",)) -> None:
        """Configure and install `pre-commit` or `prek` with the given hooks of lastgood (default: the gate)."""
        self.write({".pre-commit-config.yaml": manager_config(*hooks)})
        for kind in types:
            self.run(self.tool(which), "install", "-t", kind)

    @staticmethod
    def tool(name: str) -> str:
        """A program of this virtual environment."""
        return os.path.join(os.path.dirname(sys.executable), name)


def standing(root: Path) -> Repository:
    """A committed repository in step: two prompts, their cases, one completer, baselines recorded. No hook yet."""
    repo = Repository(root)
    repo.write(
        {
            "lastgood.toml": CONFIG,
            "stub.py": STUB,
            ".gitattributes": "prompts/** -text\ngolden/** -text\nbaselines/** -text\n",
            "prompts/billing.txt": "Answer with the status of an order.\nsay: paid\n",
            "prompts/support.txt": "Help the customer.\nsay: pending\n",
            "golden/billing/suite.json": suite("billing", case("one"), case("two")),
            "golden/support/late.json": json.dumps({"prompt_id": "support", **case("late")}, indent=2) + "\n",
            "notes.md": "Nothing of lastgood's.\n",
        }
    )
    repo.lastgood("catalog", "ship")
    repo.accept("first baseline")
    repo.git("add", "-A")
    repo.commit("start")
    return repo
