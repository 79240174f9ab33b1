"""Which folder of a work tree is meant: a root, which is a folder with a configuration. A repository may have several.

Every git command runs in the root and speaks of what is below it, so whoever knows a tree knows paths of its root.
"""

from __future__ import annotations

import os

from lastgood.core.config import FILES, declares
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git
from lastgood.edge.trees import CONFIGURATIONS
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST = 500  # roots of one repository
_NAMED = 3  # roots that an error names
_asked: dict[str, str] = {}  # what --root named in this process
_tops: dict[str, str] = {}  # root → the top of its work tree


def use(folder: str) -> None:
    """Let `folder`, as --root named it, be the root of this process; "" for the nearest one."""
    _asked.clear()
    if folder:
        _asked[""] = folder


def find_root() -> str:
    """The root: what --root named, else the nearest folder at or above the current one that has a configuration.

    Where nothing in the work tree has one, its top: whoever reads the configuration says that there is none.
    LastgoodError where only other folders have one.
    """
    top = find_top()
    root = nearest(top)
    if not root:
        refuse_other(top, on_disk(top))
    return stand(root or top, top)


def find_top() -> str:
    """The top of the work tree that we are in, or that --root lies in."""
    return git.find_top(_asked.get("", ""))


def stand(root: str, top: str) -> str:
    """The root, after git was told to run below the top of the work tree."""
    _tops[root] = top
    git.run_below(top, below=root != top)
    return root


def nearest(top: str) -> str:
    """The root that is meant, as the disk has it; "" where no folder up to the top has a configuration."""
    if _asked:
        folder = os.path.realpath(_asked[""])
        if not os.path.isdir(folder):
            raise LastgoodError("--root names no folder here", path=_asked[""], fix="lastgood --help")
        return folder
    return _upwards(os.getcwd(), top)


def root_of(folder: str) -> str:
    """The nearest root at or above a folder, whatever --root named; the top of its work tree where there is none."""
    if not os.path.isdir(folder):
        raise LastgoodError("there is no such folder", path=folder)
    top = git.find_top(folder)
    return stand(_upwards(os.path.realpath(folder), top) or top, top)


def _upwards(folder: str, top: str) -> str:
    while True:
        if has_configuration(folder):
            return folder
        if folder == top or os.path.dirname(folder) == folder or not folder.startswith(top):
            return ""
        folder = os.path.dirname(folder)


def refuse_other(top: str, known: Iterable[str], fix: str = "") -> None:
    """LastgoodError that names the roots of a repository, where there is any; `fix` instead of the way to one."""
    names = [name for name in known if name]
    if not names:
        return
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    listed = ", ".join(names[:_NAMED]) + more
    where = os.path.relpath(os.path.join(top, names[0]), os.getcwd())
    raise LastgoodError(
        f"no configuration at or above this folder; name one of this repository's roots ({listed})",
        fix=fix or f"lastgood --root {quoted(where)} status",
    )


def has_configuration(folder: str) -> bool:
    """Whether a folder on disk is a root."""
    if os.path.isfile(os.path.join(folder, FILES[0])):
        return True
    path = os.path.join(folder, FILES[1])
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return declares(path, file.read())


def name_of(root: str) -> str:
    """The root from the top of its work tree: "" for the top itself, else `services/a`."""
    top = _tops.get(root, root)
    return "" if root == top else os.path.relpath(root, top)


def on_disk(top: str) -> tuple[str, ...]:
    """The roots of a work tree, tracked or not, by their names from its top."""
    flags = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    done = git.attempt(*flags, "--", *_SPECS, root=top)
    return among(top, os.fsdecode(done.out).split("\0"))


_SPECS = (*FILES, *CONFIGURATIONS)


def among(root: str, paths: Iterable[str]) -> tuple[str, ...]:
    """The roots on disk whose configuration is one of `paths`, by their names from `root`."""
    found = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in FILES}
    return _sorted(folder for folder in found if has_configuration(os.path.join(root, folder)))


def in_listing(root: str, listing: bytes, env: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The folders of a raw listing that hold a configuration, by their names from where it was made."""
    if not any(b"/" + name.encode() + b"\0" in listing or b"\0" + name.encode() + b"\0" in listing for name in FILES):
        return ()
    parts = os.fsdecode(listing).split("\0")
    rows = {path: meta.rsplit(" ", 2)[1] for meta, path in zip(parts[:-1:2], parts[1::2], strict=True)}
    found = {path.rpartition("/")[0] for path in rows if path.rpartition("/")[2] == FILES[0]}
    asked = {path: oid for path, oid in rows.items() if path.rpartition("/")[2] == FILES[1] and oid.strip("0")}
    blobs = git.try_blobs(root, sorted(set(asked.values())), env) if asked else {}
    found |= {path.rpartition("/")[0] for path, oid in asked.items() if declares(path, blobs.get(oid, b""))}
    return _sorted(found)


def _sorted(found: Iterable[str]) -> tuple[str, ...]:
    names = tuple(sorted(found))
    if len(names) > MOST:
        raise LastgoodError(f"{len(names)} roots in one repository: more than {MOST} are not looked at one by one")
    return names


def inner(root: str, listing: bytes, env: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The roots within a root, each with its slash: what lies below them is theirs.

    Its own pyproject.toml is not read for it, so that a repository of one root pays nothing.
    """
    if not any(b"/" + name.encode() + b"\0" in listing for name in FILES):
        return ()
    return tuple(f"{name}/" for name in in_listing(root, listing, env) if name)


def ended(root: str, changed: Mapping[str, tuple[str, str]], names: Iterable[str]) -> dict[str, str]:
    """Folder → its configuration, of the folders that were roots and are none of `names`.

    `changed`: path → (oid before, oid now or "").
    """
    left = set(names)
    rows = {path: old for path, (old, _) in changed.items() if path.rpartition("/")[2] in FILES}
    rows = {path: old for path, old in rows.items() if path.rpartition("/")[0] not in left}
    asked = sorted({old for path, old in rows.items() if not path.endswith(FILES[0])})
    blobs = git.try_blobs(root, asked) if asked else {}
    return {path.rpartition("/")[0]: path for path, old in rows.items() if declares(path, blobs.get(old, b""))}


def left_behind(root: str, commit: str, folders: Iterable[str]) -> dict[str, str]:
    """Folder → one of the files left in its golden/ or baselines/, in the index or in a commit."""
    found = {}
    for folder in folders:
        places = [f"{folder}/golden/", f"{folder}/baselines/"]
        if commit:
            done = git.attempt("ls-tree", "-r", "-z", "--name-only", commit, "--", *places, root=root)
        else:
            done = git.attempt("ls-files", "-z", "--", *(f":(literal){place}" for place in places), root=root)
        if path := os.fsdecode(done.out).partition("\0")[0]:
            found[folder] = path
    return found
