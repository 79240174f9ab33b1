"""The three ends of pipes that a child hangs on. None of them ever blocks."""

from __future__ import annotations

import os
import select

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from lastgood.edge.completers.engine import Loop

_CHUNK = 65_536  # bytes; what a pipe holds
_DRAIN = 32  # chunks; twice the most that a pipe can be made to hold


class Feed:
    """A child's stdin: takes everything at once, writes it as the child reads."""

    def __init__(self, loop: Loop, fd: int) -> None:
        os.set_blocking(fd, False)
        self._loop, self._fd = loop, fd
        self._waiting = bytearray()
        self._last = self._watched = False

    def send(self, data: bytes, *, last: bool = False) -> None:
        """Queues `data`; closes after it when it is the last. A child that reads nothing is no error."""
        if self._fd >= 0:
            self._last = last
            self._waiting += data
            self._write()

    def close(self) -> None:
        self._waiting.clear()
        if self._fd >= 0:
            self._loop.close(self._fd)
            self._fd = -1

    def _write(self) -> None:
        try:
            while self._waiting:
                del self._waiting[: os.write(self._fd, self._waiting)]
        except BlockingIOError:
            if not self._watched:
                self._watched = True
                self._loop.watch(self._fd, select.POLLOUT, self._write)
            return
        except OSError:  # it closed stdin, as a completer may that knows its answer
            self.close()
            return
        if self._last:
            self.close()
        elif self._watched:
            self._watched = False
            self._loop.ignore(self._fd)


class Drain:
    """A child's stdout or stderr: hands every chunk on as it comes."""

    def __init__(self, loop: Loop, fd: int, keep: Callable[[bytes], None], after: Callable[[], None]) -> None:
        """`keep` is given each chunk; `after` is called once the loop has read one, or the end."""
        os.set_blocking(fd, False)
        self._loop, self._fd = loop, fd
        self._keep, self._after = keep, after
        loop.watch(fd, select.POLLIN, self._on_ready)

    @property
    def ended(self) -> bool:
        """Nothing more can come."""
        return self._fd < 0

    def close(self) -> None:
        if self._fd >= 0:
            self._loop.close(self._fd)
            self._fd = -1

    def ignore(self) -> None:
        """Reads no more, but leaves it open."""
        if self._fd >= 0:
            self._loop.ignore(self._fd)

    def rest(self) -> None:
        """Reads what is there now and waits for nothing."""
        for _ in range(_DRAIN):  # bounded: a process that left the group may write for ever
            if self._fd < 0 or not self._read():
                return

    def _on_ready(self) -> None:
        self._read()
        self._after()

    def _read(self) -> bool:
        try:
            data = os.read(self._fd, _CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._keep(data)
        else:
            self.close()
        return bool(data)
