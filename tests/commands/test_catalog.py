"""Golden-case migrations: ship, bump, retire, in both forms of golden files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from repository import Repository, case, suite

if TYPE_CHECKING:
    from collections.abc import Mapping

SUITE, LATE = "golden/billing/suite.json", "golden/support/late.json"


def catalog(repo: Repository, prompt: str = "billing") -> list[tuple[str, int, str]]:
    """(id, version, status) of every row."""
    rows = json.loads(repo.read(f"golden/{prompt}/catalog.json"))["cases"]
    return [(row["id"], row["version"], row["status"]) for row in rows]


def row(repo: Repository, case_id: str, version: int, prompt: str = "billing") -> dict[str, Any]:
    rows = json.loads(repo.read(f"golden/{prompt}/catalog.json"))["cases"]
    return next(row for row in rows if (row["id"], row["version"]) == (case_id, version))


def objects(repo: Repository) -> dict[tuple[str, int], dict[str, Any]]:
    """Every case object of `billing`'s suite file."""
    return {(found["id"], found["version"]): found for found in json.loads(repo.read(SUITE))["cases"]}


def edit(repo: Repository, path: str, old: str, new: str) -> None:
    text = repo.read(path)
    assert old in text
    repo.write({path: text.replace(old, new)})


def publish(repo: Repository) -> None:
    """Make what HEAD holds the shared base."""
    repo.git("update-ref", "refs/remotes/origin/main", "HEAD")


def accept_and_check(repo: Repository) -> None:
    repo.accept("cases moved")
    repo.git("add", "-A")
    repo.lastgood("check")


def refused(repo: Repository, *words: str, env: Mapping[str, str] | None = None) -> str:
    before = repo.files()
    message = repo.lastgood("catalog", *words, code=4, env=env).err
    assert repo.files() == before
    assert "Traceback" not in message
    return message


# --- ship ---


