"""Files carry a format: a newer one is a clear 4 wherever it is read, and `upgrade` says which they are of."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import pytest

from lastgood.core.formats import FILES
from repository import case, suite

if TYPE_CHECKING:
    from collections.abc import Callable

    from repository import Repository

SAID = "is of format 2, and this lastgood reads 1"
HEAD = "baselines/stub/billing/HEAD"
MIGRATION = "baselines/stub/billing/migrations/0001_first-baseline.json"
RUN = ".lastgood/runs/stub/billing/run.jsonl"
REVIEW = ".lastgood/runs/stub/billing/review.json"


def newer_object(text: str) -> str:
    # Also with a key that nobody knows here, before the format in every order: the format is what to tell.
    return json.dumps({"a_new_key": 1, **json.loads(text), "format": 2})


def newer_head(text: str) -> str:
    return text.rstrip("\n") + " format=2\n"


def newer_run(text: str) -> str:
    return text.replace('"lastgood_run": 1', '"lastgood_run": 2') + "a line of another form\n"


def newer_config(text: str) -> str:
    return 'format = 2\nnew_setting = "x"\n' + text


# Kind of file → where it lies, and how a newer lastgood would have written it.
KEPT: dict[str, tuple[str, Callable[[str], str]]] = {
    "config": ("lastgood.toml", newer_config),
    "case": ("golden/support/late.json", newer_object),
    "suite": ("golden/billing/suite.json", newer_object),
    "catalog": ("golden/billing/catalog.json", newer_object),
    "baseline": ("baselines/stub/billing/one.json", newer_object),
    "migration": (MIGRATION, newer_object),
    "HEAD": (HEAD, newer_head),
    "run": (RUN, newer_run),
}
OF_A_TREE = [kind for kind in KEPT if kind != "run"]
READ = [
    ["check"], ["check", "--all"], ["stub"], ["gate"], ["status"], ["eval"], ["diff"], ["record", "--reason", "x"],
    ["report"], ["upgrade"], ["catalog", "ship"],
]  # fmt: skip


def test_every_kind_of_file_is_tried() -> None:
    assert {*KEPT, "review", "score", "pair_baseline"} == set(FILES)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make_newer(repo: Repository, kind: str) -> None:
    path, newer = KEPT[kind]
    repo.write({path: newer(repo.read(path)).encode()})
    if kind != "run":
        repo.git("add", "-A")


@pytest.mark.parametrize("words", READ, ids=" ".join)
@pytest.mark.parametrize("kind", OF_A_TREE)
def test_a_newer_file_is_4_and_nothing_is_written(pending: Repository, kind: str, words: list[str]) -> None:
    if words[0] == "catalog" and KEPT[kind][0].startswith("baselines/"):
        return  # it looks at no baseline
    make_newer(pending, kind)
    before = pending.files()
    done = pending.lastgood(*words, code=4)
    assert SAID in done.said
    assert KEPT[kind][0] in done.said
    assert words == ["status"] or "install a newer lastgood" in done.said
    assert "Traceback" not in done.said
    assert pending.files() == before


RUNS = [["status"], ["eval"], ["eval", "--all"], ["diff"], ["record", "--reason", "x"], ["report"], ["upgrade"]]


@pytest.mark.parametrize("words", RUNS, ids=" ".join)
def test_a_newer_run_is_4_and_stays(pending: Repository, words: list[str]) -> None:
    make_newer(pending, "run")
    before = pending.read(RUN)
    done = pending.lastgood(*words, code=4)
    assert SAID in done.said
    assert pending.read(RUN) == before
    assert not (pending.root / f"{RUN}.unreadable").exists()


def test_a_newer_review_is_4_and_stays(pending: Repository) -> None:
    from terminal import at_terminal

    pending.write({REVIEW: '{"lastgood_review": 2, "other": []}\n'})
    before = pending.read(REVIEW)
    ended, shown = at_terminal(pending, pending.tool("lastgood"), "review", typed=b"q")
    assert ended == 4, shown
    assert SAID in shown
    assert pending.read(REVIEW) == before


@pytest.mark.parametrize("at", ["--old", "--new"])
def test_a_newer_score_document_is_4(repo: Repository, at: str) -> None:
    score = {"suite_hash": "ab" * 8, "n": 1, "passed": 1, "failed": 0, "scores": []}
    repo.write({"a.json": newer_object(json.dumps(score))})
    repo.write({"cases/one.json": json.dumps({"prompt_id": "billing", **case("one")})})
    repo.write({"traces.json": json.dumps({"one": {"tool_calls": [], "final_text": "{}"}})})
    repo.lastgood("grade", "--cases", "cases", "--traces", "traces.json", "--out", "b.json", code=1)
    other = "--new" if at == "--old" else "--old"
    assert SAID in repo.lastgood("compare", at, "a.json", other, "b.json", code=4).err


@pytest.mark.parametrize("newer", ["g.json", "b.json"])
def test_a_newer_file_of_pair_is_4(repo: Repository, newer: str) -> None:
    files = {"g.json": suite("p", case("one"), prompt_sha256=sha256(repo.read("prompts/billing.txt"))), "b.json": "{}"}
    repo.write(files | {newer: newer_object(files[newer])})
    words = ["--prompt", "prompts/billing.txt", "--golden", "g.json", "--baseline", "b.json"]
    done = repo.lastgood("pair", *words, "--", "python3", "stub.py", code=4)
    assert SAID in done.err
    assert f"{newer} /format: " in done.err


@pytest.mark.parametrize("said", [1, 0, -2, 2.0, True, "2", None])
def test_what_is_no_newer_number_is_an_unknown_key(repo: Repository, said: object) -> None:
    path = "golden/billing/catalog.json"
    repo.write({path: json.dumps({**json.loads(repo.read(path)), "format": said})})
    repo.git("add", "-A")
    assert "unknown key of a lastgood catalog 'format'" in repo.lastgood("check", code=4).err


def test_upgrade_counts_what_it_read(pending: Repository) -> None:
    before = pending.files()
    done = pending.lastgood("upgrade")
    assert done.out == (
        "1 configuration, 2 catalogs, 2 files of golden cases, 3 baselines, 2 migrations, 2 HEADs, 2 pending runs: "
        "all of format 1, the newest\n"
        "lastgood upgrade: held (0): 14 files, nothing to upgrade\n"
    )
    assert pending.files() == before


def test_upgrade_says_what_it_cannot_read(repo: Repository) -> None:
    repo.write({"golden/billing/suite.json": "{"})
    done = repo.lastgood("upgrade", code=4)
    assert "golden/billing/suite.json" in done.err
    assert "lastgood upgrade: cannot tell (4): 1 finding in the working tree; nothing was written" in done.err


def test_upgrade_of_nothing_is_4(repo: Repository) -> None:
    repo.git("rm", "-r", "-q", "golden", "baselines")
    assert "nothing to look at" in repo.lastgood("upgrade", code=4).err
