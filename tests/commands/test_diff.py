"""`diff`: what a person reads before accepting, and the token that stands for exactly that."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from repository import LASTGOOD, Repository, case, suite
from terminal import at_terminal

if TYPE_CHECKING:
    from collections.abc import Callable


def document(repo: Repository, *words: str, code: int | None = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(repo.lastgood("diff", "--format", "json", *words, code=code).out)
    return found


def cases_of(repo: Repository, prompt: str = "billing", code: int | None = 0) -> dict[str, dict[str, Any]]:
    prompts = {found["prompt_id"]: found for found in document(repo, code=code)["prompts"]}
    return {found["id"]: found for found in prompts[prompt]["cases"]}


def test_the_whole_of_it(pending: Repository) -> None:
    token = pending.token()
    assert pending.lastgood("diff").out == (
        "billing  3aec1afd765b → bef6cc63192e  completer stub\n"
        "  DIFF one  13ea8aeab5eb → f2136f57aa80  value /status, length +11%\n"
        "        {\n"
        '       -  "status": "paid",\n'
        '       +  "status": "refunded",\n'
        '          "order_id": "ord_one"\n'
        "        }\n"
        "  DIFF two  e3472e5d91f8 → 1a37d11c965c  value /status, length +11%\n"
        "        {\n"
        '       -  "status": "paid",\n'
        '       +  "status": "refunded",\n'
        '          "order_id": "ord_two"\n'
        "        }\n"
        "\n"
        "support  8544f74d6678  completer stub\n"
        "  PASS late  c4582f68530f\n"
        "\n"
        "100% pass, 2 moved, 0 new, 0 failed: a regression report, not a success\n"
        f"token {token}\n"
        f"accept: lastgood record -c stub --accept {token} --reason '…'\n"
    )


def test_json_says_the_same(pending: Repository) -> None:
    found = document(pending)
    assert found["token"] == pending.token()
    assert found["counts"] == {"PASS": 1, "FAIL": 0, "DIFF": 2, "NEW": 0, "UNSTABLE": 0}
    assert [prompt["prompt_id"] for prompt in found["prompts"]] == ["billing", "support"]
    one = cases_of(pending)["one"]
    assert (one["status"], one["moves"], one["added"], one["removed"]) == (
        "DIFF",
        ["value /status", "length +11%"],
        1,
        1,
    )
    assert (one["from"][:12], one["to"][:12]) == ("13ea8aeab5eb", "f2136f57aa80")
    assert [line for line in one["diff"] if line[:1] in "+-"] == ['-  "status": "paid",', '+  "status": "refunded",']


def test_it_may_be_read_as_often_as_one_likes(pending: Repository) -> None:
    first = pending.lastgood("diff").out
    assert pending.lastgood("diff").out == first
    assert pending.git("status", "--porcelain", "-uall").out == " M prompts/billing.txt\n"


def test_one_prompt_alone_has_a_token_of_its_own(pending: Repository) -> None:
    out = pending.lastgood("diff", "-p", "billing").out
    token = pending.token("-p", "billing")
    assert "support" not in out
    assert token != pending.token()
    assert out.endswith(f"accept: lastgood record -p billing -c stub --accept {token} --reason '…'\n")
    pending.lastgood("record", "-p", "billing", "--accept", token, "--reason", "wanted")


def test_nothing_moved_nothing_to_accept(repo: Repository) -> None:
    repo.lastgood("eval")
    out = repo.lastgood("diff").out
    assert out.endswith("nothing to accept: this is what was accepted last\n")
    assert "100% pass, 0 moved, 0 new, 0 failed\n" in out


def test_a_failure_is_explained_and_cannot_be_accepted(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: I think\n"})
    repo.lastgood("eval", code=1)
    out = repo.lastgood("diff", code=1).out
    assert re.search(r"^  FAIL one  [0-9a-f]{12}  forbidden:I think$", out, re.MULTILINE)
    assert "33% pass, 0 moved, 0 new, 2 failed\n" in out
    assert out.endswith("next: mend what fails, then lastgood eval -c stub\n")
    assert "accept:" not in out


def test_a_failure_shows_the_answer_beside_its_reasons(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: I think\n"})
    repo.lastgood("eval", code=1)
    out = repo.lastgood("diff", code=1).out
    assert '       | {\n       |   "status": "I think",\n       |   "order_id": "ord_one"\n       | }\n' in out
    assert cases_of(repo, code=1)["one"]["said"] == ["{", '  "status": "I think",', '  "order_id": "ord_one"', "}"]


def test_a_long_answer_that_fails_is_cut_and_lies_whole_in_a_file(repo: Repository) -> None:
    repo.write({"stub.py": 'print("I think " * 1000, end="")\n'})
    repo.lastgood("eval", "-p", "billing", code=1)
    out = repo.lastgood("diff", code=1).out
    assert "       … 7,100 more characters; whole: .lastgood/runs/stub/billing/answers/one.txt\n" in out
    assert repo.read(".lastgood/runs/stub/billing/answers/one.txt") == "I think " * 1000
    assert len(out) < 5000


def test_what_cannot_be_read_is_shown_as_it_came(repo: Repository) -> None:
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + 'output = "trace"\n', "stub.py": 'print("no trace")\n'})
    repo.lastgood("eval", "-p", "billing", code=1)
    out = repo.lastgood("diff", code=1).out
    assert re.search(r"^  FAIL one  [0-9a-f]{12}  malformed_trace$", out, re.MULTILINE)
    assert "       | no trace\n" in out


def test_what_is_suspicious_is_marked(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: Presumably paid, please verify\n"})
    repo.lastgood("eval")
    out = repo.lastgood("diff").out
    assert "       ! hedging phrase appeared: 'please verify'\n       ! hedging phrase appeared: 'presumably'\n" in out
    assert "\n! 2 with a mark: read them first\ntoken " in out
    assert cases_of(repo)["one"]["marks"][0] == "hedging phrase appeared: 'please verify'"


SENTENCE = "The order is paid and will leave our house on Monday, by the carrier that was asked for in the order."


@pytest.fixture
def sentences(repo: Repository) -> Repository:
    """A moved prompt whose completions are one long line."""
    repo.write({"stub.py": f'print("{SENTENCE}")\n', "golden/billing/suite.json": suite("billing", loose_case())})
    repo.git("rm", "-rq", "--cached", "golden/billing", "baselines/stub/billing")
    for name in ("golden/billing/catalog.json", "baselines/stub/billing"):
        repo.run("rm", "-r", name)
    repo.lastgood("catalog", "ship")
    repo.accept("sentences", "-p", "billing")
    repo.write({"stub.py": f'print("{SENTENCE.replace("Monday", "Friday")} Maybe.")\n'})
    repo.lastgood("eval", "-p", "billing")
    return repo


def loose_case() -> dict[str, Any]:
    return case("one", expect={"length": {"le": 10000}})


def test_one_long_line_shows_what_moved_inside_it(sentences: Repository) -> None:
    out = sentences.lastgood("diff").out
    shown = SENTENCE.replace("Monday", "[-Monday-]{+Friday+}")
    assert f"       ~{shown[:-1]}{{+. Maybe+}}.\n" in out


@pytest.mark.parametrize(("env", "coloured"), [({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_terminals_and_for_those_who_want_it(
    sentences: Repository, env: dict[str, str], coloured: bool
) -> None:
    code, out = at_terminal(sentences, LASTGOOD, "diff", typed=b"", env={"TERM": "xterm", **env})
    assert code == 0
    assert ("\x1b[7;32mFriday\x1b[0m" in out) is coloured
    assert ("{+Friday+}" in out) is not coloured
    assert "\x1b" not in sentences.lastgood("diff", env={"TERM": "xterm", **env}).out


def test_markdown_is_for_a_pull_request(sentences: Repository) -> None:
    out = sentences.lastgood("diff", "--format", "markdown").out
    assert out.startswith("### lastgood: 100% pass, 1 moved, 0 new, 0 failed: a regression report, not a success\n")
    assert "```diff\n~The order is paid" in out
    assert f"`token {sentences.token()}`" in out


def test_a_new_case_is_shown_whole(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")
    repo.lastgood("eval", "-p", "billing")
    out = repo.lastgood("diff").out
    assert re.search(r"^  NEW three  → [0-9a-f]{12}$", out, re.MULTILINE)
    assert '       +  "order_id": "ord_three"\n' in out
    assert "1 new" in out


def test_a_retired_case_is_said_to_end(repo: Repository) -> None:
    repo.lastgood("catalog", "retire", "two", "--reason", "x")
    repo.lastgood("eval", "-p", "billing")
    assert "  GONE two: no active case; its baseline ends\n" in repo.lastgood("diff").out
    assert document(repo)["prompts"][0]["obsolete"] == ["two"]


def test_what_was_not_answered_is_named(pending: Repository) -> None:
    (pending.root / ".lastgood/runs/stub/billing/run.jsonl").unlink()
    pending.lastgood("eval", "-p", "billing", "-k", "one")
    out = pending.lastgood("diff", "-p", "billing").out
    assert "  ---- two: not answered by this run\n" in out
    assert "accept:" not in out


def edit_prompt(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "another\n"})


def edit_stub(repo: Repository) -> None:
    repo.write({"stub.py": repo.read("stub.py") + "#\n"})


def add_case(repo: Repository) -> None:
    repo.write({"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})})
    repo.lastgood("catalog", "ship")


@pytest.mark.parametrize(
    ("edit", "what"),
    [(edit_prompt, "the prompt"), (edit_stub, "the completer"), (add_case, "the golden cases")],
    ids=["prompt", "completer", "cases"],
)
def test_a_stale_run_says_what_moved(pending: Repository, edit: Callable[[Repository], None], what: str) -> None:
    edit(pending)
    out = pending.lastgood("diff", "-p", "billing").out
    assert re.search(rf"^  stale: {what} moved since the run \([0-9a-f]+ → [0-9a-f]+\)$", out, re.MULTILINE)
    assert "accept:" not in out


def test_without_a_run_it_says_how_to_get_one(repo: Repository) -> None:
    assert repo.lastgood("diff", code=4).err == "lastgood: no pending run of stub\n  run  lastgood eval -c stub\n"


def test_a_completion_cannot_drive_the_terminal_nor_ci(repo: Repository) -> None:
    loose = case("one", expect={"length": {"le": 10000}})
    repo.write(
        {
            "golden/billing/suite.json": suite("billing", loose, case("two")),
            "stub.py": r'print("\x1b[2J\x1b]0;owned\x07\n::error::owned\n\u202egnihtyna")',
        }
    )
    repo.git("rm", "-rq", "--cached", "golden/billing")
    (repo.root / "golden/billing/catalog.json").unlink()
    repo.lastgood("catalog", "ship")
    repo.lastgood("eval", "-k", "one")
    out = repo.lastgood("diff", "-p", "billing", code=None).out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert not [line for line in out.splitlines() if line.startswith("::")]


def test_many_lines_are_cut_and_said_to_be_cut(repo: Repository) -> None:
    repo.write({"prompts/billing.txt": "say: " + "x" * 10 + "\n", "stub.py": LONG})
    repo.lastgood("eval", "-p", "billing")
    out = repo.lastgood("diff").out
    assert re.search(
        r"^ {7}… 2,\d\d\d more lines; whole: \.lastgood/runs/stub/billing/diffs/one\.diff$", out, re.MULTILINE
    )
    kept = repo.read(".lastgood/runs/stub/billing/diffs/one.diff")
    assert len(out.splitlines()) < 1000
    whole = cases_of(repo)["one"]["diff"]
    assert sum(line.startswith("+") for line in whole) > 2000
    assert [line for line in kept.splitlines() if line[0] != "@"] == [line for line in whole if line[0] != "@"]


LONG = """\
    import json, sys
    request = json.load(sys.stdin)
    print(json.dumps({"status": "paid", "order_id": request["order_id"], "lines": list(range(3000))}))
    """


def test_the_commands_are_spelled_as_people_of_the_repository_type_them(pending: Repository) -> None:
    pending.write({"Makefile": "LASTGOOD = .venv/bin/lastgood\n"})
    token = pending.token()
    assert pending.lastgood("diff").out.endswith(f"accept: make record COMPLETER=stub ACCEPT={token} REASON='…'\n")
