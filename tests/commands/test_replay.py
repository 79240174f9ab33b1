"""A completer that replays another: the last accepted completions are graded anew, and nobody is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from repository import LASTGOOD, Repository, suite

CONFIG = """\
    commit_completer = "last-real"
    base = "origin/main"

    [completers.real]
    command = ["python3", "stub.py"]

    [completers.last-real]
    replay = "real"
"""
GONE = "raise SystemExit('the real one was asked')\n"


@pytest.fixture
def replaying(repo: Repository) -> Repository:
    """Baselines of `real` alone, and a commit hook that replays them; the real one cannot be asked any more."""
    repo.git("rm", "-rqf", "baselines")
    repo.write({"lastgood.toml": CONFIG})
    repo.accept("first baseline of the real one")
    repo.git("add", "-A")
    repo.commit("start again")
    # Not in its own folder's way: what it runs is part of its fingerprint, so the file stays as it is in the index.
    (repo.root / "stub.py").write_text(GONE, encoding="utf-8")
    return repo


def stricter(repo: Repository, **changes: Any) -> None:
    """A new version of case `two`, shipped, with these changes; the old one stays, retired."""
    shipped = json.loads(repo.read("golden/billing/suite.json"))["cases"]
    newer = {**shipped[1], "version": 2} | changes
    repo.write({"golden/billing/suite.json": suite("billing", *shipped, newer)})
    repo.lastgood("catalog", "ship", "--reason", "stricter")
    repo.git("add", "golden")


def status_in(*names: str) -> dict[str, Any]:
    return {"expect": {"json": True, "required_keys": ["status"], "status_in": list(names)}}


def test_the_baseline_of_the_other_is_all_that_check_wants(replaying: Repository) -> None:
    assert "held (0)" in replaying.lastgood("check", "--all").out
    assert "real" in replaying.lastgood("status", code=None).out


def test_a_commit_is_judged_by_what_was_accepted_and_nobody_is_asked(replaying: Repository) -> None:
    assert "2 prompts of the index, 3 cases: 3 PASS" in replaying.lastgood("stub").out
    assert "held (0)" in replaying.lastgood("gate").out


def test_a_stricter_case_breaks_on_what_was_accepted(replaying: Repository) -> None:
    """The new version asks for what the real completion never said: known at the commit, without asking."""
    stricter(replaying, **status_in("shipped"))
    done = replaying.lastgood("stub", code=1, env={"GIT_INDEX_FILE": ".git/index"})
    assert "FAIL two " in done.err
    assert "status_not_in:'paid'" in done.err
    assert "2 cases: 1 PASS, 1 FAIL" in done.err


def test_a_stricter_case_that_was_always_kept_passes_and_never_moves(replaying: Repository) -> None:
    """Also when the new version is digested in another way."""
    stricter(replaying, **status_in("paid"), normalize={"mode": "exact"})
    assert "2 cases: 2 PASS" in replaying.lastgood("stub", env={"GIT_INDEX_FILE": ".git/index"}).out


def test_the_prompt_moved_is_for_check_to_say(replaying: Repository) -> None:
    """Replayed answers are the old prompt's: legal still, and out of step."""
    replaying.write({"prompts/billing.txt": "Answer.\nsay: refunded\n"})
    replaying.git("add", "prompts")
    assert "3 cases: 3 PASS" in replaying.lastgood("stub").out
    done = replaying.lastgood("gate", code=2)
    assert "the prompt moved, its baseline did not" in done.err
    assert "lastgood eval -p billing -c real" in done.err


@pytest.mark.parametrize("way", ["plain", "prek"])
def test_git_refuses_the_commit_with_both_reasons(replaying: Repository, way: str) -> None:
    """In a real commit, by a plain hook and by a manager."""
    if way == "plain":
        replaying.hook()
    else:
        replaying.manager("prek")
        replaying.git("add", ".pre-commit-config.yaml")
    stricter(replaying, **status_in("shipped"))
    said = replaying.commit("stricter", code=1).said
    assert "the golden cases moved, the baseline did not" in said
    assert "status_not_in:'paid'" in said
    replaying.git("reset", "-q", "HEAD", "golden")
    (replaying.root / "notes.md").write_text("Others.\n", encoding="utf-8")
    replaying.git("add", "notes.md")
    replaying.commit("notes")


UNANSWERABLE: dict[str, tuple[dict[str, Any], str]] = {
    "another input": ({"input": {"order_id": "other"}}, "was accepted for another input: that of version 1"),
    "a new case": ({"id": "three", "version": 1}, "real has no accepted completion of this case"),
}


