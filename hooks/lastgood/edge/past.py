"""What git remembers of a prompt: the text that a baseline was taken of, and the completions of each migration."""

from __future__ import annotations

import os

from lastgood.core.layout import MIGRATIONS
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git, history

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_MOST_LISTED = 8  # commits whose other files are looked at too: a prompt of several may have had others


def pinned_files(
    root: str,
    wanted: str,
    files: Sequence[str],
    beside: str,
    files_among: Callable[[Iterable[str]], Sequence[str]],
    parts: Mapping[str, str],
) -> dict[str, bytes] | None:
    """Path → bytes of the prompt whose hash is `wanted` (64 hex digits), from the newest commit that held it.

    `files` are the prompt's now and `beside` is a file that was committed with it; `files_among` picks the prompt's own
    from the paths of a commit. None when no commit within reach held it.
    """
    if state := history.prompt_state(root, files, wanted, parts):
        return state[1]
    for commit in history.commits(root, filter(None, [*files, beside]))[:_MOST_LISTED]:
        paths = files_among(_paths(root, commit))
        found = git.try_blobs(root, [f"{commit}:./{path}" for path in paths])
        held = {path: found[name] for path in paths if (name := f"{commit}:./{path}") in found}
        if held and history.hashes_to(held, wanted, parts):
            return held
    return None


def _paths(root: str, commit: str) -> list[str]:
    done = git.attempt("ls-tree", "-r", "-z", "--name-only", commit, root=root)
    return os.fsdecode(done.out).split("\0")[:-1] if not done.code else []


def completions_at(root: str, folder: str, migrations: Iterable[str]) -> dict[str, dict[str, bytes]]:
    """Migration path → (case file → bytes) of the baseline as it was committed with that migration.

    `folder` is the baseline's, with its slash. What was never committed, or together with a later migration, is left
    out: nobody can say any more what that one accepted.
    """
    spec = f":(literal){folder}{MIGRATIONS}"
    flags = ("--diff-filter=A", "--no-renames", "--relative", "--name-only", "-z", "--format=%x01%H")
    done = git.attempt("log", *flags, "--", spec, root=root)
    if done.code:
        return {}
    commit_of: dict[str, str] = {}  # the oldest commit that added it
    for part in os.fsdecode(done.out).split("\x01")[1:]:
        commit, *paths = part.replace("\n", "").split("\0")
        added = sorted(path for path in paths if path)
        commit_of |= dict.fromkeys(added[-1:], commit)  # the last of several is what the baseline was left at
    wanted = {path: commit for path, commit in commit_of.items() if path in set(migrations)}
    oids = {path: _baselines(root, commit, folder) for path, commit in wanted.items()}
    every = sorted({oid for files in oids.values() for oid in files.values()})
    blobs = git.try_blobs(root, every) if every else {}  # a partial clone may lack some
    return {
        path: {name: blobs[oid] for name, oid in files.items()}
        for path, files in oids.items()
        if files and all(oid in blobs for oid in files.values())
    }


def _baselines(root: str, commit: str, folder: str) -> dict[str, str]:
    """Case file → oid of the files right in a baseline's folder, in one commit."""
    done = git.attempt("ls-tree", "-z", commit, "--", folder, root=root)
    rows = (row.partition("\t") for row in os.fsdecode(done.out).split("\0") if row)
    return {path[len(folder) :]: meta.split(" ")[2] for meta, _, path in rows if path.endswith(".json")}
