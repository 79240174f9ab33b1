"""The tree that `lastgood init` looks at, and the files that it writes."""

from __future__ import annotations

import os
import stat

from lastgood.core.discovery import MOST
from lastgood.core.setup import OURS, interesting
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git, roots
from lastgood.edge.files import write_file
from lastgood.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lastgood.core.setup import Step


def files_of(root: str, *more: str) -> tuple[dict[str, str], dict[str, bytes]]:
    """(path → mode, path → bytes of what matters) of the working tree, without what git ignores.

    Of the root alone, not of roots within it; and of `more`, which lie elsewhere.
    """
    out = git.run("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".", root=root)
    modes: dict[str, str] = {}
    files: dict[str, bytes] = {}
    paths = out.decode("utf-8", "surrogateescape").split("\0")
    inner = tuple(f"{name}/" for name in roots.among(root, paths) if name)
    for path in dict.fromkeys([*(path for path in paths if not path.startswith(inner)), *OURS, *more]):
        where = os.path.join(root, path)
        try:
            found = os.lstat(where)
        except OSError:  # deleted, and still in the index
            continue
        if stat.S_ISLNK(found.st_mode):
            modes[path] = "120000"
        elif stat.S_ISREG(found.st_mode):
            modes[path] = "100644"
            if (interesting(path) or path in more) and found.st_size <= MOST:
                with open(where, "rb") as file:
                    files[path] = file.read()
    return modes, files


def ignored(root: str, steps: Iterable[Step]) -> list[str]:
    """Those of the files, and of the first baseline, that `git add` would pass over."""
    paths = [*(step.path for step in steps), "baselines/stub/prompt/first.json"]
    feed = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    out = git.attempt("check-ignore", "-z", "--stdin", root=root, feed=feed).out.decode("utf-8", "surrogateescape")
    return [path for path in out.split("\0") if path]


def refuse_unwritable(root: str, top: str, steps: Iterable[Step], seen: Mapping[str, bytes]) -> None:
    """Refused where a file would land outside of the repository, or changed since it was read."""
    top = os.path.realpath(top)
    for step in steps:
        where = os.path.join(root, step.path)
        if not os.path.realpath(where).startswith(top + os.sep):
            raise Refused("leads out of the repository: nothing was written", path=step.path)
        if os.path.lexists(where) and (step.path not in seen or not os.path.isfile(where)):
            raise Refused("is there already and was not read: git ignores it, or it is no plain file", path=step.path)
        if step.path in seen:
            with open(where, "rb") as file:
                if file.read() != seen[step.path]:
                    raise Refused("changed meanwhile: nothing was written", path=step.path, fix="lastgood init")


def write(root: str, steps: Iterable[Step]) -> None:
    """Write the files, each whole; the configuration last, so that a stopped init is begun anew."""
    for step in sorted(steps, key=lambda step: step.path == "lastgood.toml"):
        write_file(os.path.join(root, step.path), step.data)
