"""What has to be done before this process ends, also when a signal ends it: children killed, scratch removed."""

from __future__ import annotations

import atexit
import os
import signal

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

# What ends a process by default, without a word to anybody.
FATAL = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)

_acts: list[Callable[[], None]] = []
_guards = 0
_displaced: list[signal.Signals] = []


def at_end(act: Callable[[], None]) -> None:
    """`act` is done at the end of this process, the last one given first; under `guard` also where a signal ends it."""
    _acts.append(act)
    atexit.register(act)


def guard() -> None:
    """From here to `unguard` (they nest), a signal that ends this process lets it do its last acts."""
    global _guards  # noqa: PLW0603 - signal handlers belong to the process, so their count does too
    _guards += 1
    if _guards > 1:
        return
    for signum in FATAL:
        if signal.getsignal(signum) is signal.SIG_DFL:
            try:
                signal.signal(signum, _die)
            except ValueError:
                return  # not the main thread: whoever owns it has to see to signals
            _displaced.append(signum)


def unguard() -> None:
    """Takes one `guard` back."""
    global _guards  # noqa: PLW0603 - as above
    _guards -= 1
    if not _guards:
        while _displaced:
            signal.signal(_displaced.pop(), signal.SIG_DFL)


def _die(signum: int, _frame: FrameType | None) -> None:
    for act in reversed(_acts):
        act()
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
