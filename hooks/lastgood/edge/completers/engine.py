"""Children and the loop that waits for them: deadlines, and the end of a process group. Knows no protocol.

One thread, one poll: importing asyncio alone would cost more than starting an interpreter.
"""

from __future__ import annotations

import os
import select
import signal
from time import monotonic

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers import spawn
from lastgood.edge.completers.pipes import Drain, Feed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lastgood.edge.completers.command import Command

NEVER = float("inf")

_STDERR_KEPT = 16_384  # bytes; far more than is shown, so that a secret in it is not cut in half before it is masked
_GRACE = 0.5  # seconds between SIGTERM and SIGKILL: time for `docker run` to stop its container
_LINGER = 0.5  # seconds that helpers of an exited child (`exec > >(tee log)`) get to finish what they write
_REAP = 5.0  # seconds after SIGKILL before a process that the kernel cannot end is left to it
_TICK, _TICK_AT_EOF = 0.02, 0.001  # seconds between looks at a child where its exit is no event

_RUNNING, _TERMINATED, _KILLED = range(3)


class Loop:
    """Every child of one call. Leaving it kills and reaps what still runs."""

    def __init__(self) -> None:
        self.children: dict[Child, None] = {}
        self.away = 0.0  # seconds that do not count, because nobody was here to read
        self._poll = select.poll()
        self._handlers: dict[int, Callable[[], None]] = {}
        self._touched: dict[Child, None] = {}

    def __enter__(self) -> Loop:
        spawn.guard()
        return self

    def __exit__(self, *_: object) -> None:
        with spawn.Deferred():  # a second Ctrl-C waits; this is over in _GRACE + _REAP at the worst
            for child in tuple(self.children):
                child.stop()
            while self.children:
                self.turn()
            spawn.unguard()

    def now(self) -> float:
        """Seconds on a clock that stands still while the caller is busy."""
        return monotonic() - self.away

    def turn(self) -> tuple[Child, ...]:
        """Waits until something happens; the children that said something, ended, or reached their deadline."""
        self._touched = {}
        now = self.now()
        pause = min((min(child.alarm - now, child.tick) for child in self.children), default=0.0)
        for fd, _ in self._poll.poll(None if pause == NEVER else max(0.0, pause) * 1000):
            handler = self._handlers.get(fd)
            if handler:  # else another handler of this turn has closed it
                handler()
        now = self.now()
        for child in tuple(self.children):
            child.look()
            if child.alarm <= now:
                child.due()
        return tuple(self._touched)

    def touch(self, child: Child) -> None:
        """`turn` is to return it."""
        self._touched[child] = None

    def watch(self, fd: int, events: int, handler: Callable[[], None]) -> None:
        """Calls `handler` in every turn in which `fd` is ready."""
        self._poll.register(fd, events)
        self._handlers[fd] = handler

    def ignore(self, fd: int) -> None:
        """Takes `watch` back."""
        if self._handlers.pop(fd, None):
            self._poll.unregister(fd)

    def close(self, fd: int) -> None:
        """Closes a descriptor, watched or not."""
        self.ignore(fd)
        os.close(fd)


