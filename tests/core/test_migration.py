"""Migrations: names, hashes and heads of a chain."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastgood.core.migration import heads, migration_name, of_object, read_migration, slugify
from lastgood.errors import Malformed

PIN = {"prompt_sha256": "a" * 64, "suite_hash": "b" * 16, "completer": "c" * 16, "baseline_hash": "d" * 16}
WHOLE: dict[str, Any] = {
    "migration": 1,
    "slug": "first",
    "parents": [],
    "prompt_id": "billing",
    "completer": "stub",
    "from": None,
    "to": PIN,
    "moved": {"one": {"from": "1" * 12, "to": "2" * 12, "moves": ["text"]}},
    "added": [],
    "removed": [],
    "kept": 0,
    "reason": " first ",
    "accepted_by": "Ada <a@example.com>",
    "accepted_at": "2026-12-01T00:00:00Z",
}


def read(**changes: Any) -> Any:
    return read_migration("m.json", json.dumps({**WHOLE, **changes}).encode())


def test_it_reads_back_what_it_says() -> None:
    found = read()
    assert (found.number, found.name, found.source, found.reason) == (1, "0001_first", None, "first")
    assert found.target.declared() == PIN
    assert found.head_line == f"0001_first {found.hash}"


@pytest.mark.parametrize(
    "changes",
    [{name: changed} for name, changed in {
        "reason": "x", "accepted_by": "B <b@x>", "accepted_at": "2026-12-02T00:00:00Z", "kept": 1, "moved": {},
        "added": ["x"], "parents": ["e" * 16], "to": {**PIN, "suite_hash": "0" * 16},
    }.items()],
    ids=lambda changes: next(iter(changes)),
)  # fmt: skip
def test_every_word_of_it_is_under_its_hash(changes: dict[str, Any]) -> None:
    assert read(**changes).hash != read().hash


def test_layout_is_not() -> None:
    data = json.dumps(WHOLE, indent=7, sort_keys=True).replace("\n", "\r\n").encode()
    assert read_migration("m.json", data).hash == read().hash


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"migration": 0}, "/migration"),
        ({"migration": True}, "/migration"),
        ({"slug": "A b"}, "/slug"),
        ({"parents": ["x"]}, "/parents/0"),
        ({"parents": ["a" * 16] * 3}, "/parents"),
        ({"from": {}}, "/from"),
        ({"to": None}, "/to"),
        ({"to": {**PIN, "prompt_sha256": "a"}}, "/to/prompt_sha256"),
        ({"accepted_at": "yesterday"}, "/accepted_at"),
        ({"extra": 1}, "/extra"),
        ({"moved": {"one": {}}}, "/moved/one"),
    ],
    ids=lambda found: found if isinstance(found, str) else "",
)
def test_what_is_malformed_is_named_by_pointer(changes: dict[str, Any], pointer: str) -> None:
    with pytest.raises(Malformed) as caught:
        read(**changes)
    assert caught.value.path == "m.json"
    assert caught.value.pointer.startswith(pointer.rpartition("/")[0])
    assert pointer.rpartition("/")[2] in caught.value.pointer + caught.value.what


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_every_key_is_needed(name: str) -> None:
    with pytest.raises(Malformed, match=name):
        read_migration("m.json", json.dumps({key: found for key, found in WHOLE.items() if key != name}).encode())


@pytest.mark.parametrize(
    ("reason", "slug"),
    [
        ("Shorter refusals", "shorter-refusals"),
        ("  two   words ", "two-words"),
        ("PR #12: it's better!", "pr-12-it-s-better"),
        ("", "moved"),
        ("…", "moved"),
        ("日本語", "moved"),
        ("../../etc/passwd", "etc-passwd"),
        ("a" * 60, "a" * 48),
        ("a " + "b" * 60, "a"),
        ("CON", "con"),
    ],
)
def test_slugs_are_file_names_everywhere(reason: str, slug: str) -> None:
    assert slugify(reason) == slug


def test_names_sort_as_numbers_do() -> None:
    assert migration_name(2, "x") == "0002_x"
    assert migration_name(12345, "x") == "12345_x"


def chain(*links: tuple[int, str, list[int]]) -> list[Any]:
    """Migrations by (number, slug, positions of parents)."""
    made: list[Any] = []
    for number, slug, parents in links:
        hashes = [made[position].hash for position in parents]
        made.append(of_object(f"{slug}.json", {**WHOLE, "migration": number, "slug": slug, "parents": hashes}))
    return made


@pytest.mark.parametrize(
    ("links", "ends"),
    [
        ([], []),
        ([(1, "a", [])], ["a"]),
        ([(1, "a", []), (2, "b", [0]), (3, "c", [1])], ["c"]),
        ([(1, "a", []), (2, "c", [0]), (2, "b", [0])], ["b", "c"]),
        ([(1, "a", []), (2, "b", [0]), (2, "c", [0]), (3, "d", [1, 2])], ["d"]),
        ([(1, "a", []), (1, "b", [])], ["a", "b"]),
    ],
    ids=["none", "one", "a line", "two heads", "merged", "two roots"],
)
def test_heads(links: list[tuple[int, str, list[int]]], ends: list[str]) -> None:
    assert [end.slug for end in heads(reversed(chain(*links)))] == ends
