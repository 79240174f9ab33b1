"""What `record` would write: plans of files as pure values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastgood.core.acceptance import Signature, change, migrate, repin
from lastgood.core.baseline import read_baseline
from lastgood.core.case import read_golden
from lastgood.core.judgement import judge
from lastgood.core.migration import read_migration

ADA = Signature("shorter words", "Ada <ada@example.com>", "2026-12-01T00:00:00Z")
PIN = ("a" * 64, "b" * 16, "c" * 16)
FOLDER = "baselines/stub/billing/"


def judged(**said: str) -> list[Any]:
    """A judgement a case id, of what was said."""
    objects = [{"id": case_id, "input": {}, "expect": {"forbidden": ["x"]}} for case_id in said]
    golden = read_golden("s.json", json.dumps({"prompt_id": "billing", "cases": objects}).encode())
    return [judge(case, said[case.id], ("", ""), "text", "", {}) for case in golden.cases]


def planned(now: list[Any], before: list[Any] | None = None, parents: Any = (), pin: Any = PIN) -> Any:
    """The change from `before`, as if it had been recorded, to `now`."""
    written = planned(before).files if before else {}
    baselines = {path[len(FOLDER) : -5]: read_baseline(path, data) for path, data in written.items()}
    completions = {j.case.id: j.completion for j in before or []}
    return change("billing", "stub", pin, now, baselines, completions, parents)


def test_the_first_adds_every_case() -> None:
    found = planned(judged(one="a", two="b"))
    assert (found.source, found.moved, found.added, found.removed, found.kept) == (None, {}, ("one", "two"), (), 0)
    assert sorted(found.files) == [FOLDER + "one.json", FOLDER + "two.json"]


def test_only_what_moved_is_written() -> None:
    found = planned(judged(one="a", two="c"), judged(one="a", two="b"))
    assert sorted(found.files) == [FOLDER + "two.json"]
    assert list(found.moved) == ["two"]
    assert (found.kept, found.added, found.removed) == (1, (), ())


def test_a_move_says_both_digests_and_its_kinds() -> None:
    old, new = judged(one="Hello there."), judged(one="hello there.")
    assert planned(new, old).moved == {
        "one": {"from": old[0].digest[:12], "to": new[0].digest[:12], "moves": ["case"]},
    }


def test_white_space_that_no_digest_sees_is_no_news() -> None:
    found = planned(judged(one=" a \n"), judged(one="a"))
    assert found.files == {}


def test_a_case_that_is_gone_takes_its_file_along() -> None:
    found = planned(judged(one="a"), judged(one="a", two="b"))
    assert (found.files, found.removed, found.kept) == ({FOLDER + "two.json": None}, ("two",), 1)


def parent(found: Any) -> Any:
    name, files = migrate(found, ADA)
    path = f"{FOLDER}migrations/{name}.json"
    return read_migration(path, files[path] or b"")


def test_the_same_again_is_empty() -> None:
    first = planned(judged(one="a"))
    assert not first.empty
    assert planned(judged(one="a"), judged(one="a"), [parent(first)]).empty


@pytest.mark.parametrize("pin", [("0" * 64, *PIN[1:]), (PIN[0], "0" * 16, PIN[2]), (*PIN[:2], "0" * 16)])
def test_another_pin_is_not_empty_though_nothing_moved(pin: tuple[str, str, str]) -> None:
    found = planned(judged(one="a"), judged(one="a"), [parent(planned(judged(one="a")))], pin)
    assert (found.empty, found.files, found.kept) == (False, {}, 1)


def test_joining_two_heads_is_not_empty() -> None:
    first = parent(planned(judged(one="a")))
    assert not planned(judged(one="a"), judged(one="a"), [first, first]).empty


def test_the_order_of_answers_changes_nothing() -> None:
    forth, back = planned(judged(one="a", two="b")), planned(judged(two="b", one="a"))
    assert forth.target == back.target
    assert forth.files == back.files


def test_a_migration_follows_its_parent() -> None:
    first = parent(planned(judged(one="a")))
    found = parent(planned(judged(one="b"), judged(one="a"), [first]))
    assert (found.number, found.parents, found.source) == (2, (first.hash,), first.target)


def test_a_merge_follows_both_and_counts_from_the_later() -> None:
    first = parent(planned(judged(one="a")))
    second = parent(planned(judged(one="b"), judged(one="a"), [first]))
    found = parent(planned(judged(one="b"), judged(one="b"), [second, first]))
    assert (found.number, found.parents) == (3, (second.hash, first.hash))


def test_head_is_written_last_and_names_the_migration() -> None:
    name, files = migrate(planned(judged(one="a")), ADA)
    assert name == "0001_shorter-words"
    assert list(files)[-2:] == [f"{FOLDER}migrations/{name}.json", FOLDER + "HEAD"]
    migration = read_migration("m", files[f"{FOLDER}migrations/{name}.json"] or b"")
    assert files[FOLDER + "HEAD"] == f"{name} {migration.hash}\n".encode()


def test_only_the_signature_differs_between_two_people() -> None:
    other = Signature(ADA.reason, "Bo <bo@example.com>", "2026-12-02T00:00:00Z")
    (_, ours), (_, theirs) = (migrate(planned(judged(one="a")), who) for who in (ADA, other))
    assert [path for path in ours if ours[path] != theirs[path]] == list(ours)[-2:]


OLD, NEW = "1" * 64, "2" * 64


@pytest.mark.parametrize(
    "text",
    [
        '{"prompt_sha256": "OLD", "cases": []}',
        '{\r\n\t"prompt_sha256" :\r\n"OLD"\r\n}\r\n',
        '{"note": "OLD", "prompt_sha256": "OLD", "cases": [{"input": "OLD"}]}',
        '{"cases": [{"prompt_sha256": "OLD"}], "prompt_sha256": "OLD"}',
        '{"a": "prompt_sha256", "prompt_sha256": "OLD"}',
        '{"ü": "grün 😀", "prompt_sha256": "OLD"}',
        '{"prompt_sha256":"OLD"}',
    ],
)
def test_repin_changes_that_one_value_and_not_a_byte_else(text: str) -> None:
    data = text.replace("OLD", OLD).encode()
    found = repin(data, OLD, NEW)
    wanted = {**json.loads(data), "prompt_sha256": NEW}
    assert json.loads(found) == wanted
    assert len(found) == len(data)
    assert sum(left != right for left, right in zip(data, found, strict=True)) == 64


def test_repin_reads_a_value_written_with_escapes() -> None:
    data = b'{"prompt_sha256": "' + rb"\u0031" * 64 + b'", "x": 1.0}'
    assert repin(data, OLD, NEW) == b'{"prompt_sha256": "' + NEW.encode() + b'", "x": 1.0}'


@pytest.mark.parametrize("text", ['{"prompt_sha256": "3333"}', '{"cases": []}'])
def test_repin_leaves_a_suite_that_says_something_else(text: str) -> None:
    assert repin(text.encode(), OLD, NEW) == text.encode()
