"""A copy is broken, and the original stays as it is, also where the copy borrows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastgood.core.fault import Injected
from lastgood.edge.config import config_on_disk
from lastgood.edge.copied import Copy
from lastgood.edge.worktree import staged
from lastgood.errors import LastgoodError
from repository import Repository, standing


@pytest.fixture
def original(tmp_path: Path) -> Repository:
    repo = standing(tmp_path / "repo")
    repo.write({"node_modules/x/index.js": "1\n"})
    return repo


def copy_of(repo: Repository) -> Copy:
    root = str(repo.root)
    tree, found = staged(root, config_on_disk(root))
    return Copy(root, tree, found, "origin/main")


def test_what_is_injected_is_staged_and_on_disk_and_is_taken_back(original: Repository) -> None:
    copy = copy_of(original)
    copied = Repository(Path(copy.root), init=False)
    before, index = copied.files(), copied.git("ls-files", "-s").out
    copy.inject(
        Injected(
            {"prompts/billing.txt": b"another\n", "golden/billing/suite.json": None, "new.txt": b"new\n"},
            links={"prompts/support.txt": "nowhere"},
            left_out=("stub.py",),
            unmerged=("notes.md",),
        )
    )
    rows = sorted(line[:2] + line[3:] for line in copied.git("status", "--porcelain").out.splitlines())
    assert rows == [
        "??node_modules",
        "??stub.py",
        "A new.txt",
        "D golden/billing/suite.json",
        "D stub.py",
        "M prompts/billing.txt",
        "T prompts/support.txt",
        "UUnotes.md",
    ]
    copy.revert()
    assert (copied.files(), copied.git("ls-files", "-s").out) == (before, index)
    assert copied.git("status", "--porcelain").out == "?? node_modules\n"
    assert original.git("status", "--porcelain").out == "?? node_modules/\n"


def test_nothing_is_written_behind_a_borrowed_folder(original: Repository) -> None:
    copy = copy_of(original)
    with pytest.raises(LastgoodError, match="symbolic link"):
        copy.inject(Injected({"node_modules/x/index.js": b"2\n"}))
    assert original.read("node_modules/x/index.js") == "1\n"


def test_the_base_that_is_configured_is_what_the_copy_stands_on(original: Repository) -> None:
    copy = copy_of(original)
    copied = Repository(Path(copy.root), init=False)
    head, base, other = (copied.git("rev-parse", name).out for name in ("HEAD", "origin/main", "origin/HEAD"))
    assert head == base == other
