"""The line at the bottom of a terminal that tells how far an evaluation is; in a log, a line every half a minute."""

from __future__ import annotations

import os
import sys
from time import monotonic

from lastgood.core.value import TYPE_CHECKING
from lastgood.report.asked import progress
from lastgood.report.lines import case_line

if TYPE_CHECKING:
    from types import TracebackType

    from lastgood.core.judgement import Judgement

_REDRAW, _LOG = 0.1, 30.0  # seconds between two lines: on a terminal, in a log
_COLUMNS = 80  # where nobody knows
_CLEAR = "\r\x1b[K"


def _columns() -> int:
    """Of the terminal that stderr is: stdout may be a pipe, and says nothing of it."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
    except (OSError, ValueError):
        return _COLUMNS


class Progress:
    """Prints the cases to stdout, and how far things are to stderr."""

    def __init__(self, total: int, resume: str) -> None:
        """`total` answers are awaited; `resume` is the command that goes on after an interrupt."""
        self.total, self.done = total, 0
        self._resume = resume
        self._live = sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
        self._found: dict[str, int] = {}
        self._since = self._drawn = monotonic()
        self._shown = False

    @property
    def seconds(self) -> float:
        """Since it was made."""
        return monotonic() - self._since

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, _exc: object, _trace: TracebackType | None) -> None:
        self._clear()
        if kind is KeyboardInterrupt:
            print(f"{self.done} of {self.total} answers are kept; to go on: {self._resume}", file=sys.stderr)

    def answered(self) -> None:
        """One more answer is in the journal."""
        self.done += 1
        now = monotonic()
        if now - self._drawn >= (_REDRAW if self._live else _LOG) and self.done < self.total:
            self._drawn = now
            self._draw()

    def show(self, judgement: Judgement) -> None:
        """Print a case's line above the progress."""
        self._found[judgement.status] = self._found.get(judgement.status, 0) + 1
        self._clear()
        print(case_line(judgement), flush=True)

    def _draw(self) -> None:
        line = progress(self.done, self.total, self._found, self.seconds)
        if not self._live:
            print(line, file=sys.stderr, flush=True)
            return
        print(f"{_CLEAR}{line[: max(0, _columns() - 1)]}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def _clear(self) -> None:
        if self._shown:
            print(_CLEAR, end="", file=sys.stderr, flush=True)
            self._shown = False
