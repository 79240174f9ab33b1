"""One test an exit code, and which of several wins. Scripts are written against these numbers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from repository import LASTGOOD, Repository

if TYPE_CHECKING:
    from collections.abc import Callable


def say(repo: Repository, prompt: str, words: str) -> None:
    repo.write({f"prompts/{prompt}.txt": f"say: {words}\n"})


def test_0_held(repo: Repository) -> None:
    for command in ("check", "stub", "gate", "eval", "diff", "status", "log"):
        repo.lastgood(command, code=0)


def test_1_broken(repo: Repository) -> None:
    say(repo, "billing", "I think so")
    repo.lastgood("eval", code=1)
    repo.lastgood("diff", code=1)


@pytest.mark.parametrize(
    ("stub", "failure"),
    [
        pytest.param("print('no JSON')", "parse_fail:", id="not parsed"),
        pytest.param("raise SystemExit(3)", "completer_failed:exit 3", id="failed"),
        pytest.param("import os; os.kill(os.getpid(), 9)", "completer_failed:", id="killed"),
        pytest.param("import time; time.sleep(60)", "completer_timeout:", id="hung"),
        pytest.param("import sys; sys.stdout.buffer.write(b'\\xff')", "bad_utf8", id="bad UTF-8"),
    ],
)
def test_1_a_completer_that_cannot_answer(repo: Repository, stub: str, failure: str) -> None:
    config = repo.read("lastgood.toml").replace("timeout_s = 20", "timeout_s = 1")
    repo.write({"stub.py": stub, "lastgood.toml": config})
    done = repo.lastgood("eval", "-p", "support", code=1)
    assert re.search(f"^FAIL late digest=\\S{{12}} {failure}", done.out, re.MULTILINE), done.out
    assert "1 case: 1 FAIL" in done.out


def test_2_out_of_step(repo: Repository) -> None:
    say(repo, "billing", "refunded")
    repo.lastgood("status", code=2)
    repo.git("add", "-A")
    repo.lastgood("check", code=2)
    repo.lastgood("gate", code=2)


def test_3_moved(repo: Repository) -> None:
    say(repo, "billing", "refunded")
    repo.lastgood("eval", code=0)
    repo.lastgood("eval", "--fail-on-diff", code=3)
    repo.lastgood("diff", code=0)
    repo.git("add", "-A")
    repo.lastgood("stub", code=3)


def test_4_cannot_tell(repo: Repository) -> None:
    repo.write({"golden/billing/suite.json": "{"})
    repo.git("add", "-A")
    for command in ("check", "stub", "gate", "eval", "status"):
        repo.lastgood(command, code=4)


# --- several at once ---


def fail(repo: Repository) -> None:
    say(repo, "support", "I think so")


def move(repo: Repository) -> None:
    say(repo, "billing", "refunded")


def blind(repo: Repository) -> None:
    repo.write({"golden/support/late.json": "{"})


@pytest.mark.parametrize(
    ("command", "harms", "code"),
    [
        pytest.param(["eval", "--fail-on-diff"], [move, fail], 1, id="1 over 3"),
        pytest.param(["gate"], [move], 2, id="2 over 3"),
        pytest.param(["gate"], [move, fail], 2, id="2 over 1"),
        pytest.param(["gate"], [move, blind], 4, id="4 over 2"),
        pytest.param(["check"], [move, blind], 4, id="4 over 2 in check"),
        pytest.param(["eval", "--fail-on-diff"], [move, blind], 4, id="4 over 3"),
    ],
)
def test_the_gravest_wins(
    repo: Repository, command: list[str], harms: list[Callable[[Repository], None]], code: int
) -> None:
    for harm in harms:
        harm(repo)
    repo.git("add", "-A")
    repo.lastgood(*command, code=code)


# --- usage ---


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nonsense"],
        ["--nonsense"],
        ["check", "--nonsense"],
        ["check", "extra"],
        ["check", "--format", "yaml"],
        ["check", "--al"],
        ["eval", "-j", "0"],
        ["eval", "-j", "many"],
        ["eval", "--"],
        ["diff", "--", "true"],
        ["catalog"],
        ["catalog", "bump"],
        ["show"],
        ["pair"],
    ],
    ids=lambda words: " ".join(words) or "nothing",
)
def test_a_usage_error_is_4_and_one_sentence(repo: Repository, words: list[str]) -> None:
    done = repo.lastgood(*words, code=4)
    assert done.out == ""
    assert done.err.startswith("lastgood: ")
    assert "--help" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["record", "--help"], ["catalog", "ship", "--help"]])
def test_help_is_0(repo: Repository, words: list[str]) -> None:
    assert repo.lastgood(*words).err == ""


def test_outside_of_a_repository_is_4(repo: Repository) -> None:
    outside = repo.root.parent / "outside"
    outside.mkdir()
    done = repo.lastgood("status", code=4, cwd="../outside", env={"GIT_CEILING_DIRECTORIES": str(repo.root.parent)})
    assert done.err == (
        "lastgood: not a git repository (or any of the parent directories): .git\n"
        "  do   go into a git repository, or git init one\n"
    )


def test_without_git_is_4(repo: Repository) -> None:
    done = repo.lastgood("status", code=4, env={"PATH": "/nowhere"})
    assert done.err.startswith("lastgood: git cannot be started: No such file or directory\n")


def test_without_a_configuration_is_4(repo: Repository) -> None:
    (repo.root / "lastgood.toml").unlink()
    done = repo.lastgood("status", code=4)
    assert done.err.startswith("lastgood: no configuration in the working tree: neither lastgood.toml nor ")


def test_an_unexpected_exception_is_4_not_pythons_1(repo: Repository) -> None:
    broken = repo.root.parent / "broken"
    broken.mkdir()
    harm = "import os\n\ndef broken(*_, **__):\n    raise RuntimeError('never')\n\nos.posix_spawnp = broken\n"
    (broken / "sitecustomize.py").write_text(harm, encoding="utf-8")
    done = repo.lastgood("status", code=4, env={"PYTHONPATH": str(broken)})
    assert "RuntimeError: never" in done.err
    assert done.err.endswith("lastgood: unexpected; this is a fault of lastgood, please report it\n")


# --- Ctrl-C ---


SLOW = """\
    import json, os, sys, time
    request = json.load(sys.stdin)
    if os.environ["LASTGOOD_CASE_ID"] == "two":
        open("started", "w").close()
        time.sleep(60)
    print(json.dumps({"status": "paid", "order_id": request["order_id"]}))
    """


def test_130_interrupted_keeps_what_finished(repo: Repository) -> None:
    repo.write({"stub.py": SLOW, "lastgood.toml": repo.read("lastgood.toml") + "jobs = 1\n"})
    process = subprocess.Popen(
        [LASTGOOD, "eval", "-p", "billing"],
        cwd=repo.root,
        env={**os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    shown = [process.stdout.readline(), process.stdout.readline()]
    assert shown[1].startswith("PASS one ")
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (
        130,
        "",
        "1 of 2 answers are kept; to go on: lastgood eval -p billing -c stub --resume\nlastgood: interrupted\n",
    )
    document = repo.lastgood("diff", "-p", "billing").out
    assert "PASS one" in document
    assert "---- two: not answered by this run" in document


# --- nobody listens ---


@pytest.mark.parametrize("command", ["status", "log", "check", "eval", "diff --format json", "--help"])
def test_a_reader_that_left_gets_no_traceback(pending: Repository, command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [LASTGOOD, *command.split()], cwd=pending.root, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode in (0, 2, 4)


@pytest.mark.parametrize("command", ["status", "log", "check", "eval", "gate", "--help"])
def test_closed_streams_change_no_verdict(pending: Repository, command: str) -> None:
    expected = pending.lastgood(command, code=None).code
    assert pending.run("sh", "-c", f"'{LASTGOOD}' {command} >&-", code=expected).err.count("Traceback") == 0
    pending.run("sh", "-c", f"'{LASTGOOD}' {command} <&- >&- 2>&-", code=expected)


def test_a_full_disk_under_the_output_is_4_and_one_sentence(pending: Repository) -> None:
    if not os.path.exists("/dev/full"):
        return  # only Linux has it
    done = pending.run("sh", "-c", f"'{LASTGOOD}' log > /dev/full", code=4)
    assert done.err == "lastgood: No space left on device\n"


def test_a_locale_that_cannot_write_a_name_changes_no_verdict(repo: Repository) -> None:
    repo.write({"prompts/grün.txt": "x"})
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    assert "golden/grün/suite.json" in repo.lastgood("status", code=2, env=plain).out
    assert "no active case" not in repo.lastgood("eval", "-p", "grün", code=4, env=plain).err  # an argument too
    repo.git("add", "-A")
    assert "prompts/grün.txt: this prompt has no golden cases" in repo.lastgood("check", code=2, env=plain).err
