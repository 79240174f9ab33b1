"""The journal of a pending run: every answer that finished, exactly, and nothing half."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from lastgood.core.run import Header
from lastgood.core.usage import Usage
from lastgood.core.value import fields_of
from lastgood.edge.completers import Answer
from lastgood.edge.runs import Journal, forget_run, read_run, remember_usage, usage_before
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from pathlib import Path

HEADER = Header("team/billing", "stub", "a" * 64, "b" * 16, "c" * 16, ("python3", "x"), "text", "2026-12-01T00:00:00Z")
TEXTS = ["", "plain\n", "\ud800 lone", "ü\u2028\r\n", "\0\x1b", "x" * 300_000]


def journal(root: Path, *answers: Answer) -> str:
    kept = Journal(str(root), HEADER)
    for number, answer in enumerate(answers):
        kept.add(f"case-{number}", 1, "d" * 16, answer)
    kept.close()
    return kept.path


def read(root: Path) -> object:
    return read_run(str(root), "stub", "team/billing")


def test_texts_of_every_kind_come_back_exactly(tmp_path: Path) -> None:
    journal(tmp_path, *(Answer(f"case-{number}", text) for number, text in enumerate(TEXTS)))
    found = read_run(str(tmp_path), "stub", "team/billing")
    assert found is not None
    assert fields_of(found.header) == fields_of(HEADER)
    assert [answer.output for (answer,) in found.answers.values()] == TEXTS


def test_an_error_is_kept_as_one(tmp_path: Path) -> None:
    journal(tmp_path, Answer("case-0", None, "completer_failed:exit 3", "tail of stderr", 1.23456))
    found = read_run(str(tmp_path), "stub", "team/billing")
    assert found is not None
    (kept,) = found.answers["case-0", 1]
    assert (kept.output, kept.error, kept.detail, kept.seconds) == (
        None,
        "completer_failed:exit 3",
        "tail of stderr",
        1.235,
    )


def test_no_run_is_none(tmp_path: Path) -> None:
    assert read(tmp_path) is None


def test_a_run_is_another_prompts_only_by_name(tmp_path: Path) -> None:
    journal(tmp_path)
    assert read_run(str(tmp_path), "stub", "team%2Fbilling") is None
    assert read_run(str(tmp_path), "other", "team/billing") is None


def test_a_killed_run_keeps_every_answer_that_finished(tmp_path: Path) -> None:
    path = journal(tmp_path, Answer("case-0", "one"), Answer("case-1", "two"))
    with open(path, "rb") as file:
        data = file.read()
    ends = [position for position, byte in enumerate(data) if byte == 10]
    for length in range(ends[0] + 1, len(data) + 1, 7):
        with open(path, "wb") as file:
            file.write(data[:length])
        found = read_run(str(tmp_path), "stub", "team/billing")
        assert found is not None
        assert len(found.answers) == sum(end < length for end in ends) - 1


def test_the_answers_of_a_case_stand_in_the_order_they_came(tmp_path: Path) -> None:
    kept = Journal(str(tmp_path), HEADER)
    for text in ("first", "second"):
        kept.add("one", 1, "d" * 16, Answer("one", text))
    kept.close()
    found = read_run(str(tmp_path), "stub", "team/billing")
    assert found is not None
    assert [answer.output for answer in found.answers["one", 1]] == ["first", "second"]


@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"not json\n",
        b"[]\n",
        b"{}\n",
        json.dumps({"lastgood_run": -1}).encode() + b"\n",
        None,
    ],
    ids=["empty line", "no JSON", "list", "no keys", "another format", "broken answer"],
)
def test_a_run_that_cannot_be_read_is_one_sentence(tmp_path: Path, data: bytes | None) -> None:
    path = journal(tmp_path)
    with open(path, "ab" if data is None else "wb") as file:
        file.write(data or b'{"id": 1}\n')
    with pytest.raises(LastgoodError) as caught:
        read(tmp_path)
    assert caught.value.what == "the run is not readable"
    assert caught.value.fix == "lastgood eval"


@pytest.mark.parametrize(
    "changes",
    [
        {"repeat": float("inf")},
        {"repeat": 10**30},
        {"repeat": 0},
        {"repeat": True},
        {"repeat": "2"},
        {"repeat": 1.5},
        {"only": [["one"]]},
        {"only": "one"},
        {"command": "python3 x"},
        {"command": [1]},
        {"started_at": 5},
        {"prompt_id": "team/other"},
        {"completer": "Stub"},
        {"lastgood_run": 0},
    ],
    ids=str,
)
def test_a_header_that_means_nothing_or_another_run_is_not_readable(tmp_path: Path, changes: dict[str, object]) -> None:
    """On some disks `Stub` and `stub` are one folder, and equal completers have equal fingerprints."""
    path = journal(tmp_path)
    with open(path, encoding="utf-8") as file:
        good = json.loads(file.read())
    with open(path, "w", encoding="utf-8") as file:
        print(json.dumps(good | changes), file=file)
    with pytest.raises(LastgoodError, match="not readable"):
        read(tmp_path)


@pytest.mark.parametrize("changes", [{"seconds": "1"}, {"seconds": None}, {"version": True}, {"version": "1"}], ids=str)
def test_an_answer_of_another_kind_is_not_readable(tmp_path: Path, changes: dict[str, object]) -> None:
    path = journal(tmp_path)
    answer = {"id": "a", "version": 1, "case_hash": "", "output": "", "error": "", "detail": "", "seconds": 0.5}
    with open(path, "a", encoding="utf-8") as file:
        print(json.dumps(answer | changes), file=file)
    with pytest.raises(LastgoodError, match="not readable"):
        read(tmp_path)


@pytest.mark.parametrize(
    "counts", [b'{"answers": 1e999}', b"[]", b'{"answers": -1, "input_tokens": 1, "output_tokens": 1}', b"\xff"]
)
def test_what_answers_used_is_forgotten_where_it_cannot_be(tmp_path: Path, counts: bytes) -> None:
    remember_usage(str(tmp_path), "stub", "billing", Usage(2, 10, 20))
    assert usage_before(str(tmp_path), "stub", "billing") == Usage(2, 10, 20)
    (tmp_path / ".lastgood/usage/stub/billing.json").write_bytes(counts)
    assert usage_before(str(tmp_path), "stub", "billing") == Usage()


def test_an_empty_file_is_not_readable_either(tmp_path: Path) -> None:
    path = journal(tmp_path)
    os.truncate(path, 0)
    with pytest.raises(LastgoodError, match="not readable"):
        read(tmp_path)


def test_a_new_run_takes_the_place_of_the_old(tmp_path: Path) -> None:
    journal(tmp_path, Answer("case-0", "one"))
    journal(tmp_path)
    found = read_run(str(tmp_path), "stub", "team/billing")
    assert found is not None
    assert found.answers == {}


def test_forgotten_is_gone(tmp_path: Path) -> None:
    journal(tmp_path)
    forget_run(str(tmp_path), "stub", "team/billing")
    forget_run(str(tmp_path), "stub", "never")
    assert read(tmp_path) is None
