"""Any executor will do: threads of this process, or a real Dask cluster of which a machine is lost half way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from completer_programs import first_pid, is_gone, program, request
from lastgood.edge.completers.spread import spread, spreading
from repository import LASTGOOD, case, standing, suite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from repository import Repository

ECHO = "import json, sys; print(json.load(sys.stdin)['n'])"


def test_threads_give_one_answer_a_request(tmp_path: Path) -> None:
    asked = [request("same", n=number) for number in range(20)]
    with ThreadPoolExecutor(3) as pool:
        found = list(spread(pool, program(tmp_path, ECHO), asked, cwd=str(tmp_path), jobs=4))
    assert sorted((answer.index, answer.output) for answer in found) == [(n, f"{n}\n") for n in range(20)]


class Counting(ThreadPoolExecutor):
    """Remembers how many tasks it had at once."""

    most = under_way = 0

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        task = super().submit(*args, **kwargs)
        task.add_done_callback(self._done)
        return task

    def _done(self, _task: object) -> None:
        self.under_way -= 1


def test_never_more_than_jobs_are_handed_over(tmp_path: Path) -> None:
    with Counting(8) as pool:
        asker = spreading(pool)
        found = list(
            asker(program(tmp_path, ECHO), [request("a", n=1)] * 9, cwd=str(tmp_path), environ=os.environ, jobs=2)
        )
    assert (len(found), pool.most) == (9, 2)


class Losing(ThreadPoolExecutor):
    """Gives every task up."""

    def submit(self, *_args: Any, **_kwargs: Any) -> Future[Any]:
        task: Future[Any] = Future()
        task.set_exception(RuntimeError("no worker left"))
        return task


def test_a_task_that_is_given_up_fails_its_case_alone(tmp_path: Path) -> None:
    with Losing(1) as pool:
        (answer,) = spread(pool, program(tmp_path, ECHO), [request("a", n=1)], cwd=str(tmp_path), jobs=1)
    assert (answer.output, answer.error) == (None, "completer_failed:lost by the executor")
    assert answer.detail == "RuntimeError: no worker left"


class Broken(ThreadPoolExecutor):
    """Takes one task, and none after it."""

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        task = super().submit(*args, **kwargs)
        self.shutdown(wait=False)
        return task


def test_an_executor_that_takes_nothing_more_fails_what_is_left(tmp_path: Path) -> None:
    asked = [request("a", n=number) for number in range(5)]
    found = list(spread(Broken(2), program(tmp_path, ECHO), asked, cwd=str(tmp_path), jobs=2))
    assert sorted(answer.index for answer in found) == [0, 1, 2, 3, 4]
    assert [answer.index for answer in found if answer.output] == [0]
    assert {answer.error for answer in found if not answer.output} == {"completer_failed:lost by the executor"}


def test_a_caller_that_leaves_early_takes_back_what_has_not_begun(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        asker = spread(pool, program(tmp_path, ECHO), [request("a", n=1)] * 50, cwd=str(tmp_path), jobs=50)
        next(asker)
        asker.close()
        # Leaving the pool waits for what it still has: with fifty, this test would take its time.


# --- a cluster ---


@pytest.fixture
def scheduler_process(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A real scheduler on this machine."""
    if not find_spec("distributed"):
        pytest.skip("distributed is not installed here: pip install 'lastgood[dask]'")
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with dask("scheduler", *words, "--scheduler-file", str(tmp_path / "scheduler.json")) as process:
        yield process
        process.terminate()


@pytest.fixture
def scheduler(tmp_path: Path, scheduler_process: subprocess.Popen[bytes]) -> str:
    """Its address."""
    file = tmp_path / "scheduler.json"
    return str(soon(lambda: json.loads(file.read_text())["address"] if file.exists() else ""))


