"""The working tree as a commit would hold it: git adds it to an index of our own, so filters and ignores are git's."""

from __future__ import annotations

import os

from lastgood.core.merging import has_markers, written_anew
from lastgood.core.scope import roots
from lastgood.core.tree import DISK
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import ending, git, trees
from lastgood.edge.folder import NAME, run_folder
from lastgood.edge.roots import inner
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from lastgood.core.config import Config
    from lastgood.core.tree import Tree

_STALE = 86_400  # seconds


def working_tree(root: str, config: Config) -> Tree:
    """The tree that `git add` of everything lastgood watches would leave in the index; the real index stays as it is.

    New blobs go to an object folder under the run folder, removed when the process ends.
    """
    return staged(root, config)[0]


def staged(root: str, config: Config) -> tuple[Tree, dict[str, str]]:
    """The same, and the environment by which git finds its objects."""
    scratch = scratch_folder(root)
    real_index = git.index_named() or _git_path(root, "index")
    env = {
        "GIT_INDEX_FILE": os.path.join(scratch, "index"),
        "GIT_OBJECT_DIRECTORY": os.path.join(scratch, "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.pathsep.join(_object_folders(root)),
    }
    os.mkdir(env["GIT_OBJECT_DIRECTORY"])
    if os.path.exists(os.path.join(root, real_index)):
        _copy_with_times(os.path.join(root, real_index), env["GIT_INDEX_FILE"])
    specs = [":(literal)" + path for path in roots(config)] or ["."]
    unmerged = git.run("ls-files", "-z", "--unmerged", "--", *specs, root=root, env=env)
    out = git.run("ls-files", "-z", "-m", "-o", "-d", "--exclude-standard", "--", *specs, root=root, env=env)
    conflicts = sorted({os.fsdecode(row.partition(b"\t")[2]) for row in unmerged.split(b"\0") if row})
    # A folder in this list is a repository inside this one: not a file, and never added by git either.
    changed = sorted({path for path in out.split(b"\0") if path and not path.endswith(b"/")})
    if changed:
        feed = b"\0".join(changed) + b"\0"
        git.run("update-index", "-z", "--add", "--remove", "--stdin", root=root, feed=feed, env=env)
    # What recording writes anyway needs nobody to resolve it: without its markers, it is as if it were not there.
    torn = [path for path in conflicts if written_anew(path) and torn_file(os.path.join(root, path))]
    if torn:
        feed = b"".join(os.fsencode(path) + b"\0" for path in torn)
        git.run("update-index", "-z", "--force-remove", "--stdin", root=root, feed=feed, env=env)
    listing = trees.index_listing(root, env=env)
    found = trees.tree(root, DISK, listing, env=env, without=inner(root, listing, env))
    # Adding any other file in conflict would call it resolved, markers and all.
    conflicts = [path for path in conflicts if not written_anew(path) and not path.startswith(found.inner)]
    return found.with_unmerged(tuple(conflicts)), env


def torn_file(path: str) -> bool:
    """Whether git's conflict markers stand in this file on disk."""
    try:
        with open(path, "rb") as file:
            return has_markers(file.read())
    except OSError:  # deleted, which is one way to resolve it
        return False


def scratch_folder(root: str) -> str:
    """A new folder under the run folder, removed when the process ends, also where a signal ends it."""
    import shutil
    import tempfile

    top = run_folder(root, "tmp")
    _sweep(top)
    try:
        folder = tempfile.mkdtemp(dir=top)
    except OSError as exc:
        raise LastgoodError(
            f"the run folder cannot be written: {exc.strerror}", path=top, fix=f"df -h . ; chmod u+rwx {NAME}"
        ) from None
    ending.at_end(lambda: shutil.rmtree(folder, ignore_errors=True))
    ending.guard()  # for the rest of this process
    return folder


def _sweep(top: str) -> None:
    """Remove what a killed process left. Only what is old: another one may be at work with its own."""
    import shutil
    import time

    for name in os.listdir(top):
        path = os.path.join(top, name)
        try:
            old = os.lstat(path).st_mtime < time.time() - _STALE
        except FileNotFoundError:  # whoever it belonged to has just removed it
            continue
        if old:
            shutil.rmtree(path, ignore_errors=True)


def _copy_with_times(source: str, target: str) -> None:
    """With its times: git trusts an entry's stat data only when the index file is newer than the entry."""
    import shutil

    shutil.copy2(source, target)


def _git_path(root: str, name: str) -> str:
    return os.fsdecode(git.run("rev-parse", "--git-path", name, root=root).removesuffix(b"\n"))


def _object_folders(root: str) -> list[str]:
    real = os.environ.get("GIT_OBJECT_DIRECTORY") or _git_path(root, "objects")
    inherited = os.environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "")
    return [os.path.join(os.path.abspath(root), real), *filter(None, inherited.split(os.pathsep))]
