"""The one module that runs git: NUL-separated output, no pager, no shell, the inherited environment.

`subprocess` alone would cost a hook as much as the interpreter's start, so processes are spawned directly.
"""

from __future__ import annotations

import os

from lastgood.core.tree import Tree
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_CHUNK = 1 << 20
_SET_PIPE_SIZE = 1031  # F_SETPIPE_SZ of Linux; `fcntl` itself may not name it
# Object ids must mean what the commit will hold, and reading must never write (index refresh, replaced objects).
_SETTINGS = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C"}
_EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",  # of SHA-256 repositories
)
_RAW = ("--raw", "-z", "--full-index", "--abbrev=64", "--no-renames", "--no-relative", "--ignore-submodules=none")


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
            {**os.environ, **_SETTINGS, **(env or {})},
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


def find_root() -> str:
    """The top of the work tree; the current folder when it holds `.git`, which a hook's always does."""
    if os.path.lexists(".git") and "GIT_WORK_TREE" not in os.environ:
        return os.getcwd()
    done = attempt("rev-parse", "--show-toplevel")
    root = os.fsdecode(done.out.removesuffix(b"\n"))
    if done.code or not root:
        reason = done.err.splitlines()[-1].removeprefix("fatal: ") if done.err else "no work tree here"
        raise GitError(reason, fix="run lastgood inside a git repository")
    return root


def index_listing(root: str, tops: tuple[str, ...] = (), env: Mapping[str, str] | None = None) -> bytes:
    """The raw listing of what a commit would hold now, by the index that git itself would use; below `tops` only."""
    after = ("--", *(":(top,literal)" + top for top in tops)) if tops else ()
    return _against_empty(root, ("diff-index", "--cached", "--ita-invisible-in-index", *_RAW), after, env)


def restricted(listing: bytes, keep: Callable[[str], bool]) -> bytes:
    """The records of a raw listing whose path is to `keep`."""
    parts = listing.split(b"\0")
    records = zip(parts[:-1:2], parts[1::2], strict=True)
    kept = [meta + b"\0" + path + b"\0" for meta, path in records if keep(path.decode("utf-8", "surrogateescape"))]
    return b"".join(kept)


def commit_listing(root: str, commit: str) -> bytes:
    """The raw listing of the tree of one commit."""
    if attempt("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", root=root).code:
        raise GitError(f"no commit {commit!r} here", fix="git fetch")
    return _against_empty(root, ("diff-tree", "-r", *_RAW), (f"{commit}^{{tree}}",), None)


def _against_empty(root: str, before: tuple[str, ...], after: tuple[str, ...], env: Mapping[str, str] | None) -> bytes:
    done = attempt(*before, _EMPTY_TREES[0], *after, root=root, env=env)
    if done.code:
        other = attempt(*before, _EMPTY_TREES[1], *after, root=root, env=env)
        done = done if other.code else other
    if done.code:
        reason = done.err.splitlines()[-1] if done.err else f"exit {done.code}"
        raise GitError(f"git {before[0]} failed: {reason}", fix="git status")
    return done.out


