"""What `lastgood eval` costs beyond the completers it waits for: `make bench`.

Ratios only, taken pair by pair in one run: against the same processes started two at a time with nothing else, and
against one process that answers all requests as they are piped in.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import WALL, Command, Ratio, compare, table
from sample_repository import CONFIG, LASTGOOD, STUB, environment, run

PROCESS = """\
import json, sys
request = json.load(sys.stdin)
print(json.dumps({"status": "paid", "order_id": request["order_id"]}))
"""

# The floor of protocol `process`: the same processes, two at a time, their output read and dropped.
TWO_AT_A_TIME = """\
import json, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
def one(n):
    asked = json.dumps({"order_id": f"ord_{n}"}).encode()
    subprocess.run([sys.executable, "stub.py"], input=asked, check=True, stdout=subprocess.PIPE)
with ThreadPoolExecutor(2) as pool:
    list(pool.map(one, range(int(sys.argv[1]))))
"""

# The floor of protocol `lines`: all requests piped in at once, all answers read.
PIPED = """\
import json, subprocess, sys
lines = (json.dumps({"id": f"case-{n}", "input": {"order_id": f"ord_{n}"}}) + "\\n" for n in range(int(sys.argv[1])))
done = subprocess.run([sys.executable, "stub.py"], input="".join(lines).encode(), check=True, stdout=subprocess.PIPE)
assert done.stdout.count(b"\\n") == int(sys.argv[1])
"""

JOBS = ["-j", "2"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as top:
        root = Path(top)
        rows = [
            ("lastgood eval, 200 cases, process: wall", "the same, two at a time", "≤ 1.1", processes(root, runs)),
            ("lastgood eval, 10,000 cases, lines: wall", "one stub, requests piped in", "≤ 2.5", lines(root, runs)),
            ("lastgood eval, one case: wall", "one process, one git status", "-", alone(root, runs)),
            ("lastgood eval, 10,000 cases: memory", "its own of one case", "-", memory(root)),
        ]
    print(table(rows, runs))


def repository(root: Path, name: str, cases: int, *, lines: bool) -> Path:
    """A repository of one prompt with that many cases, none accepted yet."""
    folder = root / name
    if folder.exists():
        return folder
    expect = {"json": True, "required_keys": ["status", "order_id"], "forbidden": ["as an AI", "I think"]}
    rows = [{"id": f"case-{n}", "input": {"order_id": f"ord_{n}"}, "expect": expect} for n in range(cases)]
    (folder / "prompts").mkdir(parents=True)
    (folder / "golden/status").mkdir(parents=True)
    (folder / "prompts/status.txt").write_text("Answer with the status of an order.\n", encoding="utf-8")
    (folder / "golden/status/suite.json").write_text(json.dumps({"prompt_id": "status", "cases": rows}), "utf-8")
    (folder / "stub.py").write_text(STUB if lines else PROCESS, encoding="utf-8")
    config = CONFIG if lines else CONFIG.replace('protocol = "lines"\n', "")
    (folder / "lastgood.toml").write_text(config, encoding="utf-8")
    run(folder, "git", "init", "-q")
    run(folder, LASTGOOD, "catalog", "ship")
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "-q", "-m", "start")
    return folder


def asking(folder: Path) -> Command:
    return Command([LASTGOOD, "eval", "--all", *JOBS], folder)


def processes(root: Path, runs: int) -> Ratio:
    folder = repository(root, "process", 200, lines=False)
    return compare(asking(folder), floor(folder, TWO_AT_A_TIME, 200), what=WALL, runs=runs)


def lines(root: Path, runs: int) -> Ratio:
    folder = repository(root, "lines", 10_000, lines=True)
    ours = Command([LASTGOOD, "eval", "--all", "-j", "100"], folder)
    return compare(ours, floor(folder, PIPED, 10_000), what=WALL, runs=runs)


def alone(root: Path, runs: int) -> Ratio:
    folder = repository(root, "alone", 1, lines=False)
    both = Command(["sh", "-c", f"git status --porcelain; echo '{{}}' | {sys.executable} -c pass"], folder)
    return compare(asking(folder), both, what=WALL, runs=runs)


def floor(folder: Path, program: str, cases: int) -> Command:
    return Command([sys.executable, "-c", program, str(cases)], folder)


def memory(root: Path) -> Ratio:
    """Largest resident size of `eval` itself: of 10,000 cases to that of one, then in MiB."""
    sizes = [_resident(repository(root, name, 0, lines=True)) for name in ("lines", "alone")]
    print(f"resident: {sizes[0] / 1024:.0f} MiB for 10,000 cases, {sizes[1] / 1024:.0f} MiB for one\n")
    return Ratio((sizes[0] / sizes[1],))


def _resident(folder: Path) -> int:
    """KiB."""
    program = (
        "import resource, sys; from lastgood.cli import main; main(['eval', '--all']);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment(), capture_output=True, text=True, check=True
    )
    return int(done.stderr.splitlines()[-1])


if __name__ == "__main__":
    main()
