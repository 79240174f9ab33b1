"""The merge that is being made, or that a commit is: which commits are its sides, and what each of them holds."""

from __future__ import annotations

import os

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git, trees

if TYPE_CHECKING:
    from collections.abc import Iterable

_MERGE_HEAD = "MERGE_HEAD"
_SIDES = ("HEAD", _MERGE_HEAD, "CHERRY_PICK_HEAD", "REBASE_HEAD")  # ours first


def kept_side(root: str, base: str, path: str) -> str:
    """The commit whose migrations stay where only one side's can.

    With the `path` of a migration that one side alone made, it is that side. Without: theirs when others have it
    already, else ours.
    """
    if path:
        return next((side for side in _SIDES if _is_there(root, f"{side}:./{path}")), "HEAD")
    shared = next((name for name in (base, "origin/HEAD") if name and _is_there(root, f"{name}^{{commit}}")), "")
    done = git.attempt("merge-base", "--is-ancestor", _MERGE_HEAD, shared, root=root) if shared else None
    return _MERGE_HEAD if done and not done.code else "HEAD"


def _is_there(root: str, name: str) -> bool:
    return not git.attempt("rev-parse", "--verify", "--quiet", name, root=root).code


def other_sides(root: str, commit: str) -> tuple[str, list[str]]:
    """(our side, the others) of the merge that `commit` is, or "" for the one being made; no others where none is."""
    if not commit:
        path = os.path.join(_git_folder(root), _MERGE_HEAD)
        if os.path.exists(path):
            with open(path, encoding="ascii") as file:
                return "HEAD", file.read().split()
        return "", []
    done = git.attempt("rev-list", "--no-walk", "--parents", commit, root=root)
    names = done.out.decode("ascii").split() if not done.code else []
    return (names[1], names[2:]) if len(names) > 2 else ("", [])


def _git_folder(root: str) -> str:
    """The repository's own folder, without asking git where a hook can do without."""
    path = os.environ.get("GIT_DIR") or os.path.join(root, ".git")
    if not os.path.isdir(path):  # a linked work tree, or a root below the top
        return os.fsdecode(git.run("rev-parse", "--absolute-git-dir", root=root).removesuffix(b"\n"))
    return path


def left_out(root: str, ours: str, side: str, commit: str, folders: Iterable[str]) -> tuple[dict[str, str], set[str]]:
    """(path → oid of what `side` holds and the merged tree does not, or otherwise; what our side removed before)."""
    literal = ("--", *(f":(literal){folder}" for folder in folders))
    merged = ("diff-tree", "-r", *trees.RAW, side, commit) if commit else ("diff-index", "--cached", *trees.RAW, side)
    differing = trees.both_oids(git.run(*merged, *literal, root=root))
    if not any(not new for _, new in differing.values()):
        return {}, set()
    start = git.attempt("merge-base", ours, side, root=root).out.decode("ascii").strip()
    before = git.attempt("diff-tree", "-r", *trees.RAW, start, ours, *literal, root=root) if start else None
    dropped = {path for path, (_, new) in trees.both_oids(before.out).items() if not new} if before else set()
    return {path: old for path, (old, _) in differing.items()}, dropped
