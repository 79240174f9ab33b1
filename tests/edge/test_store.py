"""All of it or nothing, from Python: what tests/commands/test_record_killed.py shows from outside."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lastgood.edge import store
from lastgood.errors import LastgoodError, Refused

if TYPE_CHECKING:
    from pathlib import Path

PLAN = ".lastgood/record.json"
A, B, C = "golden/a", "golden/b", "golden/c"


def contents(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".lastgood" not in path.parts
    }


def test_writes_deletes_and_makes_folders(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"1")
    store.apply(str(tmp_path), {"old": None, "a/b/new": b"2", "never": None})
    assert contents(tmp_path) == {"a/b/new": b"2"}
    assert not store.interrupted(str(tmp_path))


def test_bytes_of_every_kind(tmp_path: Path) -> None:
    data = bytes(range(256)) + "ü\r\n".encode()
    store.apply(str(tmp_path), {"x": data})
    assert contents(tmp_path) == {"x": data}


def interrupt(root: Path, *, done: int) -> None:
    """A plan of three steps that stopped after `done` of them."""
    files: dict[str, bytes | None] = {A: b"new a", B: None, C: b"new c"}
    (root / "golden").mkdir()
    for name in files:
        (root / name).write_bytes(b"old")
    plan = [store._step(str(root), path, data) for path, data in files.items()]
    (root / ".lastgood").mkdir()
    (root / PLAN).write_text(json.dumps(plan), encoding="ascii")
    for step in plan[:done]:
        store._write(str(root / step["path"]), step["data"])


@pytest.mark.parametrize("done", range(4))
def test_resume_finishes_from_any_step(tmp_path: Path, done: int) -> None:
    interrupt(tmp_path, done=done)
    (tmp_path / f"{C}.123.new").write_bytes(b"ne")
    assert store.interrupted(str(tmp_path))
    assert store.resume(str(tmp_path)) == [A, B, C]
    assert contents(tmp_path) == {A: b"new a", C: b"new c"}
    assert not store.interrupted(str(tmp_path))


@pytest.mark.parametrize("path", [A, B, C])
def test_resume_refuses_when_a_file_is_neither_old_nor_new(tmp_path: Path, path: str) -> None:
    interrupt(tmp_path, done=1)
    (tmp_path / path).write_bytes(b"mine")
    before = contents(tmp_path)
    with pytest.raises(Refused) as caught:
        store.resume(str(tmp_path))
    assert caught.value.path == path
    assert contents(tmp_path) == before
    assert store.interrupted(str(tmp_path))


def test_nothing_is_written_while_one_is_interrupted(tmp_path: Path) -> None:
    interrupt(tmp_path, done=1)
    before = contents(tmp_path)
    with pytest.raises(Refused, match="interrupted"):
        store.apply(str(tmp_path), {"d": b"x"})
    assert contents(tmp_path) == before


def elsewhere(path: str) -> bytes:
    return json.dumps([{"path": path, "before": None, "after": None, "data": "eA=="}]).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"{}1",
        b"1",
        b"[1]",
        b'[{"path": "golden/a"}]',
        b'[{"path": 1}]',
        elsewhere("Makefile"),
        elsewhere("/etc/x"),
        elsewhere("golden/../../x"),
    ],
    ids=["empty", "cut", "more", "number", "numbers", "keys", "no path", "elsewhere", "absolute", "outside"],
)
def test_a_plan_that_cannot_be_read_is_one_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / ".lastgood").mkdir()
    (tmp_path / PLAN).write_bytes(data)
    with pytest.raises(LastgoodError) as caught:
        store.resume(str(tmp_path))
    assert PLAN in caught.value.path
    assert caught.value.fix


def test_a_folder_in_the_way_stops_it_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    with pytest.raises(Refused) as caught:
        store.apply(str(tmp_path), {"a": b"x", "b": b"y"})
    assert (caught.value.path, caught.value.what) == ("b", "nothing was written: Is a directory")
    assert contents(tmp_path) == {}
    assert not store.interrupted(str(tmp_path))


def test_a_file_where_a_folder_must_be_stops_it_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "golden").mkdir()
    (tmp_path / B).write_bytes(b"")
    with pytest.raises(Refused, match="nothing was written: Not a directory"):
        store.apply(str(tmp_path), {A: b"x", "golden/b/c": b"y"})
    assert contents(tmp_path) == {B: b""}
    assert not store.interrupted(str(tmp_path))


def test_one_at_a_time(tmp_path: Path) -> None:
    with store.locked(str(tmp_path)), pytest.raises(Refused, match="another lastgood is recording here"):
        store.locked(str(tmp_path))
    with store.locked(str(tmp_path)):
        pass
