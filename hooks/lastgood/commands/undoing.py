"""The way back from a record that nobody has committed yet, as one line to type."""

from __future__ import annotations

import os

from lastgood.commands.unstaged import left_out
from lastgood.core.shell import quoted
from lastgood.core.staging import named
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git
from lastgood.edge.worktree import torn_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.report.speller import Speller

_FEW = 5  # new files that are named one by one


def undo(spell: Speller, root: str, files: Iterable[str]) -> str:
    """One line that brings back the files about to be written: by git's index, where that holds them as they are."""
    paths = sorted(files)
    folders = sorted({path.partition("/migrations/")[0].rpartition("/")[0] for path in paths if path.endswith("HEAD")})
    left = left_out(root, [*(f"{folder}/" for folder in folders), *paths])
    torn = _torn(root, paths)
    left = {path: state for path, state in left.items() if path not in torn}
    if left:  # an edit, or a record before this one: the index would take that back too, and `rm` for good
        return f"no undo by git, whose index did not hold: {named(sorted(left), left)}"
    listed = git.run("ls-files", "-z", "--", *(f":(literal){path}" for path in [*folders, *paths]), root=root)
    tracked = set(listed.decode("utf-8", "surrogateescape").split("\0"))
    new = [path for path in paths if path not in tracked]
    fresh = [folder for folder in folders if not any(path.startswith(folder + "/") for path in tracked)]
    lone = [path for path in new if not any(path.startswith(folder + "/") for folder in fresh)]
    back = [path for path in paths if path in tracked]
    if len(back) > _FEW:
        back = [path for path in back if path.startswith("golden/")]
        back += [folder for folder in folders if folder not in fresh]
    again = "-m " * bool(torn)  # puts the conflict back; without it git refuses what is not merged
    steps = [f"git checkout {again}-- {' '.join(map(quoted, back))}"] if back else []
    steps += [f"rm -r {' '.join(map(quoted, fresh))}"] if fresh else []
    if len(lone) > _FEW:
        steps.append(f"git clean -fdq -- {' '.join(quoted(folder) for folder in folders if folder not in fresh)}")
    elif lone:
        steps.append(f"rm {' '.join(map(quoted, lone))}")
    return f"undo, before that: {spell(' && '.join(steps))}"


def _torn(root: str, paths: Iterable[str]) -> set[str]:
    """The files in conflict that still hold its markers: git makes them again."""
    specs = [f":(literal){path}" for path in paths]
    rows = os.fsdecode(git.run("ls-files", "-z", "--unmerged", "--", *specs, root=root)).split("\0")
    unmerged = {row.partition("\t")[2] for row in rows if row}
    return {path for path in unmerged if torn_file(os.path.join(root, path))}
