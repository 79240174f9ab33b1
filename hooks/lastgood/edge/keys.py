"""Single keys from a terminal, by termios alone: works over ssh; whole lines where a terminal can do no better."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import tty

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.terminal import is_dumb

if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

RESIZED, LEFT = "resized", ""  # what `Keys.next` says when there was no key: draw again, nobody is there any more
# An arrow sends ESC [ A: its last letter must not be taken for a key.
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O]|$)", re.DOTALL)
_HALF = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|O)?$")
_REST_OF_ESCAPE_S = 0.1


class Keys:
    """A context in which each key is read by itself; the terminal is as it was when it ends, however it ends."""

    def __init__(self) -> None:
        self._fd = sys.stdin.fileno()
        self._by_line = is_dumb(os.environ)
        self._typed = ""
        self._before: Any = None
        self._handlers: dict[int, Any] = {}
        self._bell = (-1, -1)

    def __enter__(self) -> Keys:
        if self._by_line:
            return self
        self._before = termios.tcgetattr(self._fd)
        self._bell = os.pipe()
        for end in self._bell:
            os.set_blocking(end, False)
        for number in (signal.SIGWINCH, signal.SIGCONT):
            self._handlers[number] = signal.signal(number, self._ring)
        for number in (signal.SIGTERM, signal.SIGHUP):
            self._handlers[number] = signal.signal(number, signal.default_int_handler)
        tty.setcbreak(self._fd)
        return self

    def __exit__(self, *_: object) -> None:
        if self._by_line:
            return
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        termios.tcsetattr(self._fd, termios.TCSANOW, self._before)
        for end in self._bell:
            os.close(end)

    def next(self) -> str:
        """The next key; RESIZED when the screen must be drawn again, LEFT at the end of input."""
        if self._by_line:
            try:
                return (input("> ").strip() or "\n")[0]
            except EOFError:
                return LEFT
        while not self._typed:
            ready = select.select([self._fd, self._bell[0]], [], [])[0]
            if self._bell[0] in ready:
                os.read(self._bell[0], 4096)
                tty.setcbreak(self._fd, termios.TCSANOW)  # who was stopped and continued finds the shell's settings
                return RESIZED
            if not self._read():
                return LEFT
        key, self._typed = self._typed[0], self._typed[1:]
        return key

    def _read(self) -> bool:
        chunk = self._chunk()
        typed = chunk
        while chunk and _HALF.search(typed) and select.select([self._fd], [], [], _REST_OF_ESCAPE_S)[0]:
            chunk = self._chunk()
            typed += chunk
        self._typed += _ESCAPE.sub("", _HALF.sub("", typed))
        return bool(chunk)

    def _chunk(self) -> str:
        try:
            return os.read(self._fd, 4096).decode("utf-8", "ignore")
        except OSError:  # the terminal went away
            return ""

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        try:  # noqa: SIM105  # a handler does as little as it can
            os.write(self._bell[1], b"!")
        except BlockingIOError:  # it rings already
            pass