@pytest.mark.parametrize(("changes", "why"), UNANSWERABLE.values(), ids=UNANSWERABLE)
def test_what_nobody_was_ever_asked_has_no_answer(replaying: Repository, changes: dict[str, Any], why: str) -> None:
    stricter(replaying, **changes)
    done = replaying.lastgood("stub", code=1)
    assert "completer_failed:nothing to replay" in done.err
    assert why in replaying.lastgood("eval", "-c", "last-real", "-p", "billing", code=1).out


def test_a_completion_that_was_edited_by_hand_is_no_answer(replaying: Repository) -> None:
    path = "baselines/real/billing/one.json"
    replaying.write({path: replaying.read(path).replace("paid", "lost")})
    replaying.git("add", path)
    assert "completer_failed:nothing to replay" in replaying.lastgood("stub", code=1).err
    assert "was edited by hand" in replaying.lastgood("gate", code=2).err


def test_an_unreadable_baseline_judges_nothing(replaying: Repository) -> None:
    replaying.write({"baselines/real/billing/one.json": "{"})
    replaying.git("add", "baselines")
    assert "not JSON" in replaying.lastgood("stub", code=4).err


def test_eval_grades_the_working_tree_and_leaves_no_run(replaying: Repository) -> None:
    stricter(replaying, **status_in("shipped"))
    replaying.git("reset", "-q")
    done = replaying.lastgood("eval", "-c", "last-real", "-p", "billing", code=1)
    assert "3 cases" not in done.out
    assert "status_not_in:'paid'" in done.out
    assert "next: lastgood eval -p billing -c real" in done.out
    assert "next:" not in replaying.lastgood("eval", "-c", "last-real", "-p", "support").out
    assert not (replaying.root / ".lastgood/runs/last-real").exists()


@pytest.mark.parametrize("command", ["diff", "record"])
def test_there_is_nothing_to_record(replaying: Repository, command: str) -> None:
    done = replaying.lastgood(command, "-c", "last-real", code=4)
    assert "last-real replays real: what it answers is accepted already" in done.err
    assert "lastgood eval -c real" in done.err


def test_the_real_one_is_what_eval_means(replaying: Repository) -> None:
    """And a command after -- takes the place of a replay."""
    assert "the real one was asked" in replaying.lastgood("eval", "-p", "support", code=1).out
    words = ("-c", "last-real", "-p", "support", "--", "echo", '{"status": "x", "order_id": "y"}')
    assert "1 case: 1 NEW" in replaying.lastgood("eval", *words).out


def test_a_baseline_under_the_name_of_a_replay_is_out_of_step(replaying: Repository) -> None:
    once = CONFIG.replace('replay = "real"', 'command = ["python3", "stub.py"]')
    replaying.write({"lastgood.toml": once})
    replaying.git("checkout", "-q", "stub.py")
    replaying.accept("when it answered by itself", "-c", "last-real")
    replaying.write({"lastgood.toml": CONFIG})
    replaying.git("add", "-A")
    done = replaying.lastgood("check", code=2)
    assert "a baseline of the completer 'last-real', which is not configured, or replays another" in done.err
    assert "git rm -r baselines/last-real/billing/" in done.err


CALLS = {
    "tool_calls": [{"name": "get_order", "arguments": {"order_id": "1842-AX", "a": [1.50, "ü"]}, "result": "lines"}],
    "final_text": "Two\nlines.\n",
    "turns": ["Two\nlines.\n"],
}


def test_tool_calls_are_replayed_with_their_digest(replaying: Repository) -> None:
    """As is a text with line ends, to the byte."""
    replaying.write(
        {
            "stub.py": f"print({json.dumps(json.dumps(CALLS, ensure_ascii=False))})\n",
            "lastgood.toml": CONFIG.replace('"stub.py"]', '"stub.py"]\n    output = "trace"'),
            "golden/support/late.json": json.dumps(
                {"id": "late", "version": 1, "prompt_id": "support", "input": {"order_id": "ord_late"}}
                | {"assertions": {"must_call": ["get_order"], "identifiers": {"pattern": "lines"}}}
                | {"normalize": {"mode": "exact"}}
            ),
        }
    )
    replaying.git("rm", "-rqf", "--cached", "baselines", "golden/billing", "prompts/billing.txt")
    for path in ("baselines", "golden/billing"):
        replaying.run("rm", "-r", path)
    replaying.run("rm", "prompts/billing.txt", "golden/support/catalog.json")
    replaying.lastgood("catalog", "ship")
    replaying.accept("calls")
    replaying.git("add", "-A")
    replaying.lastgood("check", "--all")
    told = replaying.lastgood("stub").out
    assert "note: not graded, as no baseline keeps what tools answered or earlier turns: identifiers of late" in told
    assert "1 case: 1 PASS" in told
    digest = json.loads(replaying.read("baselines/real/support/late.json"))["digest"]
    assert f"PASS late digest={digest[:12]}" in replaying.lastgood("eval", "-c", "last-real").out
    by_hand = ("eval", "-c", "real", "--", LASTGOOD, "complete", "replay", "--of", "real")
    assert f"late digest={digest[:12]}" in replaying.lastgood(*by_hand, code=None).out


