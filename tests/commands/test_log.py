"""`log` and `show`: the history of accepted moves, as the working tree tells it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from repository import Repository


@pytest.fixture
def told(pending: Repository) -> Repository:
    """Two migrations of `billing`, one of `support`."""
    pending.lastgood("record", "--reason", "Shorter words, says Ada", "--accept", pending.token())
    return pending


def hashes(repo: Repository) -> list[str]:
    return re.findall(r"^migration ([0-9a-f]{16})", repo.lastgood("log").out, re.MULTILINE)


def timeless(text: str) -> str:
    return re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)


def test_the_newest_first_with_who_when_what_and_why(told: Repository) -> None:
    newest, oldest = hashes(told)[0], hashes(told)[-1]
    out = timeless(told.lastgood("log", "billing").out)
    assert out == (
        f"migration {newest}  stub/billing  0002_shorter-words-says-ada\n"
        "Accepted: Ada Brandt <ada@example.com>\n"
        "Date:     TIME\n"
        "Prompt:   3aec1afd765b → bef6cc63192e\n"
        "Cases:    2 moved\n"
        "\n"
        "    Shorter words, says Ada\n"
        "\n"
        "    one  13ea8aeab5eb → f2136f57aa80  value /status, length +11%\n"
        "    two  e3472e5d91f8 → 1a37d11c965c  value /status, length +11%\n"
        "\n"
        f"migration {oldest}  stub/billing  0001_first-baseline\n"
        "Accepted: Ada Brandt <ada@example.com>\n"
        "Date:     TIME\n"
        "Prompt:   3aec1afd765b (first baseline)\n"
        "Cases:    2 added\n"
        "\n"
        "    first baseline\n"
    )


def test_the_hash_is_the_one_in_head(told: Repository) -> None:
    assert told.read("baselines/stub/billing/HEAD").split()[1] == hashes(told)[0]


def test_json_holds_whole_migrations(told: Repository) -> None:
    found = json.loads(told.lastgood("log", "--json").out)
    assert [row["hash"] for row in found] == hashes(told)
    assert found[0]["path"] == "baselines/stub/billing/migrations/0002_shorter-words-says-ada.json"
    whole = json.loads(told.read(found[0]["path"]))
    assert {name: found[0][name] for name in whole} == whole


@pytest.mark.parametrize(
    ("words", "count"),
    [(["support"], 1), (["-c", "stub"], 3), ([], 3)],
    ids=["a prompt", "a completer", "all"],
)
def test_only_what_was_asked_for(told: Repository, words: list[str], count: int) -> None:
    assert told.lastgood("log", *words).out.count("\nAccepted: ") == count


@pytest.mark.parametrize("words", [["nowhere"], ["-c", "nobody"]], ids=" ".join)
def test_what_is_not_there_is_4(told: Repository, words: list[str]) -> None:
    done = told.lastgood("log", *words, code=4)
    assert (done.out, "Traceback" in done.err) == ("", False)


def name_of(repo: Repository, how: str) -> str:
    newest = hashes(repo)[0]
    return {
        "hash": newest,
        "beginning of its hash": newest[:6],
        "name": "0002_shorter-words-says-ada",
        "file name": "0002_shorter-words-says-ada.json",
        "path": "baselines/stub/billing/migrations/0002_shorter-words-says-ada.json",
        "prompt and number": "billing@2",
    }[how]


@pytest.mark.parametrize("how", ["hash", "beginning of its hash", "name", "file name", "path", "prompt and number"])
def test_a_migration_is_known_by_its(told: Repository, how: str) -> None:
    out = told.lastgood("show", name_of(told, how)).out
    parent = hashes(told)[-1]
    assert timeless(out).startswith(f"migration {hashes(told)[0]}  stub/billing  0002_shorter-words-says-ada\n")
    assert f"\n  parents  {parent}\n" in out
    assert re.search(r"^  prompt_sha256  3aec1afd765bb35c → [0-9a-f]{16}$", out, re.MULTILINE)
    assert re.search(r"^  suite_hash     5b92aff59e03a8e1$", out, re.MULTILINE)


@pytest.mark.parametrize("name", ["nonsense", "0", "billing@9", ""])
def test_an_unknown_migration_is_4(told: Repository, name: str) -> None:
    message = told.lastgood("show", name, code=4).err
    assert message == f"lastgood: no migration {name!r}\n  run  lastgood log\n"


def test_a_name_that_several_have_is_4_and_lists_them(told: Repository) -> None:
    message = told.lastgood("show", "0001_first-baseline", code=4).err
    assert "several migrations are called '0001_first-baseline'" in message
    assert "(stub/billing)" in message
    assert "(stub/support)" in message


def test_a_reason_cannot_drive_the_terminal(pending: Repository) -> None:
    pending.lastgood("record", "--reason", "\x1b[2Jcleared \u202etxet", "--accept", pending.token())
    for words in (["log"], ["show", "billing@2"]):
        out = pending.lastgood(*words).out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_a_completer_that_is_none_is_told_those_that_are(told: Repository) -> None:
    for words in (["log", "-c", "stbu"], ["show", "billing@2", "-c", "stbu"]):
        assert told.lastgood(*words, code=4).err == "lastgood: no completer 'stbu' (there are: stub)\n"


def moves_of(repo: Repository, name: str, *words: str) -> str:
    return repo.lastgood("show", name, *words).out.partition("\n  suite_hash")[2].partition("\n")[2]


MOVED = """
  one  13ea8aeab5eb → f2136f57aa80
        {
       -  "status": "paid",
       +  "status": "refunded",
          "order_id": "ord_one"
        }

  two  e3472e5d91f8 → 1a37d11c965c
        {
       -  "status": "paid",
       +  "status": "refunded",
          "order_id": "ord_two"
        }
"""


def test_what_moved_is_shown_from_git_before_and_after_it_is_committed(told: Repository) -> None:
    assert moves_of(told, "billing@2") == MOVED
    told.git("add", "-A")
    told.commit("refunds")
    assert moves_of(told, "billing@2") == MOVED
    told.write({"prompts/billing.txt": "say: lost\n"})
    told.accept("lost orders are told", "-p", "billing")
    assert moves_of(told, "billing@2") == MOVED
    told.git("add", "-A")
    told.commit("lost")
    assert moves_of(told, "billing@2") == MOVED
    assert moves_of(told, "billing@2", "--no-diff") == ""
    assert '+  "status": "lost"' in moves_of(told, "billing@3")


def test_what_git_never_held_is_said_to_be_missing(told: Repository) -> None:
    told.write({"prompts/billing.txt": "say: lost\n"})
    told.accept("lost orders are told", "-p", "billing")
    assert "       not in git's history here" in moves_of(told, "billing@2")
