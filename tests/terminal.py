"""A person at a terminal: the real command on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from repository import Repository

QUESTION = b"[y/N] "
PATIENCE = 60  # seconds
CTRL_C = b"\x03"


def at_terminal(repo: Repository, *command: str, typed: bytes, env: dict[str, str] | None = None) -> tuple[int, str]:
    """(exit code, everything shown) of a command that is answered with `typed` as soon as it asks."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        command,
        cwd=repo.root,
        env={**os.environ, **repo.env, **(env or {})},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=_take_terminal,  # noqa: PLW1509  # there are no threads here
    )
    os.close(theirs)
    shown, answered = b"", False
    while chunk := _read(ours, process, typed if answered and typed == CTRL_C else b""):
        shown += chunk
        if not answered and shown.endswith(QUESTION):
            os.write(ours, typed)
            answered = True
    os.close(ours)
    return process.wait(timeout=60), shown.decode("utf-8").replace("\r\n", "\n")


def _take_terminal() -> None:
    """Ctrl-C is a signal only to a process whose own terminal it was typed at."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(fd: int, process: subprocess.Popen[bytes], again: bytes) -> bytes:
    """What came next. `again` is typed once more where nothing does, as a person would.

    A Ctrl-C between the question and the interpreter's read of the answer is noted, but wakes nobody.
    """
    for _ in range(PATIENCE // 3):
        if select.select([fd], [], [], 3)[0]:
            break
        os.write(fd, again)
    else:
        process.kill()
        raise TimeoutError(f"nothing more came for {PATIENCE} seconds")
    try:
        return os.read(fd, 65536)
    except OSError:  # Linux says EIO when the last process closed its end
        return b""


class Person:
    """Somebody at a terminal of a size, who reads what is shown and then types, as often as it takes."""

    def __init__(self, repo: Repository, *command: str, size: tuple[int, int] = (80, 24), env: dict[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        self.resize(size)
        self.before = termios.tcgetattr(theirs)
        self._theirs = theirs  # kept open, so that its settings can be looked at when the command has ended
        self.process = subprocess.Popen(
            command,
            cwd=repo.root,
            env={**os.environ, **repo.env, **env},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            preexec_fn=_take_terminal,  # noqa: PLW1509  # there are no threads here
        )
        self._waiting = b""

    def resize(self, size: tuple[int, int]) -> None:
        """The window is (columns, rows) now; who runs in it is told by SIGWINCH."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def reads(self, what: str) -> str:
        """Everything shown up to and with `what`, which must come; what is shown after it is read the next time."""
        while what.encode() not in self._waiting:
            if not select.select([self._ours], [], [], PATIENCE)[0]:
                self.process.kill()
                raise TimeoutError(f"{what!r} did not come:\n{self._waiting.decode('utf-8', 'replace')}")
            self._waiting += os.read(self._ours, 65536)
        before, found, self._waiting = self._waiting.partition(what.encode())
        return (before + found).decode("utf-8").replace("\r\n", "\n")

    def types(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def leaves(self) -> tuple[int, str]:
        """(exit code, what was shown after the last that was read), and that the terminal is as it was."""
        code = self.process.wait(timeout=PATIENCE)
        raw = self._waiting
        while select.select([self._ours], [], [], 0)[0]:
            raw += os.read(self._ours, 65536)
        assert termios.tcgetattr(self._theirs) == self.before, "the terminal was left in another state"
        os.close(self._theirs)
        os.close(self._ours)
        return code, raw.decode("utf-8").replace("\r\n", "\n")