# The command


@pytest.mark.parametrize("protocol", ["process", "lines"])
def test_the_command_answers_with_the_working_trees_baseline(replaying: Repository, protocol: str) -> None:
    settings = replaying.read("lastgood.toml") + f'\n[completers.by-hand]\nprotocol = "{protocol}"\ncommand = '
    command = json.dumps([LASTGOOD, "complete", "replay", "--of", "real"])
    replaying.write({"lastgood.toml": settings + command + "\n"})
    out = replaying.lastgood("eval", "-c", "by-hand").out
    names = ("billing/one", "support/late")
    digests = {name: json.loads(replaying.read(f"baselines/real/{name}.json"))["digest"][:12] for name in names}
    assert f"NEW one digest={digests['billing/one']}" in out
    assert f"NEW late digest={digests['support/late']}" in out


def test_the_command_says_what_it_cannot_answer(replaying: Repository) -> None:
    def answered(**request: Any) -> dict[str, Any]:
        line = {"id": "one", "prompt_id": "billing", "prompt_file": "x", "input": {"order_id": "ord_one"}} | request
        words = ("complete", "replay", "--of", "real")
        return dict(json.loads(replaying.lastgood(*words, feed=json.dumps(line) + "\n").out))

    assert json.loads(answered()["output"]) == {"status": "paid", "order_id": "ord_one"}
    assert answered(id="one#2")["output"]
    assert "real has no accepted completion" in answered(id="four")["error"]
    assert "accepted for another input" in answered(input={"order_id": "x"})["error"]
    assert "no prompt" in answered(prompt_id="../billing")["error"]
    assert "no such baseline" in replaying.lastgood("complete", "replay", "--of", "none", code=4).err


LOOKS_BEYOND = {"assertions": {"identifiers": {"pattern": "ord_[a-z]+"}}}


def only_traces(replaying: Repository, *cases: dict[str, Any]) -> None:
    """One prompt with these cases, of a completer that answers with a call and what came of it; accepted."""
    call = {"name": "get_order", "arguments": {}, "result": "ord_x"}
    answer = json.dumps({"tool_calls": [call], "final_text": "Found ord_x."})
    replaying.git("rm", "-rqf", "baselines", "golden", "prompts/billing.txt")
    replaying.write(
        {
            "stub.py": f"print({answer!r})\n",
            "lastgood.toml": CONFIG.replace('"stub.py"]', '"stub.py"]\n    output = "trace"'),
            "golden/support/suite.json": suite("support", *cases),
        }
    )
    replaying.lastgood("catalog", "ship")
    replaying.accept("traces")
    replaying.git("add", "-A")


def beyond(case_id: str, **more: Any) -> dict[str, Any]:
    return {"id": case_id, "version": 1, "input": {"n": case_id}, **LOOKS_BEYOND, **more}


def test_a_case_of_which_nothing_can_be_graded_is_not_counted_as_passed(replaying: Repository) -> None:
    only_traces(replaying, beyond("sees-nothing"), beyond("sees-some", expect={"forbidden": ["I think"]}))
    for command in (("stub",), ("eval", "-c", "last-real")):
        told = replaying.lastgood(*command).out
        assert "identifiers of sees-nothing, identifiers of sees-some" in told
        assert "1 case: 1 PASS" in told


def test_a_replay_that_grades_nothing_at_all_cannot_tell(replaying: Repository) -> None:
    only_traces(replaying, beyond("sees-nothing"))
    for command in (("stub",), ("gate",), ("eval", "-c", "last-real")):
        told = replaying.lastgood(*command, code=4).err
        assert "no assertion of support can be held against a replay: nothing would be checked" in told
        assert "lastgood eval -p support -c real" in told
