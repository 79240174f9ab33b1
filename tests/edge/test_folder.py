"""The run folder, and files that are whole at every moment."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from lastgood.edge.folder import NAME, file_name, replace_file, run_folder, sweep_beside
from lastgood.errors import LastgoodError
from repository import Repository

if TYPE_CHECKING:
    from pathlib import Path


def test_git_never_sees_it_whatever_the_repository_ignores(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repo")
    folder = run_folder(str(repo.root), "runs", "stub")
    repo.write({f"{NAME}/runs/stub/x": "y"})
    assert folder == str(repo.root / NAME / "runs/stub")
    assert repo.git("status", "--porcelain", "-uall").out == ""


def test_a_file_in_its_place_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("x", encoding="ascii")
    with pytest.raises(LastgoodError, match="the run folder cannot be written"):
        run_folder(str(tmp_path), "runs")


def test_replace_writes_all_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for data in (b"first", b"", os.urandom(100_000)):
        replace_file(str(path), data)
        assert path.read_bytes() == data
    assert os.listdir(tmp_path) == ["x"]


def test_replace_that_fails_leaves_the_old_file_and_nothing_beside(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/x").touch()
    with pytest.raises(OSError, match="directory"):
        replace_file(str(tmp_path / "folder"), b"data")
    assert os.listdir(tmp_path) == ["folder"]


def test_replace_keeps_to_the_umask_and_takes_the_place_of_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    replace_file(str(tmp_path / "link"), b"new")
    assert not (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"old"


def test_sweep_removes_only_what_a_killed_replace_left(tmp_path: Path) -> None:
    for name in ("x", "x.12.new", "x.345.new", "x.new", "x.1a.new", "xy.12.new", "x.12.new.bak"):
        (tmp_path / name).touch()
    sweep_beside(str(tmp_path / "x"))
    assert sorted(os.listdir(tmp_path)) == ["x", "x.12.new.bak", "x.1a.new", "x.new", "xy.12.new"]
    sweep_beside(str(tmp_path / "nowhere/x"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("billing-status_v3.2", "billing-status_v3.2"),
        ("team/agent", "team%2Fagent"),
        ("a%2Fb", "a%252Fb"),
        ("..", "%2E%2E"),
        ("a..b", "a%2E%2Eb"),
        ("ü", "%C3%BC"),
        ("two words", "two%20words"),
        ("line\nfeed", "line%0Afeed"),
        ("\udcff", "%FF"),
        ("", "%"),
    ],
)
def test_a_name_of_any_characters_is_one_file_name(name: str, expected: str) -> None:
    assert file_name(name) == expected


def test_no_two_names_share_one() -> None:
    names = ["a", "A", "a/b", "a%2Fb", "a_b", "a b", "", "%", ".", "..", "...", "%2E%2E", "ü", "u\u0308"]
    assert len({file_name(name) for name in names}) == len(names)
    assert file_name(".") != "."
