"""`eval` where things go wrong: killed at any moment, no room, no right to write, completers that misbehave."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from completer_programs import first_pid, is_gone
from pending import configure, run_of
from repository import LASTGOOD, Repository, case, suite
from terminal import Person, at_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JOURNAL = ".lastgood/runs/stub/billing/run.jsonl"

# Answers at once, and writes down what it was asked and who it is.
LOGS = """\
    import json, os, sys
    log = os.open("asked", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    pids = os.open("pids", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(pids, b"%d\\n" % os.getpid())
    for line in sys.stdin:
        request = json.loads(line)
        os.write(log, (request["id"] + "\\n").encode())
        text = json.dumps({"status": "paid", "order_id": request["input"]["order_id"]})
        print(json.dumps({"id": request["id"], "output": text}), flush=True)
    """
KILLS, CASES, JOBS = 50, 1000, 3


def many(repo: Repository, count: int, **settings: object) -> list[str]:
    names = [f"n{number:04d}" for number in range(count)]
    repo.write({"golden/billing/suite.json": suite("billing", *map(case, ["one", "two", *names]))})
    repo.lastgood("catalog", "ship")
    configure(repo, **settings)
    return ["one", "two", *names]


def killed(repo: Repository, *words: str, after: int) -> None:
    """An `eval` that is gone, whatever it was doing, once `after` more answers are in the journal."""
    path = repo.root / JOURNAL
    before = path.stat().st_ino if path.exists() else 0
    process = subprocess.Popen(
        [LASTGOOD, "eval", "-p", "billing", *words],
        cwd=repo.root,
        env={**os.environ},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    start: int | None = None
    while process.poll() is None:
        if not path.exists() or path.stat().st_ino == before:
            continue
        lines = path.read_bytes().count(b"\n")
        start = lines if start is None else start
        if lines >= start + after:
            break
    process.kill()
    assert process.wait(60) == -signal.SIGKILL


def test_killed_at_fifty_moments_nothing_is_lost_and_nothing_asked_twice(repo: Repository) -> None:
    """Each time what was answered stays answered; only what was in flight when it died may be asked again."""
    repo.write({"stub.py": LOGS.replace("text =", "__import__('time').sleep(0.005); text =")})
    names = many(repo, CASES, protocol="lines", jobs=JOBS)
    moments = random.Random(20261201)
    answered: set[str] = set()
    for number in range(KILLS):
        killed(repo, *(["--resume"] if number else []), after=moments.randrange(6))
        found = [line["id"] for line in map(json.loads, repo.read(JOURNAL).split("\n")[1:-1])]
        assert len(found) == len(set(found))
        assert answered <= set(found)
        answered = set(found)
    assert 0 < len(answered) < len(names)
    repo.lastgood("eval", "-p", "billing", "--resume")
    assert sorted(line["id"] for line in run_of(repo)[1:]) == sorted(names)
    times = Counter(repo.read("asked").split())
    assert set(times) == set(names)
    assert sum(times.values()) - len(names) <= KILLS * JOBS
    assert all(is_gone(int(pid)) for pid in repo.read("pids").split())
    assert "stale" not in repo.lastgood("diff", "-p", "billing").out


@pytest.mark.parametrize("torn", [b'{"id": "one", "ver', b'{"id": "one"'], ids=["half a line", "less"])
def test_a_torn_last_line_is_an_answer_that_never_came(repo: Repository, torn: bytes) -> None:
    repo.write({"stub.py": LOGS})
    configure(repo, protocol="lines")
    repo.lastgood("eval", "-p", "billing", "-k", "two")
    with open(repo.root / JOURNAL, "ab") as file:
        file.write(torn)
    repo.lastgood("eval", "-p", "billing")
    assert [line["id"] for line in run_of(repo)[1:]] == ["two", "one"]


# --- no room, no right ---


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[None]:
    """A small file system of its own at `folder`; skips where this user cannot mount one."""
    folder.mkdir(parents=True, exist_ok=True)
    tried = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if tried.returncode:
        pytest.skip(f"no file system can be mounted here: {tried.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


LONG = """\
    import json, sys
    for line in sys.stdin:
        request = json.loads(line)
        text = json.dumps({"status": "paid", "order_id": "x" * 20000})
        print(json.dumps({"id": request["id"], "output": text}), flush=True)
    """


@pytest.mark.skipif(not shutil.which("mount"), reason="no mount")
def test_a_disk_without_room_is_a_sentence_and_what_was_answered_stays(repo: Repository) -> None:
    repo.write({"stub.py": LONG})
    many(repo, 30, protocol="lines")
    shutil.rmtree(repo.root / ".lastgood")
    with mounted(repo.root / ".lastgood", "400k"):
        done = repo.lastgood("eval", "-p", "billing", code=4)
        assert done.err.startswith(
            f"lastgood: {repo.root}/{JOURNAL}: the run cannot be written: No space left on device"
        )
        assert "Traceback" not in done.said
        kept = [line for line in repo.read(JOURNAL).split("\n")[:-1] if line]
        assert len(kept) > 5
        # With room again (another quota, files removed) it goes on from there.
        subprocess.run(["mount", "-o", "remount,size=8m", str(repo.root / ".lastgood")], check=True)
        repo.lastgood("eval", "-p", "billing", "--resume")
        assert run_of(repo)[: len(kept)] == [json.loads(line) for line in kept]
        assert len(run_of(repo)) == 33


@pytest.mark.skipif(not shutil.which("mount"), reason="no mount")
def test_a_run_folder_that_may_not_be_written_is_a_sentence_and_the_run_in_it_stays(repo: Repository) -> None:
    repo.write({"stub.py": LOGS})
    configure(repo, protocol="lines")
    with mounted(repo.root / ".lastgood", "8m"):
        repo.lastgood("eval", "-p", "billing", "-k", "one")
        before = repo.read(JOURNAL)
        subprocess.run(["mount", "-o", "remount,ro", str(repo.root / ".lastgood")], check=True)
        for words in (["eval"], ["eval", "--resume"], ["eval", "--all"]):
            done = repo.lastgood(*words, code=4)
            assert "Read-only file system" in done.err
            assert "Traceback" not in done.said
        assert repo.read(JOURNAL) == before
        assert repo.read("asked").split() == ["one"]


def test_a_file_that_may_not_grow_is_a_sentence(repo: Repository) -> None:
    """Where nothing can be mounted: the limit on the size of a file stands in for a full disk."""
    import resource

    repo.write({"stub.py": LONG})
    many(repo, 30, protocol="lines")
    done = subprocess.run(
        [LASTGOOD, "eval", "-p", "billing"],
        cwd=repo.root,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
        env={**os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "the run cannot be written: File too large" in done.stderr
    kept = len(repo.read(JOURNAL).split("\n")) - 2
    assert 0 < kept < 31
    repo.lastgood("eval", "-p", "billing", "--resume")
    assert len(run_of(repo)) == 33


def test_more_prompts_than_files_may_be_open_are_no_failure(repo: Repository) -> None:
    import resource

    for number in range(60):
        name = f"p{number:02d}"
        repo.write({f"prompts/{name}.txt": "say: paid\n", f"golden/{name}/suite.json": suite(name, case("one"))})
    repo.lastgood("catalog", "ship")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 400:
        pytest.skip(f"this system allows {hard} open files and no more")
    done = subprocess.run(
        [LASTGOOD, "eval"],
        cwd=repo.root,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard)),
        env={**os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "63 cases: 3 PASS, 60 NEW" in done.stdout


# --- completers that misbehave ---


# A completer tells who it is, and leaves a child that holds its pipes and hears no signal but one.
FAMILY = """\
    import json, os, signal, sys, time
    def tell(name):
        with open(name + ".part", "w") as file: print(os.getpid(), file=file)
        os.rename(name + ".part", name)
    tell("child")
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        tell("grandchild")
        time.sleep(600)
    while not os.path.exists("grandchild"): time.sleep(0.01)
    """
ANSWER = """\
    line = sys.stdin.readline()
    asked = json.loads(line)
    def say(id, out=1):
        os.write(out, json.dumps({"id": id, "output": '{"status": "paid", "order_id": "x"}'}).encode() + b"\\n")
    """
HANGS = "time.sleep(600)\n"
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)\n"
FLOODS = "while True: os.write(1, b'x' * 65536)\n"
COMPLAINS = "while True: os.write(2, b'x' * 65536)\n"
SHUTS_STDIN = 'os.close(0); os.write(1, b\'{"status": "paid", "order_id": "x"}\'); os._exit(0)\n'


@pytest.mark.parametrize(
    ("protocol", "act", "said"),
    [
        pytest.param("process", HANGS, "completer_timeout:1s", id="hangs"),
        pytest.param("process", DEAF, "completer_timeout:1s", id="ignores SIGTERM"),
        pytest.param("process", FLOODS, "completer_failed:output over 100000 bytes", id="floods stdout"),
        pytest.param("process", COMPLAINS, "completer_timeout:1s", id="floods stderr"),
        pytest.param("process", SHUTS_STDIN, "", id="closes stdin before reading"),
        pytest.param("process", "os._exit(3)\n", "completer_failed:exit 3", id="leaves its child behind"),
        pytest.param("lines", HANGS, "completer_timeout:1s", id="hangs, lines"),
        pytest.param("lines", DEAF, "completer_timeout:1s", id="ignores SIGTERM, lines"),
        pytest.param("lines", FLOODS, "completer_failed:output over 100000 bytes", id="floods stdout, lines"),
        pytest.param("lines", COMPLAINS, "completer_timeout:1s", id="floods stderr, lines"),
        pytest.param("lines", "os.close(0); " + HANGS, "completer_timeout:1s", id="closes stdin, lines"),
        pytest.param(
            "lines", "say(asked['id']); say(asked['id']); " + HANGS, "completer_failed:answered twice", id="twice"
        ),
        pytest.param("lines", "say('nobody'); " + HANGS, "completer_failed:unknown id", id="an id never asked"),
    ],
)
def test_no_completer_holds_an_eval_up_or_outlives_it(repo: Repository, protocol: str, act: str, said: str) -> None:
    says = ANSWER if "say(" in act else ""
    repo.write({"stub.py": FAMILY + says.removeprefix("    ") + act})
    configure(repo, protocol=protocol, timeout_s=1, max_output_bytes=100_000, jobs=1)
    done = repo.lastgood("eval", "-p", "billing", code=1 if said else 0)
    assert (said or "2 DIFF") in done.out
    assert "Traceback" not in done.said
    assert len(run_of(repo)) == 3
    assert is_gone(first_pid(repo.root / "child"))
    assert is_gone(first_pid(repo.root / "grandchild"))
    assert os.listdir(repo.root / ".lastgood/tmp") == []


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("protocol", ["process", "lines"])
def test_a_signal_takes_the_completers_along(repo: Repository, protocol: str, signum: int) -> None:
    repo.write({"stub.py": FAMILY + DEAF})
    configure(repo, protocol=protocol)
    process = subprocess.Popen([LASTGOOD, "eval", "-k", "one"], cwd=repo.root, env={**os.environ}, stderr=-3, stdout=-3)
    grandchild = first_pid(repo.root / "grandchild")
    process.send_signal(signum)
    assert process.wait(60) in (130, -signum)
    assert is_gone(first_pid(repo.root / "child"))
    assert is_gone(grandchild)
    assert os.listdir(repo.root / ".lastgood/tmp") == []


# --- a person at a terminal ---


def test_a_terminal_shows_how_far_it_is_and_keeps_only_the_lines(repo: Repository) -> None:
    slow = LOGS.replace("text =", "__import__('time').sleep(0.15); text =")
    repo.write({"stub.py": slow})
    configure(repo, protocol="lines")
    code, shown = at_terminal(repo, LASTGOOD, "eval", "-p", "billing", typed=b"", env={"TERM": "xterm"})
    assert code == 0
    assert "1/2 answers, 0 moved, 0 failed, " in shown
    left = [line.rpartition("\x1b[K")[2] for line in shown.split("\n")[:-1]]
    assert [line.split()[0] for line in left] == ["billing:", "PASS", "PASS", "2", "2", "next:"]


def test_a_narrow_terminal_is_measured_where_the_progress_is_drawn(repo: Repository) -> None:
    """Not at stdout, which may be a pipe: a line too long would wrap, and its first half would stay."""
    repo.write({"stub.py": LOGS.replace("text =", "__import__('time').sleep(0.15); text =")})
    configure(repo, protocol="lines")
    piped = f"{LASTGOOD} eval -p billing | cat >shown"
    person = Person(repo, "sh", "-c", piped, size=(20, 24), env={"TERM": "xterm", **repo.env})
    code, drawn = person.leaves()
    assert code == 0
    lines = [line for line in drawn.split("\r\x1b[K") if line]
    assert lines
    assert max(map(len, lines)) < 20
    assert all(line.startswith("1/2 answers, 0 move") for line in lines)


def test_a_terminal_that_can_do_nothing_is_spared_it(repo: Repository) -> None:
    code, shown = at_terminal(repo, LASTGOOD, "eval", typed=b"", env={"TERM": "dumb"})
    assert code == 0
    assert "\x1b" not in shown
