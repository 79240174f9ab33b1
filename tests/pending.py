"""A pending run as its journal holds it, and the stub that it is of."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from repository import Repository


def run_of(repo: Repository, prompt: str = "billing", completer: str = "stub") -> list[dict[str, Any]]:
    """The journal of a pending run: header, then answers."""
    path = f".lastgood/runs/{completer}/{prompt}/run.jsonl"
    return [json.loads(line) for line in repo.read(path).splitlines()]


def untimed(out: str) -> str:
    """What was printed, but for how long it took."""
    return re.sub(r"in [0-9.]+ s\b", "in … s", out)


def configure(repo: Repository, **settings: Any) -> None:
    """Set keys of the stub."""
    lines = [line for line in repo.read("lastgood.toml").splitlines() if line.split(" ")[0] not in settings]
    repo.write({"lastgood.toml": "\n".join([*lines, *(f"{k} = {json.dumps(v)}" for k, v in settings.items())]) + "\n"})