def dask(what: str, *words: str, cwd: Path | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", what, *words]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def soon(look: Any) -> Any:
    """What `look` finds, as soon as it finds anything."""
    import time

    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        try:
            if found := look():
                return found
        except ValueError:  # a file being written
            pass
        time.sleep(0.02)
    raise TimeoutError


def _known(scheduler: str) -> list[str]:
    """The names of the workers of a cluster."""
    import distributed

    with distributed.Client(scheduler, set_as_default=False) as client:
        found = client.sync(client.scheduler.identity)
        return [worker["name"] for worker in found["workers"].values()]


@contextmanager
def worker(scheduler: str, folder: Path, name: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker that the cluster knows; gone afterwards."""
    words = [scheduler, "--no-nanny", "--nthreads", "1", "--name", name, "--no-dashboard"]
    with dask("worker", *words, "--local-directory", str(folder / name)) as process:
        try:
            soon(lambda: name in _known(scheduler))  # an evaluation that comes first is refused: there is no worker
            yield process
        finally:
            process.kill()


@contextmanager
def evaluating(repo: Repository, scheduler: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """An evaluation by that cluster, under way; gone afterwards, and its pipes are closed."""
    command = [LASTGOOD, "eval", "-p", "billing", "--executor", "dask", "--scheduler", scheduler, *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=repo.root, env={**os.environ}, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


# Tells who asked it what; the case `held` waits to be let go, so that its worker can be lost while it answers.
STUB = """\
    import json, os, sys, time
    request = json.load(sys.stdin)
    name = os.environ["LASTGOOD_CASE_ID"]
    fd = os.open("asked", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(fd, f"{name} {os.getppid()}\\n".encode())
    if name == "held":
        with open("holder.part", "w") as file: print(os.getppid(), file=file)
        os.rename("holder.part", "holder")
        while os.path.exists("hold"): time.sleep(0.01)
    print(json.dumps({"status": "paid", "order_id": request["order_id"]}))
    """


@pytest.fixture
def repo(tmp_path: Path, environment: None) -> Repository:
    repo = standing(tmp_path / "repo")
    names = ["one", "two", "held", *(f"n{number:02d}" for number in range(30))]
    repo.write({"stub.py": STUB, "hold": "", "golden/billing/suite.json": suite("billing", *map(case, names))})
    repo.lastgood("catalog", "ship")
    return repo


def test_a_worker_that_is_killed_costs_only_what_it_had_in_hand(
    tmp_path: Path, repo: Repository, scheduler: str
) -> None:
    with (
        worker(scheduler, tmp_path, "a") as one,
        worker(scheduler, tmp_path, "b") as two,
        evaluating(repo, scheduler, "-j", "4") as process,
    ):
        workers = [one, two]
        holder = first_pid(repo.root / "holder")
        assert holder in [one.pid for one in workers]
        soon(lambda: len((repo.root / "asked").read_text().split("\n")) > 8)
        os.kill(holder, signal.SIGKILL)
        (repo.root / "hold").unlink()
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err
    assert "33 cases: 2 PASS, 31 NEW" in out
    journal = [json.loads(line) for line in repo.read(".lastgood/runs/stub/billing/run.jsonl").splitlines()[1:]]
    assert len({line["id"] for line in journal}) == len(journal) == 33
    asked = [line.split() for line in repo.read("asked").splitlines()]
    times = Counter(name for name, _ in asked)
    assert times["held"] == 2
    assert sum(times.values()) - 33 <= 4  # what was in flight, at most
    assert {int(pid) for _, pid in asked} == {one.pid for one in workers}
    assert all(is_gone(one.pid) for one in workers)


def patience(repo: Repository, seconds: int) -> None:
    """The completer's timeout_s is how long a request waits for a worker, too."""
    repo.write({"lastgood.toml": repo.read("lastgood.toml").replace("timeout_s = 20", f"timeout_s = {seconds}")})


@pytest.mark.parametrize("hangs", [False, True], ids=["worker", "scheduler that hangs"])
def test_a_cluster_without_workers_is_waited_for_and_then_given_up(
    tmp_path: Path, repo: Repository, scheduler: str, scheduler_process: subprocess.Popen[bytes], *, hangs: bool
) -> None:
    patience(repo, 2)
    with (
        worker(scheduler, tmp_path, "a") as only,
        evaluating(repo, scheduler, "-j", "40") as process,
        ExitStack() as afterwards,
    ):
        assert first_pid(repo.root / "holder") == only.pid
        if hangs:
            scheduler_process.send_signal(signal.SIGSTOP)
            afterwards.callback(scheduler_process.send_signal, signal.SIGCONT)
        only.kill()
        out, err = process.communicate(timeout=120)
    assert process.returncode == 4, out + err
    assert "Traceback" not in err
    assert "note: no worker of the cluster is left; waiting up to 2s for one\n" in err
    assert "lastgood: no worker of the cluster for 2s (timeout_s of the completer 'stub'): " in err
    assert f"lastgood eval -p billing -c stub --executor dask --scheduler {scheduler} --resume" in err
    # What was answered stays answered; what was not is asked again, where somebody answers.
    kept = len(repo.read(".lastgood/runs/stub/billing/run.jsonl").splitlines()) - 1
    assert f": {33 - kept} answers are missing, those that came are kept" in err
    (repo.root / "hold").unlink()
    done = repo.lastgood("eval", "-p", "billing", "--resume")
    assert f"({kept} answered already)" in done.out
    assert "33 cases: 2 PASS, 31 NEW" in done.out


def test_a_scheduler_that_is_gone_ends_the_run_and_keeps_it(
    tmp_path: Path, repo: Repository, scheduler: str, scheduler_process: subprocess.Popen[bytes]
) -> None:
    patience(repo, 2)
    with worker(scheduler, tmp_path, "a") as only, evaluating(repo, scheduler, "-j", "40") as process:
        assert first_pid(repo.root / "holder") == only.pid
        scheduler_process.kill()
        only.kill()
        out, err = process.communicate(timeout=120)
    assert process.returncode in (1, 4), out + err
    assert "Traceback" not in err
    (repo.root / "hold").unlink()
    assert "33 cases: 2 PASS, 31 NEW" in repo.lastgood("eval", "-p", "billing", "--resume").out


def test_a_worker_that_comes_in_time_takes_up_what_another_left(
    tmp_path: Path, repo: Repository, scheduler: str
) -> None:
    patience(repo, 90)
    with worker(scheduler, tmp_path, "a") as first, evaluating(repo, scheduler, "-j", "40") as process:
        assert first_pid(repo.root / "holder") == first.pid
        first.kill()
        first.wait(60)
        (repo.root / "hold").unlink()
        with worker(scheduler, tmp_path, "b"):
            out, err = process.communicate(timeout=120)
    assert process.returncode == 0, out + err
    assert "33 cases: 2 PASS, 31 NEW" in out


def test_no_cluster_there_is_a_sentence(repo: Repository) -> None:
    done = repo.lastgood("eval", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1", code=4)
    assert "lastgood: no Dask scheduler answers at tcp://127.0.0.1:1" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("words", [["--executor", "dask"], ["--scheduler", "tcp://127.0.0.1:1"]])
def test_executor_and_scheduler_go_together(repo: Repository, words: list[str]) -> None:
    assert "--executor and --scheduler go together" in repo.lastgood("eval", *words, code=4).err


def test_lines_cannot_be_spread(repo: Repository) -> None:
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + 'protocol = "lines"\n'})
    done = repo.lastgood("eval", "--executor", "dask", "--scheduler", "x", code=4)
    assert "only processes can be spread" in done.err
