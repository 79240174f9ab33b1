"""Work shared out among forks of this process: results in order, and few of them in memory at a time."""

from __future__ import annotations

import marshal
import os
import signal
import sys

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, BinaryIO

_MOST = 8  # forks: the process that gathers keeps no more of them busy
_SIZE = 8  # bytes that say how long a result is


def processors() -> int:
    """How many forks are worth having; 1 where there is one processor, or where forking is not safe."""
    return min(len(os.sched_getaffinity(0)), _MOST) if sys.platform == "linux" else 1


def forked(work: Callable[[int], Any], count: int, forks: int) -> Iterator[Any]:
    """`work(0)` to `work(count - 1)` in this order, each done by one of the forks; None where that one failed.

    A fork sees everything as it is now. It works ahead no further than a pipe holds. Results are what `marshal` writes.
    """
    readers: list[tuple[int, BinaryIO]] = []
    try:
        for nth in range(forks):
            readers.append(_fork(work, range(nth, count, forks), [reader for _, reader in readers]))
        for number in range(count):
            yield _result(readers[number % forks][1])
    finally:
        for _, reader in readers:
            reader.close()  # whoever still writes is told so, and ends
        for pid, _ in readers:
            os.waitpid(pid, 0)


def _fork(work: Callable[[int], Any], numbers: range, others: list[BinaryIO]) -> tuple[int, BinaryIO]:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, os.fdopen(reading, "rb")
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that gathers
        os.close(reading)
        for other in others:  # held open here, its writer would never be told
            os.close(other.fileno())
        with os.fdopen(writing, "wb") as pipe:
            for number in numbers:
                data = marshal.dumps(work(number))
                pipe.write(len(data).to_bytes(_SIZE, "big") + data)
                pipe.flush()
    finally:
        # Whatever it was, nobody but the process that gathers may speak of it, or clean up what is that process's.
        os._exit(0)


def _result(pipe: BinaryIO) -> Any:
    size = pipe.read(_SIZE)
    if len(size) < _SIZE:
        return None
    data = pipe.read(int.from_bytes(size, "big"))
    return marshal.loads(data) if len(data) == int.from_bytes(size, "big") else None  # noqa: S302  # a fork's own
