"""Starts child processes and sees to it that none outlives this one."""

from __future__ import annotations

import os
import signal

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import ending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastgood.edge.completers.command import Command

_DEFERRED = (signal.SIGINT, *ending.FATAL)
# Python ignores these and a child would inherit that: `yes | head` would never end.
_DEFAULTED = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ", "SIGCHLD"))
_IN_FOLDER = 'cd -- "$1" && shift && exec "$@"'

_live: dict[int, int] = {}  # process group → the process that started it
_guards = 0
_ignored_children = False


class Deferred:
    """While inside, signals wait: no interrupt falls between starting a child and knowing of it."""

    def __enter__(self) -> set[int]:
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, _DEFERRED)
        return self._before

    def __exit__(self, *_: object) -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)


def spawn(command: Command, environ: Mapping[str, str], mask: set[int], fds: tuple[int, int, int]) -> int:
    """Starts `command` on three file descriptors in a session of its own; its pid, which is also its group.

    To be called inside `Deferred`, with the signal mask from before. OSError or ValueError when it cannot be started.

    posix_spawn, not subprocess: importing that costs a commit hook half an interpreter start, and it can neither
    start a child while signals wait nor give it back the mask from before. A session, not only a group: without a
    terminal a completer cannot stop to ask for a password.
    """
    executable, argv = command.executable, command.argv
    if command.folder:
        executable, argv = "/bin/sh", ("sh", "-c", _IN_FOLDER, "sh", command.folder, command.executable, *argv[1:])
    # In this order none of the three overwrites one still needed, even where this process was started without stdin.
    actions = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(fds)]
    try:
        pid = os.posix_spawn(
            executable, argv, environ, file_actions=actions, setsid=True, setsigmask=mask, setsigdef=_DEFAULTED
        )
    except NotImplementedError:  # an old libc
        pid = os.posix_spawn(
            executable, argv, environ, file_actions=actions, setpgroup=0, setsigmask=mask, setsigdef=_DEFAULTED
        )
    _live[pid] = os.getpid()
    return pid


def forget(pid: int) -> None:
    """The child was reaped and its group killed."""
    _live.pop(pid, None)


def signal_group(pid: int, signum: int) -> bool:
    """Signals the whole group of a child; False when nobody is left in it."""
    try:
        os.killpg(pid, signum)
    except (ProcessLookupError, PermissionError):  # macOS says EPERM where only a zombie is left
        return False
    return True


def kill_all() -> None:
    """Kills every group that this process started and has not seen end."""
    me = os.getpid()  # a forked copy of this process must leave its parent's children alone
    for pid, owner in tuple(_live.items()):
        if owner == me:
            signal_group(pid, signal.SIGKILL)


ending.at_end(kill_all)  # also for an iterator that nobody closed


def guard() -> None:
    """From here to `unguard` (they nest), a signal that ends this process ends its children first."""
    global _guards, _ignored_children  # noqa: PLW0603 - signal handlers belong to the process, so this does too
    ending.guard()
    _guards += 1
    # Where SIGCHLD is ignored (some CI agents) the kernel reaps, and no exit code can be had.
    if _guards == 1 and signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        except ValueError:
            return  # not the main thread: whoever owns it has to see to signals
        _ignored_children = True


def unguard() -> None:
    """Takes one `guard` back."""
    global _guards, _ignored_children  # noqa: PLW0603 - as above
    ending.unguard()
    _guards -= 1
    if not _guards and _ignored_children:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        _ignored_children = False