def test_ship_adds_a_row_for_each_new_case_and_says_so(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    said = repo.lastgood("catalog", "ship").out
    found = row(repo, "three", 1)
    suite_hash = json.loads(repo.read("golden/billing/catalog.json"))["suite_hash"]
    shipped = f"billing: suite {suite_hash}\n  shipped   three version 1  {found['case_hash']}\n"
    assert said == shipped + "next: lastgood eval -p billing\n"
    assert catalog(repo) == [("one", 1, "active"), ("three", 1, "active"), ("two", 1, "active")]
    accept_and_check(repo)


def test_ship_of_nothing_new_writes_nothing(repo: Repository) -> None:
    before = repo.files()
    assert repo.lastgood("catalog", "ship").out == "nothing to ship: every case is in its catalog\n"
    assert repo.files() == before


def test_ship_of_one_prompt_leaves_the_others(repo: Repository) -> None:
    for prompt in ("billing", "support"):
        repo.write({f"golden/{prompt}/new.json": json.dumps({"prompt_id": prompt, **case("new")})})
    repo.lastgood("catalog", "ship", "-p", "support")
    assert ("new", 1, "active") in catalog(repo, "support")
    assert ("new", 1, "active") not in catalog(repo)


def test_ship_of_a_newer_version_retires_the_older_for_a_reason(repo: Repository) -> None:
    repo.write({"golden/billing/two.v2.json": json.dumps({"prompt_id": "billing", **case("two", 2)})})
    assert "'two' version 1 is retired by version 2, and that needs a reason" in refused(repo, "ship")
    repo.lastgood("catalog", "ship", "--reason", "stricter")
    assert catalog(repo) == [("one", 1, "active"), ("two", 1, "retired"), ("two", 2, "active")]
    assert (row(repo, "two", 1)["reason"], row(repo, "two", 1)["replaced_by"]) == ("stricter", "two")
    accept_and_check(repo)


def test_ship_mends_a_catalog_that_was_half_merged(repo: Repository) -> None:
    edit(repo, "golden/billing/catalog.json", '"suite_hash": "5b92', '"suite_hash": "0000')
    assert "edited by hand, or half merged" in repo.lastgood("status", code=2).out
    repo.lastgood("catalog", "ship")
    assert repo.git("status", "--porcelain").out == ""


@pytest.mark.parametrize("text", ["{", '{"prompt_id": "billing", "cases": []}', '{"cases": 1}'])
def test_ship_of_what_cannot_be_read_is_refused(repo: Repository, text: str) -> None:
    repo.write({SUITE: text})
    assert refused(repo, "ship").startswith(f"lastgood: {SUITE}")


# --- what others share, and what they do not ---


def test_a_shared_case_is_not_shipped_again_when_it_was_edited(repo: Repository) -> None:
    publish(repo)
    edit(repo, SUITE, "ord_two", "ord_2")
    message = refused(repo, "ship")
    assert "case 'two' version 1 has shipped and was edited in place" in message
    assert "lastgood catalog bump two" in message


def test_a_shared_case_that_is_gone_is_refused(repo: Repository) -> None:
    publish(repo)
    repo.write({SUITE: suite("billing", case("one"))})
    assert "case 'two' version 1 has shipped and is not in the tree any more" in refused(repo, "ship")


def test_without_a_base_what_head_holds_counts_as_shared(repo: Repository) -> None:
    edit(repo, SUITE, "ord_two", "ord_2")
    assert "has shipped and was edited in place" in refused(repo, "ship")


def test_an_unpushed_case_may_still_change_and_be_amended(repo: Repository) -> None:
    publish(repo)
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")
    repo.accept("three")
    repo.git("add", "-A")
    repo.commit("three")
    edit(repo, "golden/billing/three.json", "ord_three", "ord_3")
    said = repo.lastgood("catalog", "ship").out
    assert "  rewritten three version 1  " in said
    assert said.endswith(" (nobody shares it yet)\nnext: lastgood eval -p billing\n")
    accept_and_check(repo)
    repo.commit("three", "--amend")


def test_an_unpushed_case_may_go_again(repo: Repository) -> None:
    publish(repo)
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")
    (repo.root / "golden/billing/three.json").unlink()
    repo.lastgood("catalog", "ship")
    assert repo.git("status", "--porcelain").out == ""


# --- an edit in place ---


@pytest.mark.parametrize(
    ("path", "case_id", "old", "new", "field"),
    [
        pytest.param(SUITE, "two", '"ord_two"', '"ord_2"', 'input.order_id: "ord_two" → "ord_2"', id="suite"),
        pytest.param(LATE, "late", '"I think"', '"Perhaps"', 'expect.forbidden.0: "I think" → "Perhaps"', id="case"),
        pytest.param(LATE, "late", '"ord_late"', "1", 'input.order_id: "ord_late" → 1', id="type"),
        pytest.param(LATE, "late", '"I think"', '"I", "x"', 'expect.forbidden: ["I think"] → ["I", "x"]', id="list"),
        pytest.param(LATE, "late", '"version": 1', '"version": 1, "notes": "n"', 'notes: (absent) → "n"', id="added"),
    ],
)
def test_the_message_names_the_field_that_changed(
    repo: Repository, path: str, case_id: str, old: str, new: str, field: str
) -> None:
    edit(repo, path, old, new)
    repo.git("add", "-A")
    message = repo.lastgood("check", code=2).err
    assert f"case {case_id!r} version 1 was edited in place after it shipped" in message
    assert f"\n  changed  {field}\n" in message
    assert f"lastgood catalog bump {case_id} -p {path.split('/')[1]} --reason '…'\n" in message


def test_layout_and_line_endings_of_a_shipped_case_are_no_edit(repo: Repository) -> None:
    repo.write({LATE: json.dumps(json.loads(repo.read(LATE)), sort_keys=True).replace(", ", ",\r\n").encode()})
    repo.git("add", "-A")
    repo.lastgood("check")


# --- bump ---


def test_an_edit_in_a_suite_becomes_the_new_version_and_the_old_object_comes_back(repo: Repository) -> None:
    publish(repo)
    before = objects(repo)["two", 1]
    edit(repo, SUITE, "ord_two", "ord_2")
    said = repo.lastgood("catalog", "bump", "two", "--reason", "shorter  ids").out
    found = objects(repo)
    assert found["two", 1] == before
    assert found["two", 2] == {**before, "version": 2, "input": {"order_id": "ord_2"}}
    assert list(found) == [("one", 1), ("two", 1), ("two", 2)]
    assert catalog(repo) == [("one", 1, "active"), ("two", 1, "retired"), ("two", 2, "active")]
    assert row(repo, "two", 1)["reason"] == "shorter ids"
    lines = said.splitlines()
    assert lines[1:] == [
        "  retired   two version 1: shorter ids",
        f"  shipped   two version 2  {row(repo, 'two', 2)['case_hash']}",
        "wrote golden/billing/suite.json, golden/billing/catalog.json",
        "next: lastgood eval -p billing",
    ]
    accept_and_check(repo)


def test_an_edit_of_a_case_file_becomes_a_file_of_its_own(repo: Repository) -> None:
    publish(repo)
    before = json.loads(repo.read(LATE))
    edit(repo, LATE, "ord_late", "ord_l")
    repo.lastgood("catalog", "bump", "late", "--reason", "shorter ids")
    assert json.loads(repo.read(LATE)) == before
    assert json.loads(repo.read("golden/support/late.v2.json")) == {
        **before,
        "version": 2,
        "input": {"order_id": "ord_l"},
    }
    assert catalog(repo, "support") == [("late", 1, "retired"), ("late", 2, "active")]
    accept_and_check(repo)


@pytest.mark.parametrize(("case_id", "path"), [("two", SUITE), ("late", LATE)])
def test_an_edit_that_already_says_the_next_version_works_too(repo: Repository, case_id: str, path: str) -> None:
    found = json.loads(repo.read(path))
    target = found["cases"][1] if "cases" in found else found
    target |= {"version": 2, "input": {"order_id": "new"}}
    repo.write({path: json.dumps(found)})
    repo.lastgood("catalog", "bump", case_id, "--reason", "new ids")
    accept_and_check(repo)


@pytest.mark.parametrize(("case_id", "prompt"), [("two", "billing"), ("late", "support")])
def test_bumped_again_and_again_each_version_keeps_its_object(repo: Repository, case_id: str, prompt: str) -> None:
    for version in (2, 3):
        path = SUITE if prompt == "billing" else (LATE if version == 2 else "golden/support/late.v2.json")
        text = repo.read(path)
        old = f"ord_{case_id}" if version == 2 else f"second_{case_id}"
        new = f"second_{case_id}" if version == 2 else f"third_{case_id}"
        assert text.count(old) == 1
        repo.write({path: text.replace(old, new)})
        repo.lastgood("catalog", "bump", case_id, "--reason", f"version {version}")
        accept_and_check(repo)
        repo.commit(f"version {version}")
    assert catalog(repo, prompt)[-3:] == [(case_id, 1, "retired"), (case_id, 2, "retired"), (case_id, 3, "active")]
    assert repo.lastgood("eval", "-p", prompt, "-k", case_id).out.count("PASS") == 2


def test_bump_without_an_edit_starts_a_version_to_edit(repo: Repository) -> None:
    said = repo.lastgood("catalog", "bump", "two", "--reason", "stricter").out
    assert said.endswith(
        "next: edit version 2 in golden/billing/suite.json, then ship it\n      lastgood catalog ship -p billing\n"
    )
    found = objects(repo)
    assert found["two", 2] == {**found["two", 1], "version": 2}


def test_an_edited_case_that_is_retired_is_put_back_and_never_bumped(repo: Repository) -> None:
    """What follows it is active already, and keeps the edits that nobody shipped yet."""
    repo.lastgood("catalog", "bump", "two", "--reason", "stricter")
    repo.accept("stricter")
    repo.git("add", "-A")
    repo.commit("stricter")
    edit(repo, SUITE, '"version": 2', '"version": 2, "notes": "being edited"')
    whole = repo.read(SUITE)
    edit(repo, SUITE, '"two",\n      "version": 1,\n      "input": {\n        "order_id": "ord_two"', "")
    repo.write({SUITE: whole.replace("ord_two", "ord_2", 1)})
    repo.git("add", "-A")
    assert "  run  lastgood catalog restore two -p billing --case-version 1\n" in repo.lastgood("check", code=2).err
    message = refused(repo, "ship")
    assert "lastgood catalog restore two -p billing --case-version 1\n" in message
    said = repo.lastgood("catalog", "restore", "two", "-p", "billing", "--case-version", "1").out
    assert said == "restored two version 1 in golden/billing/suite.json\n"
    assert repo.read(SUITE) == whole


@pytest.mark.parametrize(("case_id", "path"), [("two", SUITE), ("late", LATE)])
def test_restore_undoes_an_edit_byte_for_byte(repo: Repository, case_id: str, path: str) -> None:
    before = repo.read(path)
    edit(repo, path, f"ord_{case_id}", "ord_x")
    repo.lastgood("catalog", "restore", case_id)
    assert repo.read(path) == before
    assert (
        repo.lastgood("catalog", "restore", case_id).out
        == f"nothing to restore: {case_id} version 1 is as it shipped\n"
    )


def test_bump_needs_a_reason(repo: Repository) -> None:
    assert refused(repo, "bump", "two").startswith("lastgood: a changed contract needs a reason\n")
    assert refused(repo, "bump", "two", "--reason", " \n").startswith("lastgood: a changed contract needs a reason\n")


def test_bump_of_an_edit_that_was_never_committed_is_refused(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")
    edit(repo, "golden/billing/three.json", "ord_three", "ord_3")
    message = refused(repo, "bump", "three", "--reason", "x")
    assert "is in no commit of this file" in message
    assert "lastgood catalog ship" in message


def test_bump_does_not_write_over_a_file(repo: Repository) -> None:
    other = json.dumps({"prompt_id": "support", **case("other")})
    repo.write({"golden/support/late.v2.json": other})
    assert "golden/support/late.v2.json: stands in the way" in refused(repo, "bump", "late", "--reason", "x")


def test_bump_of_a_lost_object_says_where_to_get_it(repo: Repository) -> None:
    repo.write({SUITE: suite("billing", case("one"))})
    message = refused(repo, "bump", "two", "--reason", "x")
    assert "the object of case 'two' version 1 is not in the tree" in message
    assert "git checkout HEAD -- golden/billing/" in message


@pytest.mark.parametrize("act", ["bump", "retire"])
@pytest.mark.parametrize("reason", ["…", "...", " - ", "\u2800", "\u3164"])
def test_a_reason_without_a_word_is_none(repo: Repository, act: str, reason: str) -> None:
    assert " reason\n" in refused(repo, act, "two", "--reason", reason)


@pytest.mark.parametrize("act", ["bump", "retire"])
def test_a_case_that_nobody_shipped_is_refused(repo: Repository, act: str) -> None:
    assert refused(repo, act, "nine", "--reason", "x").startswith("lastgood: no shipped active case 'nine'\n")


def test_a_case_of_two_prompts_has_to_be_told_apart(repo: Repository) -> None:
    repo.write({"golden/support/one.json": json.dumps({"prompt_id": "support", **case("one")})})
    repo.lastgood("catalog", "ship")
    assert "several prompts have a case 'one': billing, support" in refused(repo, "retire", "one", "--reason", "x")
    repo.lastgood("catalog", "retire", "one", "-p", "support", "--reason", "x")
    assert ("one", 1, "active") in catalog(repo)


# --- retire ---


def test_retire_keeps_the_object_and_says_why_and_by_what(repo: Repository) -> None:
    publish(repo)
    said = repo.lastgood("catalog", "retire", "two", "--reason", "asked twice", "--replaced-by", "one").out
    assert said.splitlines()[1:] == ["  retired   two version 1: asked twice", "next: lastgood eval -p billing"]
    found = row(repo, "two", 1)
    assert (found["status"], found["reason"], found["replaced_by"]) == ("retired", "asked twice", "one")
    assert ("two", 1) in objects(repo)
    accept_and_check(repo)
    assert "2 cases" not in repo.lastgood("eval", "-p", "billing").out


def test_retire_needs_a_reason_and_a_known_successor(repo: Repository) -> None:
    assert "needs a reason" in refused(repo, "retire", "two")
    assert "no shipped case 'nine' could replace it" in refused(
        repo, "retire", "two", "--reason", "x", "--replaced-by", "nine"
    )


def test_a_retired_case_is_not_retired_again(repo: Repository) -> None:
    repo.lastgood("catalog", "retire", "two", "--reason", "x")
    assert "no shipped active case 'two'" in refused(repo, "retire", "two", "--reason", "x")
    message = refused(repo, "retire", "two", "--case-version", "1", "--reason", "x")
    assert "case 'two' version 1 is retired already" in message


def test_retiring_every_case_cannot_be_committed(repo: Repository) -> None:
    repo.lastgood("catalog", "retire", "late", "--reason", "x")
    repo.git("add", "-A")
    assert "no case is active: nothing would be checked" in repo.lastgood("check", code=4).err
