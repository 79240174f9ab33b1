"""The working tree as `git add` would store it, without touching the index."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from lastgood.core.config import Config, DeclaredPrompt
from lastgood.edge.worktree import working_tree
from repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = Config("lastgood.toml", declared=(DeclaredPrompt("agent", ("agent.md",)),))


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "repo")
    made.write({"prompts/a.txt": "a\n", "prompts/b.txt": "b\n", "agent.md": "x\n", "src/main.py": "m\n"})
    made.git("add", "-A")
    made.commit("start")
    return made


def stored(repo: Repository) -> dict[str, bytes]:
    """What the tree holds below what is watched."""
    tree = working_tree(str(repo.root), CONFIG)
    return tree.read(path for path in tree.entries if path.startswith("prompts/") or path == "agent.md")


def added(repo: Repository) -> dict[str, bytes]:
    """What `git add` makes of it."""
    repo.git("add", "-A", "prompts", "agent.md")
    names = repo.git("ls-files", "-z", "prompts", "agent.md").out.split("\0")[:-1]
    return {name: repo.git("cat-file", "blob", f":{name}").out.encode() for name in names}


def test_what_is_committed(repo: Repository) -> None:
    assert stored(repo) == {"prompts/a.txt": b"a\n", "prompts/b.txt": b"b\n", "agent.md": b"x\n"}


def edits(repo: Repository) -> None:
    repo.write({"prompts/a.txt": "edited\n", "prompts/new/c.txt": "new\n", "agent.md": "edited\n"})
    (repo.root / "prompts/b.txt").unlink()


def staged_and_edited_again(repo: Repository) -> None:
    repo.write({"prompts/a.txt": "staged\n"})
    repo.git("add", "-A")
    repo.write({"prompts/a.txt": "edited\n"})


def ignored(repo: Repository) -> None:
    repo.write({".gitignore": "*.tmp\n", "prompts/x.tmp": "ignored\n", "prompts/y.txt": "not\n"})


def crlf(repo: Repository) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write({"prompts/a.txt": b"a\r\nedited\r\n", "prompts/new.txt": b"n\r\n"})


def filtered(repo: Repository) -> None:
    repo.git("config", "filter.up.clean", "tr a-z A-Z")
    repo.write({".gitattributes": "prompts/** filter=up\n", "prompts/a.txt": "edited\n"})


def same_size_same_second(repo: Repository) -> None:
    path = repo.root / "prompts/a.txt"
    times = os.stat(path)
    path.write_bytes(b"z\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def renamed(repo: Repository) -> None:
    repo.git("mv", "prompts/a.txt", "prompts/ü é.txt")


def a_folder_for_a_file(repo: Repository) -> None:
    (repo.root / "prompts/a.txt").unlink()
    repo.write({"prompts/a.txt/inner.txt": "i\n"})


def intent_to_add(repo: Repository) -> None:
    repo.write({"prompts/new.txt": "n\n"})
    repo.git("add", "-N", "prompts/new.txt")


@pytest.mark.parametrize(
    "act",
    [
        edits,
        staged_and_edited_again,
        ignored,
        crlf,
        filtered,
        same_size_same_second,
        renamed,
        a_folder_for_a_file,
        intent_to_add,
    ],
)
def test_it_is_what_git_add_stores(repo: Repository, act: object) -> None:
    assert callable(act)
    act(repo)
    index = (repo.root / ".git/index").read_bytes()
    found = stored(repo)
    assert (repo.root / ".git/index").read_bytes() == index
    assert found == added(repo)


def test_no_object_is_left_in_the_repository(repo: Repository) -> None:
    before = repo.git("count-objects", "-v").out
    repo.write({"prompts/a.txt": "never stored\n"})
    stored(repo)
    assert repo.git("count-objects", "-v").out == before


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "new")
    repo.write({"prompts/a.txt": "a\n"})
    assert stored(repo) == {"prompts/a.txt": b"a\n"}


def test_a_linked_worktree(repo: Repository) -> None:
    repo.git("worktree", "add", "-q", "../linked")
    linked = Repository(repo.root.parent / "linked", init=False)
    linked.write({"prompts/a.txt": "linked\n"})
    assert stored(linked)["prompts/a.txt"] == b"linked\n"
    assert stored(repo)["prompts/a.txt"] == b"a\n"


def test_a_repository_inside_is_not_looked_into(repo: Repository) -> None:
    inner = Repository(repo.root / "prompts/inner")
    inner.write({"x.txt": "x\n"})
    assert "prompts/inner/x.txt" not in stored(repo)


def test_what_is_not_watched_is_not_read(repo: Repository) -> None:
    repo.write({"src/main.py": "edited\n", "src/new.py": "n\n"})
    tree = working_tree(str(repo.root), CONFIG)
    assert "src/new.py" not in tree


def test_what_a_killed_one_left_is_swept_after_a_day_and_what_is_new_stays(repo: Repository) -> None:
    top = repo.root / ".lastgood/tmp"
    for name, days in (("old", 2), ("new", 0)):
        (top / name).mkdir(parents=True)
        (top / name / "index").write_text("x")
        long_ago = (top / name).stat().st_mtime - days * 86_400
        os.utime(top / name, (long_ago, long_ago))
    working_tree(str(repo.root), Config("lastgood.toml"))
    assert {"old", "new"} & set(os.listdir(top)) == {"new"}
