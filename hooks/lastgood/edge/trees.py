"""Trees as git lists them: the index, a commit, and what changed since another."""

from __future__ import annotations

from lastgood.core.config import FILES
from lastgood.core.tree import Tree
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_EMPTY_TREES = (
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",  # of SHA-256 repositories
)
RAW = ("--raw", "-z", "--full-index", "--abbrev=64", "--no-renames", "--relative", "--ignore-submodules=none")


def index_listing(root: str, tops: tuple[str, ...] = (), env: Mapping[str, str] | None = None) -> bytes:
    """The raw listing of what a commit would hold now, by the index that git itself would use.

    Paths are those of the root. With `tops`, only what is below them, and every configuration.
    """
    after = ("--", *(":(literal)" + top for top in tops), *CONFIGURATIONS) if tops else ()
    return _against_empty(root, ("diff-index", "--cached", "--ita-invisible-in-index", *RAW), after, env)


CONFIGURATIONS = tuple(f"*/{name}" for name in FILES)  # pathspecs of the configurations of roots within a root


def restricted(listing: bytes, keep: Callable[[str], bool]) -> bytes:
    """The records of a raw listing whose path is to `keep`."""
    parts = listing.split(b"\0")
    records = zip(parts[:-1:2], parts[1::2], strict=True)
    kept = [meta + b"\0" + path + b"\0" for meta, path in records if keep(path.decode("utf-8", "surrogateescape"))]
    return b"".join(kept)


def commit_listing(root: str, commit: str) -> bytes:
    """The raw listing of the tree of one commit."""
    git.commit_name(commit)
    if git.attempt("rev-parse", "--verify", "--quiet", f"{commit}^{{tree}}", root=root).code:
        raise git.GitError(f"no commit {commit!r} here", fix="git fetch")
    return _against_empty(root, ("diff-tree", "-r", *RAW), (f"{commit}^{{tree}}",), None)


def _against_empty(root: str, before: tuple[str, ...], after: tuple[str, ...], env: Mapping[str, str] | None) -> bytes:
    done = git.attempt(*before, _EMPTY_TREES[0], *after, root=root, env=env)
    if done.code:
        other = git.attempt(*before, _EMPTY_TREES[1], *after, root=root, env=env)
        done = done if other.code else other
    if done.code:
        reason = done.err.splitlines()[-1] if done.err else f"exit {done.code}"
        raise git.GitError(f"git {before[0]} failed: {reason}", fix="git status")
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
    without: tuple[str, ...] = (),
) -> Tree:
    """The tree of a listing, or of the paths that `pick` leaves; its bytes come from git, many at once.

    `without`: folders, each with its slash, that are roots of their own.
    """
    if without:
        entries, unmerged = parse_listing(listing, lambda paths: [p for p in pick(paths) if not p.startswith(without)])
        unmerged = tuple(path for path in unmerged if not path.startswith(without))
    else:
        entries, unmerged = parse_listing(listing, pick)

    def fetch(oids: list[str]) -> dict[str, bytes]:
        return git.read_blobs(root, oids, env)

    return Tree(name, entries, fetch, unmerged, without)


def changed_since(root: str, base: str, tree_ref: str, folders: tuple[str, ...]) -> dict[str, tuple[str, str]] | None:
    """Path → its oids in the merge base of `base` and now ("": gone), for files of `folders` that differ from it.

    `tree_ref` is "" for the index, else a commit. None when `base` does not resolve. Where history is too shallow for
    a merge base, `base` itself stands in for it.
    """
    git.commit_name(base)
    literal = ("--", *(f":(literal){folder}" for folder in folders), *CONFIGURATIONS)
    cached = ("diff-index", "--cached", "--ita-invisible-in-index", *RAW)
    if not tree_ref:
        done = git.attempt(*cached, "--merge-base", base, *literal, root=root)
        if not done.code:
            return both_oids(done.out)
        if any(f"fatal: {reason}" in done.err for reason in _UNKNOWN):
            return None
    elif git.attempt("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}", root=root).code:
        return None
    start = git.attempt("merge-base", base, tree_ref or "HEAD", root=root).out.decode("ascii").strip() or base
    if tree_ref:
        done = git.attempt("diff-tree", "-r", *RAW, f"{start}^{{tree}}", f"{tree_ref}^{{tree}}", *literal, root=root)
    else:
        done = git.attempt(*cached, f"{start}^{{commit}}", *literal, root=root)
    return None if done.code else both_oids(done.out)


_UNKNOWN = ("ambiguous argument", "bad revision", "bad object", "Not a valid object name")


def both_oids(out: bytes) -> dict[str, tuple[str, str]]:
    parts = out.decode("utf-8", "surrogateescape").split("\0")
    found = {}
    for meta, path in zip(parts[::2], parts[1::2], strict=False):
        # :100644 100644 <old> <new> M
        if not meta.startswith(":000000"):
            _, _, old, new, _ = meta.split(" ")
            found[path] = old, new.strip("0") and new
    return found


def changed_since_head(root: str) -> dict[str, bool] | None:
    """Path → whether the index still has it, for what the commit being made changes; None without a commit before."""
    done = git.attempt("diff-index", "--cached", "--ita-invisible-in-index", *RAW, "HEAD", root=root)
    if done.code:
        return None
    parts = done.out.decode("utf-8", "surrogateescape").split("\0")
    return {path: not meta.endswith("D") for meta, path in zip(parts[::2], parts[1::2], strict=False)}
