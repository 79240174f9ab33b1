"""The one module that runs git: NUL-separated output, no pager, no shell, the inherited environment.

`subprocess` alone would cost a hook as much as the interpreter's start, so processes are spawned directly.
"""

from __future__ import annotations

import os

from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CHUNK = 1 << 20
_SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ of Linux; `fcntl` itself may not name it
# Object ids must mean what the commit will hold, and reading must never write (index refresh, replaced objects).
# Our own pathspecs say how they are meant, whatever the person's shell says.
_SETTINGS = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",  # what a partial clone lacks is missing: reading opens no socket
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_LITERAL_PATHSPECS": "0",
    "GIT_GLOB_PATHSPECS": "0",
    "GIT_NOGLOB_PATHSPECS": "0",
    "GIT_ICASE_PATHSPECS": "0",
    "LC_ALL": "C",
}


class GitError(LastgoodError):
    """git could not be run, or refused."""


@value(frozen=True)
class Finished:
    """What one git process left: exit code, standard output, standard error."""

    code: int
    out: bytes
    err: str


def attempt(*args: str, root: str = "", feed: bytes = b"", env: Mapping[str, str] | None = None) -> Finished:
    """Run git once, whatever its exit code; GitError only when it cannot be started."""
    command = ["git", *(("-C", root) if root else ()), *args]
    ours_in, theirs_in = _pipe(reading=False)
    ours_out, theirs_out = _pipe(reading=True)
    ours_err, theirs_err = _pipe(reading=True)
    try:
        pid = os.posix_spawnp(
            "git",
            command,
            {**os.environ, **_SETTINGS, **_placed, **(env or {})},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, theirs_in, 0),
                (os.POSIX_SPAWN_DUP2, theirs_out, 1),
                (os.POSIX_SPAWN_DUP2, theirs_err, 2),
            ],
        )
    except OSError as exc:
        for end in (ours_in, ours_out, ours_err):
            os.close(end)
        raise GitError(f"git cannot be started: {exc.strerror}", fix="install git, or put it on PATH") from None
    finally:
        for end in (theirs_in, theirs_out, theirs_err):
            os.close(end)
    out, err = _pump(ours_in, feed, ours_out, ours_err)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return Finished(status, out, err.decode("utf-8", "replace").strip())