class Child:
    """A process in its own group.

    `output` is what was read and not yet taken, `size` the bytes in it; `stderr` the end of what it complained;
    `status` its exit code (negative for a signal) once it has ended and its group is dead, None before. `deadline`
    is the protocol's to set, on the loop's clock.
    """

    def __init__(self, loop: Loop, command: Command, environ: Mapping[str, str]) -> None:
        """Starts it; OSError or ValueError when it cannot be started."""
        self.loop = loop
        self.output: list[bytes] = []
        self.size = 0
        self.stderr = b""
        self.status: int | None = None
        self.deadline = NEVER
        self._phase = _RUNNING
        self._exit: int | None = None  # the wait status, once it was asked for
        self._exited = False
        self._end_by = NEVER
        with spawn.Deferred() as mask:
            self._start(command, environ, mask)
            loop.children[self] = None

    def _start(self, command: Command, environ: Mapping[str, str], mask: set[int]) -> None:
        pipes: list[int] = []
        try:
            for _ in range(3):
                pipes += os.pipe()
            self.pid = spawn.spawn(command, environ, mask, (pipes[0], pipes[3], pipes[5]))
        except BaseException:
            for fd in pipes:
                os.close(fd)
            raise
        for fd in (pipes[0], pipes[3], pipes[5]):
            os.close(fd)
        self.stdin = Feed(self.loop, pipes[1])
        self._stdout = Drain(self.loop, pipes[2], self._keep, self._after_output)
        self._stderr = Drain(self.loop, pipes[4], self._complain, lambda: None)
        try:
            self._pidfd = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # not Linux, an old kernel, a sandbox, or no descriptor left
            self._pidfd = -1
        else:
            self.loop.watch(self._pidfd, select.POLLIN, self._on_exit)

    @property
    def silent(self) -> bool:
        """It closed stdout: nothing more can come."""
        return self._stdout.ended

    @property
    def alarm(self) -> float:
        """When it needs attention whatever happens."""
        return self._end_by if self._exited or self._phase else self.deadline

    @property
    def tick(self) -> float:
        """Seconds until it has to be looked at."""
        if self._pidfd >= 0 or self._exited:
            return NEVER
        return _TICK_AT_EOF if self.silent else _TICK

    def take(self) -> bytes:
        """What it wrote to stdout since the last time."""
        data = b"".join(self.output)
        self.output, self.size = [], 0
        return data

    def stop(self) -> None:
        """SIGTERM to the group, SIGKILL shortly after. What it writes from here on is not read."""
        if self.status is None and self._exited:
            self._end()
        elif self.status is None and self._phase == _RUNNING:
            self._phase, self._end_by = _TERMINATED, self.loop.now() + _GRACE
            self.stdin.close()
            # Not closed: it would complain of a broken pipe, and of nothing that tells why it was stopped.
            self._stderr.rest()
            self._stdout.ignore()
            self._stderr.ignore()
            spawn.signal_group(self.pid, signal.SIGTERM)

    def due(self) -> None:
        """Its alarm went off."""
        if self._exited or self._phase == _KILLED:
            self._end()
        elif self._phase == _TERMINATED:
            self._phase, self._end_by = _KILLED, self.loop.now() + _REAP
            spawn.signal_group(self.pid, signal.SIGKILL)
        else:
            self.loop.touch(self)

    def look(self) -> None:
        """Has it exited? Asked only where that is no event."""
        if self._pidfd < 0 and not self._exited and self._reap():
            self._on_exit()

    def _keep(self, data: bytes) -> None:
        self.output.append(data)
        self.size += len(data)

    def _complain(self, data: bytes) -> None:
        self.stderr = (self.stderr + data)[-_STDERR_KEPT:]

    def _after_output(self) -> None:
        self.loop.touch(self)
        if self.silent and self._exited:
            self._end()

    def _on_exit(self) -> None:
        if self._pidfd >= 0:
            self.loop.ignore(self._pidfd)
        self._exited = True
        if self._phase == _RUNNING:
            self._stdout.rest()
        if self.silent or self._phase:
            self._end()
        else:
            self._end_by = self.loop.now() + _LINGER

    def _reap(self) -> bool:
        try:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
        except ChildProcessError:  # someone else has waited for it: how it ended is lost, so it did not end well
            pid, status = self.pid, 255 << 8
        if pid:
            self._exit = status
        return bool(pid)

    def _end(self) -> None:
        """The group dies before its leader is reaped: until then no other process can get its number."""
        spawn.signal_group(self.pid, signal.SIGKILL)
        if self._exit is None and not self._reap():
            self._exit = signal.SIGKILL
        spawn.forget(self.pid)
        for drain in (self._stdout, self._stderr):
            if self._phase == _RUNNING:
                drain.rest()
            drain.close()
        self.stdin.close()
        if self._pidfd >= 0:
            self.loop.close(self._pidfd)
            self._pidfd = -1
        assert self._exit is not None
        self.status = os.waitstatus_to_exitcode(self._exit)
        self.loop.children.pop(self, None)
        self.loop.touch(self)
