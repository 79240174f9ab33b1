"""Small completers, written as programs and run for real."""

from __future__ import annotations

import os
import subprocess
import time
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from lastgood.core.config import Completer
from lastgood.edge.completers import Answer, Request, ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

READ_LINES = """
    import json, os, signal, sys, time
    def say(id, output):
        print(json.dumps({"id": id, "output": output}), flush=True)
    requests = map(json.loads, sys.stdin)
"""


def program(folder: Path, source: str, **settings: Any) -> Completer:
    """A completer of protocol `process` that runs `source`."""
    file = folder / f"completer{len(list(folder.glob('completer*.py')))}.py"
    file.write_text(dedent(source), encoding="utf-8")
    return Completer("local", ("python3", str(file)), **settings)


def lines_program(folder: Path, source: str, **settings: Any) -> Completer:
    """A completer of protocol `lines`; `requests` and `say(id, output)` are there for `source`."""
    return program(folder, dedent(READ_LINES) + dedent(source), protocol="lines", **settings)


def request(id: str, **payload: Any) -> Request:  # noqa: A002 - the field's name
    return Request(id, "billing-status-v3", payload, "prompt.txt", "ab" * 32)


def all_answers(
    completer: Completer,
    requests: Iterable[Request | str],
    cwd: Path,
    environ: Mapping[str, str] | None = None,
    jobs: int | None = None,
) -> list[Answer]:
    """One answer a request, in the order of the requests."""
    asked = [request(found) if isinstance(found, str) else found for found in requests]
    found = list(ask(completer, asked, cwd=str(cwd), environ=os.environ if environ is None else environ, jobs=jobs))
    assert sorted(answer.index for answer in found) == list(range(len(asked)))
    found.sort(key=lambda answer: answer.index)
    assert [answer.id for answer in found] == [one.id for one in asked]
    assert all((answer.output is None) == bool(answer.error) for answer in found)
    return found


def outcomes(answers: Iterable[Answer]) -> list[str]:
    """Each answer's output, or its error."""
    return [answer.error or str(answer.output) for answer in answers]


def first_pid(file: Path) -> int:
    """The number of the process that is about to put it into `file`, all at once."""
    pid = _soon(lambda: int(file.read_text()) if file.exists() else 0)
    assert pid, f"nobody wrote {file}"
    return pid


def is_gone(pid: int) -> bool:
    """The process ends (a zombie that nobody reaps has ended)."""
    return bool(_soon(lambda: int(_state(pid) in ("", "Z"))))


def _state(pid: int) -> str:
    return subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], check=False, capture_output=True, text=True).stdout[:1]


def _soon(look: Callable[[], int]) -> int:
    give_up = time.monotonic() + 20
    while time.monotonic() < give_up:
        if found := look():
            return found
        time.sleep(0.01)
    return 0
