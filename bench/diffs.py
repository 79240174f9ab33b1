"""What diffs of large completions cost, as ratios to git's own time and to difflib in a process of its own."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from measure import CPU, WALL, Command, Ratio, compare, table
from sample_repository import LASTGOOD

LINES = 20_000
# Children: this project itself does its diffs by git, and imports no other; here the other is what is measured.
OTHER = """\
import difflib
import signal
import sys

signal.signal(signal.SIGALRM, lambda *_: sys.exit())
signal.alarm(20)
old, new = (open(path, encoding="utf-8").read().splitlines() for path in sys.argv[1:])
for line in difflib.unified_diff(old, new, lineterm=""):
    print(line)
"""
OURS = """\
import sys

from lastgood.edge.text_diff import counted, unified
from lastgood.report.hunks import hunk_lines
from lastgood.report.paint import Paint

how, scratch, *paths = sys.argv[1:]
old, new = (open(path, encoding="utf-8").read() for path in paths)
if how == "counts":
    print(counted([("case", old, new)], scratch=scratch))
else:
    found = unified([("case", old, new)], scratch=scratch, max_lines=None if how == "whole" else 200)["case"]
    for line in hunk_lines(found.lines):
        print(Paint()(line))
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default: 5)")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        rows = []
        for name, (old, new) in PAIRS.items():
            paths = write(root, name, old, new)
            for how, aim in (("what diff shows", "≤ 3"), ("whole", ""), ("counts", "≤ 1.3")):
                ratio = compare(ours(root, how, paths), git(root, paths), what=CPU, runs=runs)
                rows.append((f"{name}: {how}, CPU", "git diff, and an interpreter that does nothing", aim, ratio))
            once = Ratio((ours(root, "what diff shows", paths).run()[WALL] / other(root, paths).run()[WALL],))
            rows.append((f"{name}: the same, wall, once", "difflib in a process of its own, stopped at 20 s", "", once))
    print(table(rows, runs))


def lines(distinct: int, seed: int) -> list[str]:
    dice = random.Random(seed)
    pool = [f"line {number} of a completion, {dice.random():.6f}" for number in range(distinct)]
    return [dice.choice(pool) for _ in range(LINES)]


def edited(old: list[str], every: int) -> list[str]:
    """The same with one line in `every` another, one dropped and one added now and then."""
    found = []
    for number, line in enumerate(old):
        if number % every == 7:
            found += [line + " edited", "one more line"]
        elif number % every != 3:
            found.append(line)
    return found


ALL = [f"line {number} of a completion" for number in range(LINES)]
FEW = lines(150, 1)
SENTENCE = " ".join(f"word{number % 900}" for number in range(LINES))
PAIRS = {
    f"{LINES:,} lines, a few edited": (ALL, edited(ALL, 100)),
    f"{LINES:,} lines of 150 distinct ones": (FEW, edited(FEW, 20)),
    "the same line over and over": (["same"] * LINES, ["same"] * (LINES - 500)),
    f"one line of {LINES:,} words": ([SENTENCE], [SENTENCE.replace("word17 ", "other ")]),
}


def write(root: Path, name: str, old: list[str], new: list[str]) -> tuple[str, str]:
    folder = root / name.replace(" ", "-")
    folder.mkdir()
    for side, found in (("old", old), ("new", new)):
        (folder / side).write_text("\n".join(found) + "\n", encoding="utf-8")
    return str(folder / "old"), str(folder / "new")


def ours(root: Path, how: str, paths: tuple[str, str]) -> Command:
    python = str(Path(LASTGOOD).parent / "python")
    return Command([python, "-c", OURS, how, str(root / "scratch"), *paths], root)


def git(root: Path, paths: tuple[str, str]) -> Command:
    diff = 'git diff --no-index --histogram --text --no-color -- "$1" "$2"; "$3" -c pass'
    return Command(["sh", "-c", diff, "sh", *paths, sys.executable], root)


def other(root: Path, paths: tuple[str, str]) -> Command:
    return Command([sys.executable, "-c", OTHER, *paths], root)


if __name__ == "__main__":
    main()
