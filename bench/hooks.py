"""What the hooks cost, as ratios to floors measured in the same run. `make bench` prints the table."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from lastgood.edge import git, trees
from measure import CPU, WALL, Command, Ratio, compare, table
from sample_repository import LASTGOOD, make, run

if TYPE_CHECKING:
    from collections.abc import Callable

PREK = str(Path(LASTGOOD).with_name("prek"))
IN_A_HOOK = {"GIT_INDEX_FILE": ".git/index"}  # what git sets for its hooks

CONFIG = """\
repos:
  - repo: local
    hooks:
"""
HOOK = """\
      - id: {name}
        name: {name}
        language: system
        entry: {entry}
        always_run: true
        pass_filenames: false
        require_serial: true
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="runs of each command (default: 15)")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make(root / "small", prompts=1, cases=2, files=12)
        make(root / "big", prompts=100, cases=10, files=5000)
        make(root / "cases", prompts=1, cases=200, files=0)
        rows = [
            (
                "lastgood check, one prompt moved, 5,000 files, 1,000 cases: CPU",
                "python -c pass",
                "≤ 2.0",
                moved(root, runs),
            ),
            ("the same", "its own figure at 12 files", "≤ 1.15", grown(root, runs)),
            (
                "git commit with check and stub under prek: wall",
                "two empty console scripts",
                "≤ 1.5",
                commit(root, runs),
            ),
            ("lastgood stub, 200 cases, lines: wall", "two interpreter starts", "≤ 3", stub(root, runs)),
            ("reading 4,000 blobs: wall", "one git cat-file --batch", "≤ 1.2", blobs(root, runs)),
        ]
    print(table(rows, runs))


def _check_of_a_move(folder: Path) -> Command:
    """`check` of a prompt that no check has seen before."""
    fresh = count()
    prompt = folder / "prompts" / "prompt-00000.txt"

    def move() -> None:
        prompt.write_text(f"Answer otherwise, {next(fresh)}.\n", encoding="utf-8")
        run(folder, "git", "add", "prompts")

    run(folder, "git", "reset", "-q", "--hard")
    run(folder, LASTGOOD, "check")
    return Command([LASTGOOD, "check"], folder, code=2, env=IN_A_HOOK, before=move)


def _start(folder: Path) -> Command:
    return Command([sys.executable, "-c", "pass"], folder)


def moved(root: Path, runs: int) -> Ratio:
    return compare(_check_of_a_move(root / "big"), _start(root), what=CPU, runs=runs)


def grown(root: Path, runs: int) -> Ratio:
    return compare(_check_of_a_move(root / "big"), _check_of_a_move(root / "small"), what=CPU, runs=runs)


def commit(root: Path, runs: int) -> Ratio:
    """The same commit of an unrelated file, in two clones with other hooks."""
    script = root / "empty.py"
    script.write_text(f"#!{sys.executable}\nimport sys\n\nsys.exit(0)\n", encoding="utf-8")
    script.chmod(0o755)
    entries = {"ours": (f"{LASTGOOD} check", f"{LASTGOOD} stub"), "empty": (f"{script}", f"{script}")}
    commands = []
    for name, hooks in entries.items():
        clone = root / name
        run(root, "git", "clone", "-q", str(root / "cases"), str(clone))
        rows = "".join(HOOK.format(name=f"hook-{n}", entry=entry) for n, entry in enumerate(hooks))
        (clone / ".pre-commit-config.yaml").write_text(CONFIG + rows, encoding="utf-8")
        run(clone, "git", "add", "-A")
        run(clone, PREK, "install")
        run(clone, "git", "commit", "-q", "-m", "hooks")
        commands.append(Command(["git", "commit", "-q", "-m", "note"], clone, before=_note(clone)))
    return compare(*commands, what=WALL, runs=runs)


def _note(clone: Path) -> Callable[[], None]:
    fresh = count()

    def write() -> None:
        (clone / "notes.md").write_text(f"{next(fresh)}\n", encoding="utf-8")
        run(clone, "git", "add", "notes.md")

    return write


def stub(root: Path, runs: int) -> Ratio:
    """The stub asks all 200 cases, since no commit is being made."""
    run(root / "cases", LASTGOOD, "check")
    return compare(Command([LASTGOOD, "stub"], root / "cases"), _start(root), what=WALL, runs=runs, times=2)


def blobs(root: Path, runs: int) -> Ratio:
    """Names and bytes of many blobs, as the audit reads them, against git alone with the same names."""
    folder = root / "big"
    oids = sorted({oid for _, oid in trees.parse_listing(trees.index_listing(str(folder)))[0].values()})[:4000]
    names = root / "names"
    names.write_text("".join(f"{oid}\n" for oid in oids), encoding="ascii")
    floor = Command(["sh", "-c", f"git cat-file --batch <{names} >/dev/null"], folder)
    found = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        git.read_blobs(str(folder), oids)
        found.append((time.perf_counter() - start) / floor.run()[WALL])
    return Ratio(tuple(found[1:]))


if __name__ == "__main__":
    main()
