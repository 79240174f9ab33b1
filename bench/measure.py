"""Times commands side by side: A, B, A, B …, and tells ratios pair by pair. Machines are noisy, so only those count."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sample_repository import environment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Command:
    """What is measured: a command in a folder, after an optional preparation that is not."""

    words: Sequence[str]
    folder: Path
    code: int = 0
    env: Mapping[str, str] | None = None
    before: Callable[[], None] = lambda: None

    def run(self) -> tuple[float, float]:
        """(CPU seconds of the process and its children, wall seconds) of one run."""
        self.before()
        start = time.perf_counter()
        process = subprocess.Popen(
            self.words,
            cwd=self.folder,
            env=environment() | dict(self.env or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != self.code:
            raise SystemExit(f"{list(self.words)} ended with {process.returncode}, not {self.code}, in {self.folder}")
        return usage.ru_utime + usage.ru_stime, wall


CPU, WALL = 0, 1


@dataclass(frozen=True)
class Ratio:
    """Ratios of A to B, one a pair of runs."""

    found: tuple[float, ...]

    def __str__(self) -> str:
        return f"{statistics.median(self.found):.2f} ({min(self.found):.2f} to {max(self.found):.2f})"


def compare_work(ours: Callable[[], object], theirs: Callable[[], object], *, runs: int) -> Ratio:
    """The same for work done in this process: ratio of CPU seconds."""
    seconds(ours)
    seconds(theirs)
    return Ratio(tuple(seconds(ours) / seconds(theirs) for _ in range(runs)))


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def table(rows: Sequence[tuple[str, str, str, object]], runs: int) -> str:
    """Markdown: what was measured, against what, the aim, the ratio."""
    lines = [f"| what | against | aim | median ratio of {runs} runs (range) |", "| --- | --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {what} | {against} | {aim} | {found} |" for what, against, aim, found in rows)])


def compare(ours: Command, theirs: Command, *, what: int, runs: int, times: float = 1.0) -> Ratio:
    """Run both `runs` times in turn, after one warm-up each; ratio of `what` (CPU or WALL) to `times` of theirs."""
    ours.run()
    theirs.run()
    return Ratio(tuple(ours.run()[what] / (theirs.run()[what] * times) for _ in range(runs)))
