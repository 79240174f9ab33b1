"""Nothing that a completer started outlives the call: not after a timeout, an interrupt, or a caller that left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from completer_programs import all_answers, first_pid, is_gone, outcomes, program, request
from lastgood.edge.completers import ask

if TYPE_CHECKING:
    from pathlib import Path

    from lastgood.core.config import Completer

# A completer that leaves two processes in its group: itself, and a child that holds its stdout and stderr.
FAMILY = """
    import os, signal, sys, time
    {before}
    def tell(name):
        with open(name + ".part", "w") as file: print(os.getpid(), file=file)
        os.rename(name + ".part", name)
    tell("child")
    if os.fork() == 0:
        tell("grandchild")
        time.sleep(600)
    while not os.path.exists("grandchild"): time.sleep(0.01)
    {after}
"""
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGHUP, signal.SIG_IGN)"
HANG = "time.sleep(600)"
LEAVE = "os.write(1, b'paid'); os._exit(0)"
PROTOCOLS = ["process", "lines"]


@pytest.fixture(params=["pidfd", "polling"], autouse=True)
def how_exits_are_seen(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test also as on a system without process descriptors."""
    if request.param == "polling":
        monkeypatch.delattr(os, "pidfd_open", raising=False)


def family(folder: Path, *, before: str = "", after: str = HANG, protocol: str = "process", **more: float) -> Completer:
    return program(folder, FAMILY.format(before=before, after=after), protocol=protocol, **more)


def are_gone(folder: Path) -> bool:
    return all(is_gone(first_pid(folder / name)) for name in ("child", "grandchild"))


@pytest.mark.parametrize("before", ["", DEAF], ids=["polite", "ignores SIGTERM"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_timeout_ends_the_whole_group(tmp_path: Path, protocol: str, before: str) -> None:
    completer = family(tmp_path, before=before, protocol=protocol, timeout_s=1.0)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["completer_timeout:1s"]
    assert are_gone(tmp_path)


def test_a_stopped_process_ends_too(tmp_path: Path) -> None:
    completer = family(tmp_path, after="os.kill(os.getpid(), signal.SIGSTOP)", timeout_s=1.0)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["completer_timeout:1s"]
    assert are_gone(tmp_path)


def test_a_background_process_that_holds_stdout_holds_nobody_up(tmp_path: Path) -> None:
    completer = family(tmp_path, after=LEAVE)
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["paid"]
    assert are_gone(tmp_path)


def test_a_background_process_without_pipes_ends_with_its_completer(tmp_path: Path) -> None:
    completer = family(
        tmp_path, before="os.dup2(os.open('/dev/null', os.O_RDWR), 2)", after="print('paid'); os._exit(3)"
    )
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["completer_failed:exit 3"]
    assert are_gone(tmp_path)


def test_a_helper_gets_to_finish_what_it_writes(tmp_path: Path) -> None:
    """As under `exec > >(tee log)`, where the shell ends before the helper that holds stdout."""
    source = """
        import os, time
        parent = os.getpid()
        if os.fork() == 0:
            while os.getppid() == parent: time.sleep(0.01)
            os.write(1, b"paid")
        os._exit(0)
    """
    assert outcomes(all_answers(program(tmp_path, source), ["a"], tmp_path)) == ["paid"]


def test_a_process_that_left_the_group_and_holds_stdout_holds_nobody_up(tmp_path: Path) -> None:
    completer = program(
        tmp_path, dedent(FAMILY).replace("== 0:", "== 0:\n    os.setsid()").format(before="", after=LEAVE)
    )
    try:
        assert outcomes(all_answers(completer, ["a"], tmp_path)) == ["paid"]
    finally:
        os.kill(first_pid(tmp_path / "grandchild"), signal.SIGKILL)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_caller_that_leaves_early_leaves_nobody_behind(tmp_path: Path, protocol: str) -> None:
    source = """
        import json, os, sys
        asked = json.loads(sys.stdin.readline())
        if asked.get("n", asked.get("input", {}).get("n")) == 0:
            print(json.dumps({"id": asked["id"], "output": ""}) if "id" in asked else "", flush=True)
            if "id" not in asked: sys.exit()
    """
    completer = program(tmp_path, dedent(source) + dedent(FAMILY).format(before=DEAF, after=HANG), protocol=protocol)
    asked = [request("quick", n=0), request("hangs", n=1)]
    with closing(ask(completer, asked, cwd=str(tmp_path), environ=os.environ, jobs=2)) as answers:
        assert next(answers).output is not None
        first_pid(tmp_path / "grandchild")
    assert are_gone(tmp_path)


# Signals that end this process. The driver is a program of its own, so that they can end it.

DRIVER = """
import os, signal, sys
from lastgood.core.config import Completer
from lastgood.edge.completers import Request, ask
protocol, script, *ignored = sys.argv[1:]
for name in ignored:
    signal.signal(getattr(signal, name), signal.SIG_IGN)
if os.environ.get("WITHOUT_PIDFD"):
    del os.pidfd_open
completer = Completer("c", ("python3", script), protocol=protocol)
for answer in ask(completer, [Request("a", "p", {}, "", "")], cwd=".", environ=os.environ):
    print(answer)
"""


def driver(folder: Path, protocol: str, *ignored: str) -> subprocess.Popen[bytes]:
    """Lastgood as a process that waits for a completer that hangs."""
    script = family(folder, before=DEAF).command[1]
    environ = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    if not hasattr(os, "pidfd_open"):
        environ["WITHOUT_PIDFD"] = "1"
    arguments = [sys.executable, "-c", DRIVER, protocol, script, *ignored]
    process = subprocess.Popen(arguments, cwd=folder, env=environ, stderr=subprocess.DEVNULL)
    assert first_pid(folder / "grandchild")
    return process


@pytest.mark.parametrize("signum", ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_signal_that_ends_lastgood_ends_its_completers(tmp_path: Path, protocol: str, signum: str) -> None:
    with driver(tmp_path, protocol) as process:
        process.send_signal(getattr(signal, signum))
        assert process.wait(20) == -getattr(signal, signum)
    assert are_gone(tmp_path)


def test_a_second_interrupt_does_not_leave_the_work_half_done(tmp_path: Path) -> None:
    with driver(tmp_path, "process") as process:
        for _ in range(20):
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT
    assert are_gone(tmp_path)


def test_a_hangup_that_was_to_be_ignored_is(tmp_path: Path) -> None:
    """Under nohup the run goes on."""
    with driver(tmp_path, "process", "SIGHUP") as process:
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)
        process.terminate()
    assert are_gone(tmp_path)


def test_signals_are_handled_as_before_once_the_call_is_over(tmp_path: Path) -> None:
    watched = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD, signal.SIGINT)
    before = [signal.getsignal(signum) for signum in watched], signal.pthread_sigmask(signal.SIG_BLOCK, ())
    all_answers(program(tmp_path, "print('paid')"), ["a"], tmp_path)
    assert ([signal.getsignal(signum) for signum in watched], signal.pthread_sigmask(signal.SIG_BLOCK, ())) == before


def test_exit_codes_are_had_where_sigchld_is_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        found = outcomes(all_answers(program(tmp_path, "import sys; sys.exit(3)"), ["a"], tmp_path))
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert found == ["completer_failed:exit 3"]


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    before = set(os.listdir("/dev/fd"))
    all_answers(family(tmp_path, timeout_s=0.5), ["a", "b"], tmp_path)
    all_answers(program(tmp_path, "import sys; sys.exit(1)", protocol="lines"), ["a", "b"], tmp_path)
    assert set(os.listdir("/dev/fd")) == before
