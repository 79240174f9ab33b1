"""Work done by forks comes back in order, whatever becomes of a fork."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from lastgood.edge.forks import forked, processors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux only")


@pytest.mark.parametrize("forks", [1, 2, 3, 7])
def test_results_are_in_order_and_made_elsewhere(forks: int) -> None:
    found = list(forked(lambda nth: (nth, os.getpid(), "x" * 100_000), 7, forks))
    assert [nth for nth, _, _ in found] == list(range(7))
    assert len({pid for _, pid, _ in found} - {os.getpid()}) == forks


def _dies(nth: int) -> int:
    if nth == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if nth == 4:
        raise RuntimeError("told to nobody")
    return nth


def test_what_a_fork_could_not_do_is_none(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(forked(_dies, 8, 2)) == [0, 1, 2, None, None, None, None, None]
    assert capfd.readouterr() == ("", "")


def test_whoever_stops_asking_leaves_no_process_behind() -> None:
    results = forked(lambda _: "x" * 1_000_000, 1000, 2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_there_is_at_least_one_processor() -> None:
    assert processors() >= 1
