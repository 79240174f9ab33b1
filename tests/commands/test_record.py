"""What `record` writes when it is allowed to: exactly what was read, all of it, and nothing besides."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from repository import LASTGOOD, Repository, case, suite
from terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

BILLING = "baselines/stub/billing/"


def changed(repo: Repository, before: dict[str, bytes]) -> list[str]:
    """The paths that differ from `before`."""
    now = repo.files()
    return sorted(path for path in {*before, *now} if before.get(path) != now.get(path))


def record(repo: Repository, reason: str = "shorter words", *which: str) -> str:
    """Record by the token; what it printed."""
    return repo.lastgood("record", *which, "--reason", reason, "--accept", repo.token(*which)).out


# --- what is written ---


def test_a_move_becomes_one_migration_its_baselines_and_the_new_head(pending: Repository) -> None:
    before = pending.files()
    said = record(pending)
    assert said == (
        "recorded stub/billing: 0002_shorter-words\n"
        "next: git add prompts/billing.txt baselines/stub/billing/ && git commit\n"
        "undo, before that: git checkout -- baselines/stub/billing/HEAD baselines/stub/billing/one.json "
        "baselines/stub/billing/two.json && rm baselines/stub/billing/migrations/0002_shorter-words.json\n"
    )
    assert changed(pending, before) == [
        BILLING + "HEAD",
        BILLING + "migrations/0002_shorter-words.json",
        BILLING + "one.json",
        BILLING + "two.json",
    ]


def test_the_migration_says_from_where_to_where_what_moved_why_and_who(pending: Repository) -> None:
    parent = json.loads(pending.read(BILLING + "migrations/0001_first-baseline.json"))
    parent_hash = pending.read(BILLING + "HEAD").split()[1]
    record(pending, "shorter words")
    found = json.loads(pending.read(BILLING + "migrations/0002_shorter-words.json"))
    prompt = (pending.root / "prompts/billing.txt").read_bytes()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", found.pop("accepted_at"))
    baseline_hash = found["to"].pop("baseline_hash")
    assert baseline_hash != parent["to"]["baseline_hash"]
    assert found == {
        "migration": 2,
        "slug": "shorter-words",
        "parents": [parent_hash],
        "prompt_id": "billing",
        "completer": "stub",
        "from": parent["to"],
        "to": {
            "prompt_sha256": hashlib.sha256(prompt).hexdigest(),
            "suite_hash": parent["to"]["suite_hash"],
            "completer": parent["to"]["completer"],
        },
        "moved": {
            "one": {"from": "13ea8aeab5eb", "to": "f2136f57aa80", "moves": ["value /status", "length +11%"]},
            "two": {"from": "e3472e5d91f8", "to": "1a37d11c965c", "moves": ["value /status", "length +11%"]},
        },
        "added": [],
        "removed": [],
        "kept": 0,
        "reason": "shorter words",
        "accepted_by": "Ada Brandt <ada@example.com>",
    }


def test_a_baseline_holds_the_completion_as_lines(pending: Repository) -> None:
    record(pending)
    found = json.loads(pending.read(BILLING + "one.json"))
    assert found["text"] == ['{"status": "refunded", "order_id": "ord_one"}', ""]
    digest = hashlib.sha256(b'{"status": "refunded", "order_id": "ord_one"}').hexdigest()
    assert found["digest"] == digest


def test_what_was_recorded_is_in_step_and_its_run_is_gone(pending: Repository) -> None:
    record(pending)
    pending.git("add", "-A")
    pending.lastgood("check")
    assert "pending run" not in pending.lastgood("status").out
    pending.lastgood("diff", code=4)


def test_only_the_prompt_asked_for_is_recorded(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: a\n", "prompts/support.txt": "say: b\n"})
    repo.lastgood("eval")
    before = repo.files()
    record(repo, "only this", "-p", "support")
    assert {path.split("/")[2] for path in changed(repo, before)} == {"support"}
    assert "pending run" in repo.lastgood("status", code=2).out


def test_a_new_case_and_a_retired_one_are_said(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")
    repo.lastgood("catalog", "retire", "two", "--reason", "asked twice")
    repo.lastgood("eval")
    record(repo, "three for two")
    found = json.loads(repo.read(BILLING + "migrations/0002_three-for-two.json"))
    assert (found["moved"], found["added"], found["removed"], found["kept"]) == ({}, ["three"], ["two"], 1)
    assert not (repo.root / BILLING / "two.json").exists()
    repo.git("add", "-A")
    repo.lastgood("check")


# --- nothing that is not news ---


def test_recording_again_writes_nothing(pending: Repository) -> None:
    record(pending)
    before = pending.files()
    pending.lastgood("eval")
    assert record(pending, "again") == (
        "nothing to record: the baseline already holds exactly this\n"
        "next: git add prompts/billing.txt baselines/stub/billing/ && git commit\n"
    )
    assert pending.files() == before


def test_recording_again_leaves_git_nothing_to_say(pending: Repository) -> None:
    record(pending)
    pending.git("add", "-A")
    pending.commit()
    pending.lastgood("eval")
    record(pending, "again")
    assert pending.git("status", "--porcelain", "-uall").out == ""


def test_a_run_with_nothing_new_is_done_with(repo: Repository) -> None:
    repo.lastgood("eval")
    record(repo, "nothing new")
    assert repo.lastgood("status").out.endswith("\nheld (0)\n")


def test_nothing_new_needs_neither_reason_nor_token(repo: Repository) -> None:
    repo.lastgood("eval")
    assert repo.lastgood("record").out == "nothing to record: the baseline already holds exactly this\n"


def test_a_case_that_did_not_move_keeps_its_bytes_even_where_no_digest_looks(repo: Repository) -> None:
    before = repo.files()
    repo.write({"stub.py": repo.read("stub.py").replace("print(", 'print("  ", ')})
    repo.lastgood("eval")
    record(repo, "leading space")
    moved = [path for path in changed(repo, before) if path.startswith("baselines/") and "/migrations/" not in path]
    assert moved == [BILLING + "HEAD", "baselines/stub/support/HEAD"]


def test_two_people_record_the_same_bytes_but_for_name_and_time(pending: Repository, tmp_path: Path) -> None:
    shutil.copytree(pending.root, tmp_path / "other", symlinks=True)
    other = Repository(tmp_path / "other", init=False)
    other.env = {"GIT_AUTHOR_NAME": "Bo Chen", "GIT_AUTHOR_EMAIL": "bo@example.com"}
    record(pending)
    record(other)
    ours, theirs = pending.files(), other.files()
    migration = BILLING + "migrations/0002_shorter-words.json"
    assert {path for path in ours if ours[path] != theirs[path]} == {migration, BILLING + "HEAD"}
    left, right = json.loads(ours[migration]), json.loads(theirs[migration])
    differing = {name for name in left if left[name] != right[name]}
    assert differing - {"accepted_at"} == {"accepted_by"}
    assert right["accepted_by"] == "Bo Chen <bo@example.com>"


def test_the_same_run_again_has_the_same_token(pending: Repository) -> None:
    token = pending.token()
    pending.lastgood("eval")
    assert pending.token() == token


# --- a suite's own pin ---


SUITE = suite("billing", case("one"), case("two"), prompt_sha256="0" * 64)


@pytest.fixture
def pinned(repo: Repository) -> Repository:
    """`repo`, its suite pinned to its prompt, with CRLF line endings and an indent of its own."""
    now = hashlib.sha256((repo.root / "prompts/billing.txt").read_bytes()).hexdigest()
    text = SUITE.replace("0" * 64, now).replace("\n", "\r\n").replace("  ", "\t")
    repo.write({"golden/billing/suite.json": text.encode()})
    repo.git("commit", "-qam", "pin the suite")
    repo.lastgood("check")
    return repo


def test_record_rewrites_that_one_value_and_keeps_line_endings_and_layout(pinned: Repository) -> None:
    path = pinned.root / "golden/billing/suite.json"
    before = path.read_bytes()
    pinned.write({"prompts/billing.txt": "say: refunded\n"})
    pinned.lastgood("eval")
    record(pinned)
    old, new = before.split(b"\r\n"), path.read_bytes().split(b"\r\n")
    assert [(left, right) for left, right in zip(old, new, strict=True) if left != right] == [
        (
            b'\t"prompt_sha256": "3aec1afd765bb35c' + before.partition(b"3aec1afd765bb35c")[2][:48] + b'",',
            b'\t"prompt_sha256": "' + hashlib.sha256(b"say: refunded\n").hexdigest().encode() + b'",',
        )
    ]
    pinned.git("add", "-A")
    pinned.lastgood("check")


def test_a_suite_pinned_to_other_bytes_is_out_of_step_until_recorded(pinned: Repository) -> None:
    text = pinned.read("golden/billing/suite.json").replace("3aec1afd765b", "000000000000")
    pinned.write({"golden/billing/suite.json": text.encode()})
    assert "the suite was written for other bytes of this prompt" in pinned.lastgood("status", code=2).out
    pinned.lastgood("eval")
    assert record(pinned, "the pin was wrong") == (
        "nothing to record: the baseline already holds exactly this\n"
        "wrote golden/billing/suite.json: its prompt_sha256 is that of the prompt now\n"
        "next: git add golden/billing/ && git commit\n"
    )
    pinned.git("add", "-A")
    pinned.lastgood("check")


def test_another_normalization_is_recorded_though_no_digest_moved(repo: Repository) -> None:
    dates = {"mode": "whitespace", "replace": [{"pattern": "[0-9]{4}-[0-9]{2}-[0-9]{2}", "with": "DATE"}]}
    repo.write({"golden/billing/suite.json": suite("billing", case("one"), case("two"), normalize=dates)})
    assert "was accepted under the normalization" in repo.lastgood("status", code=2).out
    assert repo.lastgood("eval").out.count("PASS") == 4
    record(repo, "dates move every day")
    repo.git("add", "-A")
    repo.lastgood("check")


# --- at a terminal ---


@pytest.mark.parametrize("typed", [b"y\n", b"yes\n", b"Y\n", b" YES \n"])
@pytest.mark.parametrize("env", [{}, {"CI": ""}], ids=["no CI", "CI="])
def test_a_yes_records_what_was_shown(pending: Repository, typed: bytes, env: dict[str, str]) -> None:
    code, shown = at_terminal(pending, LASTGOOD, "record", "--reason", "wanted", typed=typed, env=env)
    assert code == 0
    diff, _, after = shown.partition("Make these the last good completions? [y/N] ")
    assert '  "status": "refunded",' in diff
    assert "recorded stub/billing: 0002_wanted" in after
    pending.git("add", "-A")
    pending.lastgood("check")


@pytest.mark.parametrize("typed", [b"n\n", b"\n", b"nope\n", b"ja\n", b"\x04"], ids=repr)
def test_anything_else_leaves_the_run_pending(pending: Repository, typed: bytes) -> None:
    before = pending.files()
    token = pending.token()
    code, shown = at_terminal(pending, LASTGOOD, "record", "--reason", "wanted", typed=typed)
    assert code == 4
    assert "not accepted; the run stays pending" in shown
    assert "Traceback" not in shown
    assert pending.files() == before
    assert pending.token() == token


def test_ctrl_c_at_the_question_is_an_interruption(pending: Repository) -> None:
    before = pending.files()
    code, shown = at_terminal(pending, LASTGOOD, "record", "--reason", "wanted", typed=b"\x03")
    assert (code, "Traceback" in shown) == (130, False)
    assert pending.files() == before


def test_what_is_shown_before_the_question_is_what_diff_shows(pending: Repository) -> None:
    diff = pending.lastgood("diff").out.partition("accept: ")[0]
    _, shown = at_terminal(pending, LASTGOOD, "record", "--reason", "wanted", typed=b"n\n")
    assert shown.startswith(diff)


# --- reasons ---


@pytest.mark.parametrize(
    ("reason", "slug", "kept"),
    [
        pytest.param("Kürzere Absagen", "k-rzere-absagen", "Kürzere Absagen", id="unicode"),
        pytest.param("理由", "moved", "理由", id="no ASCII"),
        pytest.param("../../x", "x", "../../x", id="path"),
        pytest.param("two\nlines  of\ttext", "two-lines-of-text", "two lines of text", id="white space"),
        pytest.param("-- --accept", "accept", "-- --accept", id="dashes"),
        pytest.param("word " * 30, "word-word-word-word-word-word-word-word-word", ("word " * 30).strip(), id="long"),
        pytest.param("x" * 200, "x" * 48, "x" * 200, id="one long word"),
    ],
)
def test_a_reason_becomes_a_file_name_and_stays_whole(pending: Repository, reason: str, slug: str, kept: str) -> None:
    pending.lastgood("record", f"--reason={reason}", "--accept", pending.token())
    found = json.loads(pending.read(f"{BILLING}migrations/0002_{slug}.json"))
    assert (found["slug"], found["reason"]) == (slug, kept)
    pending.git("add", "-A")
    pending.lastgood("check")


def test_going_back_to_an_earlier_prompt_is_legal(pending: Repository) -> None:
    record(pending)
    pending.write({"prompts/billing.txt": "Answer with the status of an order.\nsay: paid\n"})
    pending.lastgood("eval")
    record(pending, "it was better before")
    first, third = (
        json.loads(pending.read(f"{BILLING}migrations/{name}.json"))
        for name in ("0001_first-baseline", "0003_it-was-better-before")
    )
    assert third["to"] == first["to"]
    pending.git("add", "-A")
    pending.lastgood("check")


# --- and back ---


def undo(said: str) -> str:
    return next(line for line in said.splitlines() if line.startswith("undo")).partition(": ")[2]


def test_it_says_how_it_is_undone(pending: Repository) -> None:
    before = pending.files()
    said = record(pending)
    pending.run("sh", "-ec", undo(said))
    assert changed(pending, before) == []


def test_a_first_record_is_undone_too(repo: Repository) -> None:
    repo.write({"prompts/new.txt": "say: new\n", "golden/new/suite.json": suite("new", case("one"))})
    repo.lastgood("catalog", "ship")
    repo.lastgood("eval", "-p", "new")
    before = repo.files()
    said = record(repo, "a new prompt", "-p", "new")
    assert undo(said) == "rm -r baselines/stub/new"
    repo.run("sh", "-ec", undo(said))
    assert changed(repo, before) == []


def test_many_files_are_undone_by_their_folder(repo: Repository) -> None:
    many = [case(f"c{number}") for number in range(20)]
    repo.write({"golden/billing/more.json": suite("billing", *many)})
    repo.lastgood("catalog", "ship")
    repo.write({"prompts/billing.txt": "say: refunded\n"})
    repo.lastgood("eval", "-p", "billing")
    before = repo.files()
    said = record(repo, "many", "-p", "billing")
    assert len(undo(said)) < 300
    repo.run("sh", "-ec", undo(said))
    assert changed(repo, before) == []


def test_recording_what_is_recorded_says_so_however_often(pending: Repository) -> None:
    record(pending)
    pending.lastgood("eval")
    said = [pending.lastgood("record", "--reason", "again").out for _ in range(2)]
    assert said[0].startswith("nothing to record: the baseline already holds exactly this\n")
    assert said[0] == said[1]


# --- an earlier migration ---

FIRST = {"prompts/billing.txt": "Answer with the status of an order.\nsay: paid\n"}


@pytest.fixture
def moved_on(pending: Repository) -> Repository:
    """`billing` at migration 2, committed; its completer can answer no more."""
    record(pending, "refunds")
    pending.git("add", "-A")
    pending.commit("refunds")
    return pending


def restore(repo: Repository, *words: str, code: int = 0) -> str:
    out = repo.lastgood("diff", "-p", "billing", "--restore", "1", code=None).out
    token = next((line.split()[1] for line in out.splitlines() if line.startswith("token ")), "0" * 12)
    done = repo.lastgood(
        *("record", "-p", "billing", "--restore", "1", "--accept", token, "--reason", "back", *words), code=code
    )
    return done.said


def test_what_accepts_an_earlier_completion_can_be_typed_where_make_runs_lastgood(moved_on: Repository) -> None:
    moved_on.write({"Makefile": "record:\n\t.venv/bin/lastgood record\n", **FIRST})
    out = moved_on.lastgood("diff", "-p", "billing", "--restore", "1", code=None).out
    last = out.splitlines()[-1]
    assert last.startswith("accept: .venv/bin/lastgood record -p billing -c stub --restore 1 --accept ")
    assert last.endswith(" --reason '…'")


def test_an_earlier_prompt_comes_back_with_its_answers_and_nothing_is_run(moved_on: Repository) -> None:
    before = {path: data for path, data in moved_on.files(BILLING).items() if "migrations" not in path}
    old = {name: moved_on.git("show", f"HEAD~1:{BILLING}{name}").out.encode() for name in ("one.json", "two.json")}
    moved_on.write(FIRST)
    moved_on.git("add", "-A")
    said = restore(moved_on)
    assert "recorded stub/billing: 0003_back\n" in said
    assert {name: (moved_on.root / BILLING / name).read_bytes() for name in old} == old
    assert before[BILLING + "one.json"] != old["one.json"]
    found = json.loads(moved_on.read(BILLING + "migrations/0003_back.json"))
    first = json.loads(moved_on.read(BILLING + "migrations/0001_first-baseline.json"))
    assert found["to"] == first["to"]
    assert found["moved"]["one"]["moves"] == ["value /status"]
    moved_on.git("add", "-A")
    moved_on.lastgood("check")
    moved_on.lastgood("stub")


def test_the_prompt_must_be_that_one_again(moved_on: Repository) -> None:
    message = restore(moved_on, code=4)
    assert re.search(
        r"^lastgood: the prompt billing is bef6cc63192e now, and migration 1 is of 3aec1afd765b\n"
        r"  run  git checkout [0-9a-f]{12} -- prompts/billing\.txt\n$",
        message,
    )
    moved_on.run("sh", "-ec", message.partition("run  ")[2])
    assert "recorded" in restore(moved_on)


def test_the_answers_are_graded_by_the_cases_of_now(moved_on: Repository) -> None:
    stricter = case("one", 2, expect={"json": True, "status_in": ["refunded"]})
    moved_on.write(FIRST | {"golden/billing/one-2.json": json.dumps({"prompt_id": "billing", **stricter})})
    moved_on.lastgood("catalog", "ship", "--reason", "stricter")
    assert "a failing case is never recorded: one: status_not_in:'paid'" in restore(moved_on, code=4)


def test_a_case_that_is_younger_has_no_answer_there(moved_on: Repository) -> None:
    moved_on.write(FIRST | {"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    moved_on.lastgood("catalog", "ship")
    assert "migration 1 holds no answer of: three" in restore(moved_on, code=4)


def test_another_completer_cannot_take_over_the_answers(moved_on: Repository) -> None:
    moved_on.write(FIRST | {"stub.py": moved_on.read("stub.py") + "# edited\n"})
    assert "its answers are another one's" in restore(moved_on, code=4)


def test_what_git_never_held_cannot_come_back(pending: Repository) -> None:
    record(pending, "refunds")
    pending.write({"prompts/billing.txt": "say: lost\n"})
    pending.accept("lost", "-p", "billing")
    pending.write({"prompts/billing.txt": "Answer with the status of an order.\nsay: refunded\n"})
    words = ("record", "-p", "billing", "--restore", "2", "--reason", "back")
    assert "git's history does not hold what migration 2 of billing accepted" in pending.lastgood(*words, code=4).err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--restore", "7", "-p", "billing"], "no migration 7 of stub here"),
        (["--restore", "1"], "several prompts have a migration 1 (billing, support): name one"),
        (["--restore", "0"], "must be a whole number from 1"),
    ],
    ids=["none", "several", "zero"],
)
def test_a_migration_must_be_one(moved_on: Repository, words: list[str], why: str) -> None:
    assert why in moved_on.lastgood("record", *words, "--reason", "back", code=4).err


def test_restoring_is_read_before_it_is_accepted(moved_on: Repository) -> None:
    moved_on.write(FIRST)
    words = ("record", "-p", "billing", "--restore", "1", "--reason", "back")
    assert "nothing shows that the diff was read" in moved_on.lastgood(*words, code=4).err
    code, shown = at_terminal(moved_on, LASTGOOD, *words, typed=b"y\n")
    assert (code, "DIFF one  f2136f57aa80 → 13ea8aeab5eb" in shown, "recorded stub/billing" in shown) == (0, True, True)


def test_what_git_does_not_hold_is_never_undone_by_git(pending: Repository) -> None:
    """A second record before the first was staged: undoing it by the index would leave half of the first."""
    record(pending)
    pending.write({"prompts/billing.txt": "say: late\n"})
    pending.lastgood("eval", "-p", "billing")
    said = record(pending, "late", "-p", "billing")
    assert "undo" in said
    assert "git checkout" not in said
    assert (
        "no undo by git, whose index did not hold: baselines/stub/billing/HEAD (edited, not staged), "
        "baselines/stub/billing/migrations/0002_"
    ) in said


def test_a_suite_that_git_does_not_know_is_never_removed(repo: Repository) -> None:
    """Its `prompt_sha256` is rewritten; an undo that removed the file would take the person's cases with it."""
    old = repo.lastgood("status", "--json").out.partition('"prompt_sha256": "')[2][:64]
    repo.write(
        {
            "prompts/new.txt": "say: new\n",
            "golden/new/suite.json": suite("new", case("one"), prompt_sha256=old),
        }
    )
    repo.lastgood("catalog", "ship")
    repo.lastgood("eval", "-p", "new", code=None)
    said = record(repo, "a new prompt", "-p", "new")
    assert old not in repo.read("golden/new/suite.json")
    assert "rm " not in said
    assert "no undo by git, whose index did not hold: golden/new/suite.json (untracked)\n" in said
