"""`eval`: what is asked, of whom, in which order it is shown, and what is kept of it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil

import pytest

from pending import configure, run_of, untimed
from repository import Repository, case, suite

PROCESS = """\
    import json, os, sys
    request = json.load(sys.stdin)
    open(f"asked-{os.environ['LASTGOOD_CASE_ID']}", "w").close()
    print(json.dumps({"status": "paid", "order_id": request["order_id"]}))
    """

LINES = """\
    import json, sys
    for line in sys.stdin:
        request = json.loads(line)
        text = json.dumps({"status": "paid", "order_id": request["input"]["order_id"]})
        print(json.dumps({"id": request["id"], "output": text}), flush=True)
    """


JOURNAL = ".lastgood/runs/stub/billing/run.jsonl"


# --- what is printed ---


def test_nothing_moved(repo: Repository) -> None:
    assert untimed(repo.lastgood("eval").out) == (
        "billing: 3aec1afd765b pinned, 2 cases, completer stub\n"
        "support: 8544f74d6678 pinned, 1 case, completer stub\n"
        "PASS one digest=13ea8aeab5eb\n"
        "PASS two digest=e3472e5d91f8\n"
        "PASS late digest=c4582f68530f\n"
        "3 answers in … s\n"
        "3 cases: 3 PASS\n"
    )


def test_a_pass_a_move_a_failure_and_a_new_case(repo: Repository) -> None:
    three = case("three", expect={"json": True, "required_keys": ["price"]})
    four = case("four", input={"order_id": "ord_one"})
    repo.write({"golden/billing/suite.json": suite("billing", case("one"), case("two"), three, four)})
    repo.lastgood("catalog", "ship")
    repo.write({"prompts/billing.txt": "say: refunded\n"})
    assert untimed(repo.lastgood("eval", code=1).out) == (
        "billing: moved 3aec1afd765b → 1495d9c48bd4, 4 cases, completer stub\n"
        "support: 8544f74d6678 pinned, 1 case, completer stub\n"
        "DIFF one digest=f2136f57aa80 prev=13ea8aeab5eb\n"
        "DIFF two digest=1a37d11c965c prev=e3472e5d91f8\n"
        "FAIL three digest=f90c69ae81cf missing_key:price\n"
        '     expected the key "price", got only ["status", "order_id"]\n'
        "NEW four digest=f2136f57aa80\n"
        "PASS late digest=c4582f68530f\n"
        "5 answers in … s\n"
        "5 cases: 1 PASS, 1 FAIL, 2 DIFF, 1 NEW\n"
        "next: lastgood diff -c stub\n"
    )


def test_a_move_among_passing_cases_is_called_what_it_is(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: refunded\n"})
    assert repo.lastgood("eval", "-p", "billing").out.endswith(
        "2 cases: 2 DIFF\n"
        "every assertion holds, 2 moved: a regression report, not a success\n"
        "next: lastgood diff -p billing -c stub\n"
    )


def test_a_prompt_without_a_baseline_says_so(repo: Repository) -> None:
    repo.write(
        {
            "prompts/new.txt": "say: paid\n",
            "golden/new/suite.json": suite("new", case("first")),
        }
    )
    repo.lastgood("catalog", "ship")
    out = repo.lastgood("eval", "-p", "new", "--fail-on-diff", code=3).out
    assert "no baseline, 1 case, completer stub" in out
    assert "NEW first digest=" in out
    assert "1 never accepted yet" in out


def test_the_order_is_the_suites_however_answers_come(repo: Repository) -> None:
    """The first case answers only after the last one did."""
    names = ["a", "b", "c", "d"]
    repo.write({"golden/billing/suite.json": suite("billing", *(case(name) for name in [*names, "one", "two"]))})
    repo.lastgood("catalog", "ship")
    wait = f"while request['order_id'] == 'ord_a' and '\"two\"' not in open('{JOURNAL}').read(): time.sleep(0.01)"
    waits = PROCESS.replace("open(f", f"{wait}\n    open(f").replace("import json", "import time, json")
    repo.write({"stub.py": waits})
    out = repo.lastgood("eval", "-p", "billing", "-j", "2").out
    shown = [line.split()[1] for line in out.splitlines() if " digest=" in line]
    assert shown == [*names, "one", "two"]
    assert [answer["id"] for answer in run_of(repo)[1:]][-1] == "a"


def test_one_case_at_a_time_when_asked(repo: Repository) -> None:
    repo.lastgood("eval", "-p", "billing", "-j", "1")
    assert [answer["id"] for answer in run_of(repo)[1:]] == ["one", "two"]


# --- what is asked ---


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        pytest.param([], {"one", "two", "late"}, id="all"),
        pytest.param(["-p", "support"], {"late"}, id="a prompt"),
        pytest.param(["-p", "support", "-p", "billing"], {"one", "two", "late"}, id="two prompts"),
        pytest.param(["-k", "two"], {"two"}, id="a case"),
        pytest.param(["-k", "two", "-k", "late"], {"two", "late"}, id="cases of two prompts"),
        pytest.param(["-p", "billing", "-k", "one"], {"one"}, id="a case of a prompt"),
    ],
)
def test_only_what_was_asked_for_is_run(repo: Repository, words: list[str], asked: set[str]) -> None:
    repo.write({"stub.py": PROCESS})
    repo.lastgood("eval", *words)
    assert {name[6:] for name in os.listdir(repo.root) if name.startswith("asked-")} == asked


@pytest.mark.parametrize(
    ("words", "why"),
    [
        pytest.param(["-p", "nowhere"], "no prompt 'nowhere' (there are: billing, support)", id="prompt"),
        pytest.param(["-k", "nine"], "no active case 'nine' (there are: late, one, two)", id="case"),
        pytest.param(["-k", "one", "-k", "nine"], "no active case 'nine'", id="one case of two"),
        pytest.param(["-p", "support", "-k", "one"], "no active case 'one' (there are: late)", id="another prompt's"),
        pytest.param(["-k", "o*"], "no active case 'o*'", id="glob"),
        pytest.param(["-c", "nobody"], "no completer 'nobody' is configured (there are: stub)", id="completer"),
        pytest.param(["-p", ""], "no prompt ''", id="empty"),
    ],
)
def test_a_filter_that_matches_nothing_is_refused(repo: Repository, words: list[str], why: str) -> None:
    done = repo.lastgood("eval", *words, code=4)
    assert done.out == ""
    assert why in done.err


def test_a_retired_case_is_not_asked(repo: Repository) -> None:
    repo.lastgood("catalog", "retire", "two", "--reason", "x")
    assert " two " not in repo.lastgood("eval").out
    assert "no active case 'two'" in repo.lastgood("eval", "-k", "two", code=4).err


def test_a_command_after_two_dashes_wins_and_keeps_its_own_options(repo: Repository) -> None:
    repo.write({"other.py": "import sys, json\nprint(json.dumps({'status': sys.argv[1:], 'order_id': 'x'}))\n"})
    out = repo.lastgood("eval", "-k", "late", "--", "python3", "other.py", "-k", "one", "--", "--help").out
    assert "DIFF late" in out
    assert run_of(repo, "support")[0]["command"] == ["python3", "other.py", "-k", "one", "--", "--help"]
    assert run_of(repo, "support")[1]["output"] == '{"status": ["-k", "one", "--", "--help"], "order_id": "x"}\n'


def test_an_unfinished_command_is_refused(repo: Repository) -> None:
    assert "no command after --" in repo.lastgood("eval", "--", code=4).err


# --- what a completer gets ---


TELLS = """\
    import hashlib, json, os, sys
    request = json.load(sys.stdin)
    with open(os.environ["LASTGOOD_PROMPT_FILE"], "rb") as file:
        data = file.read()
    print(json.dumps({
        "status": "paid", "order_id": "x", "request": request, "sha256": hashlib.sha256(data).hexdigest(),
        "told": {name: os.environ.get(name, "") for name in ("LASTGOOD_PROMPT_SHA256", "LASTGOOD_CASE_ID")},
        "git": sorted(name for name in os.environ if name.startswith("GIT_")),
    }))
    """


@pytest.mark.parametrize(
    "data",
    [b"plain\n", b"no line feed", b"two\r\nlines\r\n", "grün\n".encode(), b"\xff\xfe not UTF-8\0"],
    ids=["text", "no final line feed", "CRLF", "unicode", "bytes"],
)
def test_the_prompt_file_holds_exactly_the_hashed_bytes(repo: Repository, data: bytes) -> None:
    repo.write({"stub.py": TELLS, "prompts/support.txt": data})
    repo.lastgood("eval", "-p", "support", code=None)
    told = json.loads(run_of(repo, "support")[1]["output"])
    digest = hashlib.sha256(data).hexdigest()
    assert told == {
        "status": "paid",
        "order_id": "x",
        "request": {"prompt_id": "support", "order_id": "ord_late"},
        "sha256": digest,
        "told": {"LASTGOOD_PROMPT_SHA256": digest, "LASTGOOD_CASE_ID": "late"},
        "git": told["git"],
    }
    assert not {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"} & set(told["git"])


def test_the_prompt_file_holds_what_git_would_store_not_what_the_disk_holds(repo: Repository) -> None:
    repo.write({".gitattributes": "prompts/** text eol=crlf\n", "stub.py": TELLS})
    repo.git("rm", "-q", "--cached", "prompts/support.txt")
    repo.write({"prompts/support.txt": b"two\r\nlines\r\n"})
    repo.git("add", "-A")
    repo.lastgood("eval", "-p", "support", code=None)
    told = json.loads(run_of(repo, "support")[1]["output"])
    assert told["sha256"] == hashlib.sha256(b"two\nlines\n").hexdigest() == told["told"]["LASTGOOD_PROMPT_SHA256"]


def test_both_protocols_give_the_same_digests(repo: Repository) -> None:
    def digests() -> list[str]:
        return [line for line in repo.lastgood("eval", code=None).out.splitlines() if " digest=" in line]

    repo.write({"stub.py": PROCESS})
    by_process = digests()
    repo.write({"stub.py": LINES})
    configure(repo, protocol="lines")
    assert digests() == by_process


# --- what is kept ---


def test_the_run_keeps_exact_texts_and_what_it_was_taken_of(repo: Repository) -> None:
    repo.lastgood("eval", "-p", "support")
    header, answer = run_of(repo, "support")
    assert (header["prompt_id"], header["completer"], header["command"]) == ("support", "stub", ["python3", "stub.py"])
    assert answer["output"] == '{"status": "pending", "order_id": "ord_late"}\n'


def test_eval_changes_no_file_of_the_tree(repo: Repository) -> None:
    before = repo.files()
    index = (repo.root / ".git/index").read_bytes()
    repo.lastgood("eval")
    assert repo.files() == before
    assert (repo.root / ".git/index").read_bytes() == index
    assert repo.git("status", "--porcelain", "-uall").out == ""


def test_a_run_folder_that_cannot_be_made_is_one_sentence(repo: Repository) -> None:
    shutil.rmtree(repo.root / ".lastgood")
    repo.write({".lastgood": "a file"})
    done = repo.lastgood("eval", code=4)
    assert "the run folder cannot be written" in done.err
    assert "Traceback" not in done.err


# --- what cannot be asked ---


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        pytest.param("{", "", id="not JSON"),
        pytest.param(suite("billing", case("one", expekt={})), "/cases/0", id="unknown key"),
        pytest.param(suite("billing", case("one"), case("two", expect={"json": 1})), "/cases/1/expect/json", id="type"),
        pytest.param(suite("billing", case("one", expect={})), "/cases/0", id="asserts nothing"),
        pytest.param(suite("billing", case("one"), case("one")), "/cases/1", id="case twice"),
        pytest.param('{"prompt_id": "billing", "cases": []}', "/cases", id="no case"),
    ],
)
def test_a_malformed_suite_is_named_with_its_place(repo: Repository, text: str, pointer: str) -> None:
    repo.write({"golden/billing/suite.json": text})
    done = repo.lastgood("eval", "-p", "billing", code=4)
    assert f"golden/billing/suite.json{' ' + pointer if pointer else ''}" in done.err
    assert "lastgood eval: cannot tell (4)" in done.err
    assert "PASS" not in done.out


def test_another_prompts_malformed_suite_is_not_in_the_way(repo: Repository) -> None:
    repo.write({"golden/billing/suite.json": "{"})
    repo.lastgood("eval", "-p", "support")


def test_a_prompt_without_cases_cannot_be_asked(repo: Repository) -> None:
    repo.write({"prompts/new.txt": "x"})
    assert "no case to ask of new: nothing would be checked" in repo.lastgood("eval", "-p", "new", code=4).err


def test_a_completer_that_is_not_there_fails_its_cases(repo: Repository) -> None:
    out = repo.lastgood("eval", "-k", "late", "--", "no-such-program", code=1).out
    assert "FAIL late digest=------------ completer_failed:" in out


def test_a_file_in_conflict_is_not_taken_for_resolved(repo: Repository) -> None:
    """Its markers must not be evaluated, and recorded, as a prompt."""
    repo.git("checkout", "-q", "-b", "other")
    repo.write({"prompts/billing.txt": "say: failed\n"})
    repo.commit("theirs", "-a", "--no-verify")
    repo.git("checkout", "-q", "main")
    repo.write({"prompts/billing.txt": "say: pending\n"})
    repo.commit("ours", "-a", "--no-verify")
    repo.git("merge", "-q", "other", code=1)
    assert "prompts/billing.txt: unmerged path" in repo.lastgood("eval", code=4).err
    assert "prompts/billing.txt" in repo.lastgood("status", code=4).out