def parse_listing(
    listing: bytes, pick: Callable[[list[str]], list[str]] = list
) -> tuple[dict[str, tuple[str, str]], tuple[str, ...]]:
    """(path → (mode, oid), unmerged paths) of a raw listing against the empty tree; of the paths that `pick` leaves."""
    parts = listing.decode("utf-8", "surrogateescape").split("\0")
    paths = parts[1::2]
    metas = dict(zip(paths, parts[::2], strict=False))
    unmerged = tuple(path for path, meta in metas.items() if meta.endswith("U")) if b" U\0" in listing else ()
    # :000000 100644 0000… <oid> A
    found = ((path, metas[path]) for path in pick(paths) if path not in unmerged)
    return {path: (meta[8:14], meta[-2 - (len(meta) - 18) // 2 : -2]) for path, meta in found}, unmerged


def changed_paths(old: bytes, new: bytes) -> dict[str, bool]:
    """Path → whether the new listing has it, for paths whose mode or oid differs between two raw listings."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    # A path never holds NUL, so every record but the first begins behind "\0:", and nothing else does.
    start = max(0, old.rfind(b"\0:", 0, start + 1))
    records = []
    for listing in (old, new):
        stop = listing.find(b"\0:", len(listing) - end)
        records.append(set(listing[start : stop if stop >= 0 else len(listing)].split(b"\0:")))
    before, after = records
    found = {record: record in after for record in before ^ after if b"\0" in record.rstrip(b"\0")}
    changed: dict[str, bool] = {}
    for record, present in found.items():
        path = record.rstrip(b"\0").rpartition(b"\0")[2].decode("utf-8", "surrogateescape")
        changed[path] = present or changed.get(path, False)
    return changed


def _common(old: bytes, new: bytes) -> int:
    """The length of the common beginning."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def tree(
    root: str,
    name: str,
    listing: bytes,
    *,
    env: Mapping[str, str] | None = None,
    pick: Callable[[list[str]], list[str]] = list,
) -> Tree:
    """The tree of a listing, or of the paths that `pick` leaves; its bytes come from git, many at once."""
    entries, unmerged = parse_listing(listing, pick)

    def fetch(oids: list[str]) -> dict[str, bytes]:
        return read_blobs(root, oids, env)

    return Tree(name, entries, fetch, unmerged)


def read_blobs(root: str, names: Iterable[str], env: Mapping[str, str] | None = None) -> dict[str, bytes]:
    """Name → bytes of many objects by one `cat-file --batch`; GitError when one is missing."""
    wanted = list(names)
    found = try_blobs(root, wanted, env)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise GitError(f"git has no object {missing[0]}", fix="git fsck, or git fetch")
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


def changed_since(root: str, base: str, tree_ref: str, folders: tuple[str, ...]) -> dict[str, str] | None:
    """Path → its oid in the merge base of `base`, for files of `folders` that differ from it.

    `tree_ref` is "" for the index, else a commit. None when `base` does not resolve. Where history is too shallow for
    a merge base, `base` itself stands in for it.
    """
    literal = ("--", *folders)
    cached = ("diff-index", "--cached", "--ita-invisible-in-index", *_RAW)
    if not tree_ref:
        done = attempt(*cached, "--merge-base", base, *literal, root=root)
        if not done.code:
            return _old_oids(done.out)
        if any(f"fatal: {reason}" in done.err for reason in _UNKNOWN):
            return None
    elif attempt("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}", root=root).code:
        return None
    start = attempt("merge-base", base, tree_ref or "HEAD", root=root).out.decode("ascii").strip() or base
    if tree_ref:
        done = attempt("diff-tree", "-r", *_RAW, f"{start}^{{tree}}", f"{tree_ref}^{{tree}}", *literal, root=root)
    else:
        done = attempt(*cached, f"{start}^{{commit}}", *literal, root=root)
    return None if done.code else _old_oids(done.out)


_UNKNOWN = ("ambiguous argument", "bad revision", "bad object", "Not a valid object name")


def _old_oids(out: bytes) -> dict[str, str]:
    parts = out.decode("utf-8", "surrogateescape").split("\0")
    changes = zip(parts[::2], parts[1::2], strict=False)
    # :100644 100644 <old> <new> M
    return {path: meta.split(" ")[2] for meta, path in changes if not meta.startswith(":000000")}


def changed_since_head(root: str) -> dict[str, bool] | None:
    """Path → whether the index still has it, for what the commit being made changes; None without a commit before."""
    done = attempt("diff-index", "--cached", "--ita-invisible-in-index", *_RAW, "HEAD", root=root)
    if done.code:
        return None
    parts = done.out.decode("utf-8", "surrogateescape").split("\0")
    return {path: not meta.endswith("D") for meta, path in zip(parts[::2], parts[1::2], strict=False)}
