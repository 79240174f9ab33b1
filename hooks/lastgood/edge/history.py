"""What git's history still holds of prompts and accepted completions: each commit that touched them, newest first."""

from __future__ import annotations

from lastgood.core.prompt import file_sha256, prompt_sha256
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_MOST_COMMITS = 2000  # looked at; older states count as forgotten
_AT_ONCE = 50  # commits whose files are read by one process


def commits(root: str, paths: Iterable[str]) -> list[str]:
    """Commits of any branch that touched one of these files or folders; none where there is no commit at all."""
    literal = [f":(literal){path}" for path in paths]
    done = git.attempt("rev-list", "--all", "HEAD", f"--max-count={_MOST_COMMITS}", "--", *literal, root=root)
    return [] if done.code else done.out.decode("ascii").split()


# Where the other side of a merge, rebase or cherry-pick is known by, also when no branch names it.
_ENDS = ("HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "FETCH_HEAD", "ORIG_HEAD")


def lines(root: str, path: str) -> list[tuple[str, str]]:
    """(commit, its one line) of a file of one line, for HEAD and then every commit of any side that touched it."""
    how = ("--full-history", "--ignore-missing", f"--max-count={_MOST_COMMITS}")  # also what a merge passed over
    done = git.attempt("rev-list", *how, "--all", *_ENDS, "--", f":(literal){path}", root=root)
    found = ["HEAD", *done.out.decode("ascii").split()][:_MOST_COMMITS]
    blobs = git.try_blobs(root, (f"{commit}:./{path}" for commit in found))
    rows = ((commit, blobs.get(f"{commit}:./{path}", b"")) for commit in found)
    return [(commit, data.decode("utf-8", "replace").strip()) for commit, data in rows if data]


def states(root: str, paths: Sequence[str]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """(commit, path → bytes) of these files, for every commit that touched one; without those it does not have."""
    found = commits(root, paths)
    for start in range(0, len(found), _AT_ONCE):
        some = found[start : start + _AT_ONCE]
        blobs = git.try_blobs(root, (f"{commit}:./{path}" for commit in some for path in paths))
        for commit in some:
            names = ((path, f"{commit}:./{path}") for path in paths)
            yield commit, {path: blobs[name] for path, name in names if name in blobs}


def prompt_state(
    root: str, files: Sequence[str], sha256: str, parts: Mapping[str, str]
) -> tuple[str, dict[str, bytes]] | None:
    """The newest commit in which these files hashed to `sha256`, and what they held; None when no commit tells.

    `parts`: path → the part of it that is the prompt, where that is not all of it.
    """
    for commit, held in states(root, files):
        if len(held) == len(files) and hashes_to(held, sha256, parts):
            return commit, held
    return None


def hashes_to(held: Mapping[str, bytes], sha256: str, parts: Mapping[str, str]) -> bool:
    """Whether files of a commit were the prompt of that hash."""
    try:
        return prompt_sha256({path: file_sha256(path, data, parts) for path, data in held.items()}) == sha256
    except Malformed:  # it had no such part then
        return False


def versions(root: str, paths: Sequence[str]) -> dict[str, list[bytes]]:
    """Path → every content that a commit ever gave it, the newest first."""
    literal = [f":(literal){path}" for path in paths]
    how = (
        "--raw",
        "-z",
        "--no-abbrev",
        "--no-renames",
        "--relative",
        "-m",
        "--format=",
        f"--max-count={_MOST_COMMITS}",
    )
    done = git.attempt("log", "--all", "HEAD", *how, "--", *literal, root=root) if paths else None
    if done is None or done.code:
        return {}
    oids: dict[str, list[str]] = {}
    parts = done.out.decode("utf-8", "surrogateescape").split("\0")
    for meta, path in zip(parts[::2], parts[1::2], strict=False):
        # :100644 100644 <old> <new> M; the line before it may end in a line feed of the empty format
        _, _, old, new, _ = meta.strip().split(" ")
        oids.setdefault(path, []).extend(oid for oid in (new, old) if oid.strip("0"))
    blobs = git.try_blobs(root, dict.fromkeys(oid for found in oids.values() for oid in found))
    return {path: [blobs[oid] for oid in dict.fromkeys(found) if oid in blobs] for path, found in oids.items()}


def folder_at(root: str, commit: str, folder: str) -> dict[str, bytes]:
    """Name → bytes of the files that lie in a folder of one commit, not deeper."""
    out = git.run("ls-tree", "-z", "--full-tree", f"{git.commit_name(commit)}:./{folder.rstrip('/')}", root=root)
    rows = [row.partition("\t") for row in out.decode("utf-8", "surrogateescape").split("\0") if row]
    oids = {name: meta.split(" ")[2] for meta, _, name in rows if meta.split(" ")[1] == "blob"}
    blobs = git.read_blobs(root, oids.values())
    return {name: blobs[oid] for name, oid in oids.items()}