def run(*args: str, root: str = "", feed: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
    """Run git once and return its output; GitError when it fails."""
    done = attempt(*args, root=root, feed=feed, env=env)
    if done.code:
        last = done.err.splitlines()[-1] if done.err else f"exit {done.code}"
        raise GitError(f"git {args[0]} failed: {last}", fix="git status")
    return done.out


def _pipe(*, reading: bool) -> tuple[int, int]:
    """(our end, the child's end) of a pipe, as wide as a listing where the system lets us."""
    reader, writer = os.pipe()
    if reading:
        import fcntl

        try:  # noqa: SIM105  # contextlib costs a hook a quarter of the interpreter's start
            fcntl.fcntl(reader, _SET_PIPE_SIZE, _CHUNK)
        except OSError:  # another system, or too many wide pipes: narrower only means slower
            pass
    return (reader, writer) if reading else (writer, reader)


def _pump(feed_fd: int, feed: bytes, out_fd: int, err_fd: int) -> tuple[bytes, bytes]:
    """Write one pipe and read two at once, so that no side ever waits for a full pipe."""
    import select

    os.set_blocking(feed_fd, False)
    rest = memoryview(feed)
    found: dict[int, list[bytes]] = {out_fd: [], err_fd: []}
    poll = select.poll()
    for fd in found:
        poll.register(fd, select.POLLIN)
    if rest:
        poll.register(feed_fd, select.POLLOUT)
    else:
        os.close(feed_fd)
    left = set(found)
    while left:
        for fd, _ in poll.poll():
            if fd in left:
                chunk = os.read(fd, _CHUNK)
                found[fd].append(chunk)
                if not chunk:
                    poll.unregister(fd)
                    os.close(fd)
                    left.discard(fd)
                continue
            rest = _feed(feed_fd, rest)
            if not rest:
                poll.unregister(feed_fd)
                os.close(feed_fd)
    return b"".join(found[out_fd]), b"".join(found[err_fd])


def _feed(fd: int, rest: memoryview) -> memoryview:
    try:
        return rest[os.write(fd, rest[:_CHUNK]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:  # git stopped listening; its exit code says why
        return rest[:0]


def find_top(start: str = "") -> str:
    """The top of the work tree of a folder (default: the current one); a folder that holds `.git` is one."""
    if "GIT_WORK_TREE" not in os.environ:
        here = folder = os.path.realpath(start) if start else os.getcwd()
        asks = any(name in os.environ for name in ("GIT_DIR", "GIT_CEILING_DIRECTORIES"))
        while True:
            marked = os.path.isfile(os.path.join(folder, ".git")) or os.path.lexists(os.path.join(folder, ".git/HEAD"))
            if marked and (folder == here or not asks or _is_its_own(folder)):
                return folder
            if os.path.dirname(folder) == folder:
                break
            folder = os.path.dirname(folder)
    done = attempt("rev-parse", "--show-toplevel")
    root = os.fsdecode(done.out.removesuffix(b"\n"))
    if done.code or not root:
        reason = done.err.splitlines()[-1].removeprefix("fatal: ") if done.err else "no work tree here"
        raise GitError(reason, fix="go into a git repository, or git init one")
    return root


def _is_its_own(folder: str) -> bool:
    """Whether the `.git` of a folder is the repository that the environment names: of a hook, run in a sub-folder."""
    wanted = os.environ.get("GIT_DIR", "")
    place = os.path.join(folder, ".git")
    if not wanted:
        return False
    if os.path.isfile(place):
        with open(place, "rb") as file:
            place = os.path.join(folder, os.fsdecode(file.read(4096)).removeprefix("gitdir:").strip())
    return os.path.realpath(place) in (os.path.realpath(wanted), os.path.realpath(os.path.join(folder, wanted)))


_placed: dict[str, str] = {}  # what git is told besides, where it runs below the top of the work tree


def run_below(top: str, *, below: bool) -> None:
    """Let what a hook's environment says mean the same in a folder below the top as it does at the top."""
    _placed.clear()
    if not below:
        return
    named = os.environ.get("GIT_DIR")
    if named:  # else git would take the folder it runs in for the whole work tree
        _placed["GIT_DIR"] = next(filter(os.path.exists, (os.path.join(top, named), os.path.abspath(named))), named)
    if named or "GIT_WORK_TREE" in os.environ:
        _placed["GIT_WORK_TREE"] = top
    if index := os.environ.get("GIT_INDEX_FILE"):
        _placed["GIT_INDEX_FILE"] = os.path.join(top, index)


def index_named() -> str:
    """The index file that the environment names, as it is to be found from everywhere; "" for git's own."""
    return _placed.get("GIT_INDEX_FILE") or os.environ.get("GIT_INDEX_FILE", "")


def commit_name(name: str) -> str:
    """The name of a commit, as it is; GitError when git could take it for an option, or for several commits."""
    if name.startswith(("-", "^")) or ".." in name or not name.isprintable():
        raise GitError(f"{name!r} does not name one commit", fix="git branch --all")
    return name


def read_blobs(root: str, names: Iterable[str], env: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """Name → bytes of many objects by one `cat-file --batch`; GitError when one is missing."""
    wanted = list(names)
    found = try_blobs(root, wanted, env)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise GitError(f"git has no object {missing[0]}", fix="git fetch")
    return found


def try_blobs(root: str, names: Iterable[str], env: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """Like `read_blobs`, without those that do not exist. Names may be any that git resolves: `HEAD:path`."""
    wanted = list(names)
    # Without -z (git 2.38) a name cannot hold a line feed; such a file is asked for by its oid instead.
    askable = [name for name in wanted if "\n" not in name]
    feed = "".join(name + "\n" for name in askable).encode("utf-8", "surrogateescape")
    out = run("cat-file", "--batch", root=root, feed=feed, env=env)
    found: dict[str, bytes] = {}
    position = 0
    for name in askable:
        end = out.index(b"\n", position)
        header = out[position:end]
        position = end + 1
        if header.endswith((b" missing", b" ambiguous")):
            continue
        size = int(header.rpartition(b" ")[2])
        found[name] = out[position : position + size]
        position += size + 1
    return found
