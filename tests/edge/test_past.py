"""What git remembers of a prompt, with real git."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from lastgood.edge.past import completions_at, pinned_files
from repository import Repository

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def of_several(files: dict[str, str]) -> str:
    return sha256("".join(f"{sha256(text)}  {path}\n" for path, text in sorted(files.items())))


def no_other(paths: Iterable[str]) -> Sequence[str]:
    return ()


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    found = Repository(tmp_path / "repo")
    for text in ("one\n", "two\n", "three\n"):
        found.write({"prompts/a.txt": text})
        found.git("add", "-A")
        found.commit(text.strip())
    return found


def pinned(repo: Repository, wanted: str, *files: str) -> dict[str, bytes] | None:
    return pinned_files(str(repo.root), wanted, files or ("prompts/a.txt",), "", no_other, {})


@pytest.mark.parametrize("text", ["one\n", "two\n", "three\n"])
def test_a_text_of_any_commit_is_found(repo: Repository, text: str) -> None:
    assert pinned(repo, sha256(text)) == {"prompts/a.txt": text.encode()}


def test_a_text_that_was_never_committed_is_not(repo: Repository) -> None:
    assert pinned(repo, sha256("four\n")) is None


def test_before_the_first_commit_nothing_is_known(tmp_path: Path) -> None:
    assert pinned(Repository(tmp_path / "repo"), sha256("one\n")) is None


def test_files_of_one_prompt_are_those_of_one_commit(repo: Repository) -> None:
    repo.write({"tools/t.json": "{}\n"})
    repo.git("add", "-A")
    repo.commit("tools")
    repo.write({"prompts/a.txt": "later\n", "tools/t.json": "[]\n"})
    repo.git("add", "-A")
    repo.commit("both")
    files = {"prompts/a.txt": "three\n", "tools/t.json": "{}\n"}
    found = pinned(repo, of_several(files), "prompts/a.txt", "tools/t.json")
    assert found == {path: text.encode() for path, text in files.items()}
    mixed = {"prompts/a.txt": "later\n", "tools/t.json": "{}\n"}
    assert pinned(repo, of_several(mixed), "prompts/a.txt", "tools/t.json") is None


def test_a_file_that_the_prompt_no_longer_has_is_looked_for_too(repo: Repository) -> None:
    repo.write({"prompts/tone.txt": "warm\n"})
    repo.git("add", "-A")
    repo.commit("tone")
    repo.git("rm", "-q", "prompts/tone.txt")
    repo.commit("no tone")
    wanted = of_several({"prompts/a.txt": "three\n", "prompts/tone.txt": "warm\n"})

    def all_prompts(paths: Iterable[str]) -> Sequence[str]:
        return tuple(path for path in paths if path.startswith("prompts/"))

    files = ("prompts/a.txt",)
    assert (
        pinned_files(str(repo.root), wanted, files, "", all_prompts, {}) is None
    )  # no file of now moved in that commit
    found = pinned_files(str(repo.root), wanted, files, "prompts/tone.txt", all_prompts, {})
    assert found == {"prompts/a.txt": b"three\n", "prompts/tone.txt": b"warm\n"}


FOLDER = "baselines/stub/a/"


def record(repo: Repository, number: int, **files: str) -> str:
    path = f"{FOLDER}migrations/000{number}_x.json"
    repo.write({path: "{}\n", **{f"{FOLDER}{name}.json": text for name, text in files.items()}})
    repo.git("add", "-A")
    return path


def test_completions_are_those_of_the_commit_that_brought_the_migration(repo: Repository) -> None:
    first = record(repo, 1, one="a", two="b")
    repo.commit("first")
    second = record(repo, 2, one="c")
    repo.commit("second")
    assert completions_at(str(repo.root), FOLDER, [first, second]) == {
        first: {"one.json": b"a", "two.json": b"b"},
        second: {"one.json": b"c", "two.json": b"b"},
    }


def test_of_two_migrations_in_one_commit_only_the_last_is_known(repo: Repository) -> None:
    first = record(repo, 1, one="a")
    second = record(repo, 2, one="b")
    repo.commit("both")
    assert completions_at(str(repo.root), FOLDER, [first, second]) == {second: {"one.json": b"b"}}


def test_what_was_never_committed_is_left_out(repo: Repository) -> None:
    assert completions_at(str(repo.root), FOLDER, [record(repo, 1, one="a")]) == {}
