"""A person at a terminal: the real command on a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
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
