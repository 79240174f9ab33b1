"""`eval` asks what has no answer yet: again, after an interrupt, case by case, several times, or only in words."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from completer_programs import first_pid
from pending import configure, run_of, untimed
from repository import LASTGOOD, Repository, case, suite

if TYPE_CHECKING:
    from typing import Any

# Writes down every case that it is asked. What it says may depend on how often it was asked that.
COUNTS = """\
    import json, os, sys
    request = json.load(sys.stdin)
    name = os.environ["LASTGOOD_CASE_ID"]
    fd = os.open("asked", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(fd, f"{name}\\n".encode())
    times = open("asked").read().split().count(name)
    """
SAME = COUNTS + 'print(json.dumps({"status": "paid", "order_id": request["order_id"]}))\n'
FAILS_FIRST = COUNTS + 'print(json.dumps({"status": "paid", "order_id": ""})) if times > 1 else sys.exit(3)\n'
WANDERS = COUNTS + 'print(json.dumps({"status": "paid" + "!" * times, "order_id": request["order_id"]}))\n'
REST = ".lastgood/runs/stub/billing/run.jsonl"


@pytest.fixture
def counting(repo: Repository) -> Repository:
    repo.write({"stub.py": SAME})
    return repo


def asked(repo: Repository) -> list[str]:
    """The cases asked since the last look, sorted."""
    path = repo.root / "asked"
    found = sorted(path.read_text().split()) if path.exists() else []
    path.unlink(missing_ok=True)
    return found


def judged(out: str) -> list[str]:
    """The lines of the cases, without digests."""
    return [" ".join(line.split()[:2]) for line in out.splitlines() if " digest=" in line]


# --- only what moved ---


def test_what_is_answered_is_not_asked_again_and_still_judged(counting: Repository) -> None:
    first = counting.lastgood("eval")
    assert asked(counting) == ["late", "one", "two"]
    second = counting.lastgood("eval")
    assert asked(counting) == []
    assert judged(second.out) == judged(first.out)
    assert "billing: 3aec1afd765b pinned, 2 cases (2 answered already), completer stub\n" in second.out
    assert "nothing asked: 3 cases answered already; --all asks anew\n" in second.out


def test_all_asks_anew(counting: Repository) -> None:
    counting.lastgood("eval")
    asked(counting)
    counting.lastgood("eval", "--all")
    assert asked(counting) == ["late", "one", "two"]
    assert sorted(line["id"] for line in run_of(counting)[1:]) == ["one", "two"]


def test_all_for_one_case_leaves_the_others_their_answers(counting: Repository) -> None:
    counting.lastgood("eval")
    asked(counting)
    counting.lastgood("eval", "--all", "-k", "two")
    assert asked(counting) == ["two"]
    assert "not answered" not in counting.lastgood("diff").out


def test_cases_asked_one_by_one_make_one_run(counting: Repository) -> None:
    for name in ("one", "two"):
        counting.lastgood("eval", "-p", "billing", "-k", name)
    assert sorted(line["id"] for line in run_of(counting)[1:]) == ["one", "two"]
    counting.lastgood(
        "record", "-p", "billing", "--accept", counting.token("-p", "billing"), "--reason", "case by case"
    )


def test_a_moved_prompt_starts_a_new_run(counting: Repository) -> None:
    counting.lastgood("eval", "-p", "billing")
    asked(counting)
    counting.write({"prompts/billing.txt": "say: other\n"})
    counting.lastgood("eval", "-p", "billing", "-k", "one")
    assert asked(counting) == ["one"]
    assert [line["id"] for line in run_of(counting)[1:]] == ["one"]


def test_another_completer_starts_a_new_run(counting: Repository) -> None:
    counting.lastgood("eval", "-p", "billing")
    asked(counting)
    counting.lastgood("eval", "-p", "billing", "--", "python3", "stub.py", "--other")
    assert asked(counting) == ["one", "two"]


def test_a_new_case_is_asked_alone(counting: Repository) -> None:
    counting.lastgood("eval", "-p", "billing")
    asked(counting)
    counting.write({"golden/billing/suite.json": suite("billing", case("one"), case("two"), case("three"))})
    counting.lastgood("catalog", "ship")
    counting.lastgood("eval", "-p", "billing")
    assert asked(counting) == ["three"]
    assert "stale" not in counting.lastgood("diff", "-p", "billing").out


def test_a_completers_failure_is_no_answer(repo: Repository) -> None:
    repo.write({"stub.py": FAILS_FIRST})
    repo.lastgood("eval", "-k", "one", code=1)
    assert "DIFF one" in repo.lastgood("eval", "-k", "one").out
    assert asked(repo) == ["one", "one"]


def test_an_answer_that_breaks_an_assertion_is_not_asked_for_until_it_passes(repo: Repository) -> None:
    repo.write({"stub.py": COUNTS + "print('I think so')\n"})
    repo.lastgood("eval", "-k", "one", code=1)
    assert "FAIL one" in repo.lastgood("eval", "-k", "one", code=1).out
    assert asked(repo) == ["one"]


@pytest.mark.parametrize("rubbish", [b"", b"{}\n", b"\xff\n"], ids=["empty", "no header", "bytes"])
def test_a_run_that_cannot_be_read_is_replaced_and_said(counting: Repository, rubbish: bytes) -> None:
    counting.write({REST: rubbish})
    done = counting.lastgood("eval", "-p", "billing")
    assert "run.jsonl: the run is not readable; a new one takes its place" in done.err
    assert asked(counting) == ["one", "two"]
    assert (counting.root / f"{REST}.unreadable").read_bytes() == rubbish, "it may have been paid for"


def test_a_dry_run_leaves_what_cannot_be_read_where_it_is(counting: Repository) -> None:
    counting.write({REST: b"{}\n"})
    counting.lastgood("eval", "-p", "billing", "--dry-run")
    assert counting.read(REST) == "{}\n"


# --- resume ---


def many(repo: Repository, count: int, protocol: str = "process") -> list[str]:
    """The prompt `billing` with `count` cases more."""
    names = [f"n{number:03d}" for number in range(count)]
    repo.write({"golden/billing/suite.json": suite("billing", *map(case, ["one", "two", *names]))})
    repo.lastgood("catalog", "ship")
    configure(repo, protocol=protocol, jobs=2)
    return ["one", "two", *names]


def interrupted(repo: Repository, *words: str, after: int, signum: int = signal.SIGKILL) -> int:
    """An `eval` that gets a signal once `after` more answers are in the journal; how it ended."""
    path = repo.root / REST
    process = subprocess.Popen(
        [LASTGOOD, "eval", "-p", "billing", *words],
        cwd=repo.root,
        env={**os.environ},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    before: int | None = None
    while process.poll() is None:
        lines = path.read_bytes().count(b"\n") if path.exists() else 0
        before = lines if before is None else before
        if lines - before >= after:
            process.send_signal(signum)
            break
    return process.wait(60)


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_goes_on_and_asks_nothing_twice(counting: Repository, signum: int) -> None:
    names = many(counting, 6)
    assert interrupted(counting, "-j", "1", after=3, signum=signum) != 0
    answered = {line["id"] for line in run_of(counting)[1:]}
    first = asked(counting)
    done = counting.lastgood("eval", "-p", "billing", "--resume")
    assert answered.isdisjoint(asked(counting))
    assert len(first) <= len(answered) + 2
    assert len(judged(done.out)) == len(names)
    assert "stale" not in counting.lastgood("diff", "-p", "billing").out


def test_resume_goes_on_with_the_cases_and_the_repeats_of_the_run(counting: Repository) -> None:
    many(counting, 2)
    interrupted(counting, "-k", "n000", "-k", "n001", "--repeat", "2", "-j", "1", after=1)
    kept = len(run_of(counting)) - 1
    asked(counting)
    done = counting.lastgood("eval", "-p", "billing", "--resume")
    assert judged(done.out) == ["NEW n000", "NEW n001"]
    assert len(asked(counting)) == 4 - kept


@pytest.mark.parametrize(
    ("files", "why"),
    [
        pytest.param({"prompts/billing.txt": "say: x\n"}, "the prompt moved since the run", id="prompt"),
        pytest.param({"stub.py": SAME + "#\n"}, "the completer moved since the run", id="completer"),
        pytest.param(
            {"golden/billing/three.json": json.dumps({"prompt_id": "billing", **case("three")})},
            "the golden cases moved since the run",
            id="cases",
        ),
    ],
)
def test_resume_is_refused_when_the_pin_moved(counting: Repository, files: dict[str, str], why: str) -> None:
    counting.lastgood("eval", "-p", "billing", "-k", "one")
    before = counting.read(REST)
    counting.write(files)
    if "golden/billing/three.json" in files:
        counting.lastgood("catalog", "ship")
    asked(counting)
    done = counting.lastgood("eval", "-p", "billing", "--resume", code=4)
    assert done.err.startswith(f"lastgood: the run of billing cannot be resumed: {why}")
    assert done.err.endswith("  run  lastgood eval -p billing -c stub\n")
    assert (done.out, counting.read(REST), asked(counting)) == ("", before, [])


def test_nothing_to_resume_is_said(counting: Repository) -> None:
    done = counting.lastgood("eval", "--resume", code=4)
    assert done.err == "lastgood: no run of stub to resume\n  run  lastgood eval -c stub\n"
    counting.lastgood("eval")
    done = counting.lastgood("eval", "--resume", code=4)
    assert done.err == (
        "lastgood: nothing to resume: every case of the run is answered\n  run  lastgood diff -c stub\n"
    )


def test_what_was_left_to_ask_is_still_owed_after_a_case_asked_by_name(counting: Repository) -> None:
    names = many(counting, 4)
    interrupted(counting, "-j", "1", after=1)
    counting.lastgood("eval", "-k", names[-1])
    asked(counting)
    assert len(judged(counting.lastgood("eval", "-p", "billing", "--resume").out)) == len(names)
    assert asked(counting)


def test_cases_asked_by_name_one_after_another_are_all_of_the_run(counting: Repository) -> None:
    for name in ("one", "two"):
        counting.lastgood("eval", "-k", name)
    assert run_of(counting)[0]["only"] == ["one", "two"]
    counting.lastgood("eval", "-p", "billing", "--all")
    counting.lastgood("eval", "-k", "one", "--all")
    assert run_of(counting)[0]["only"] == []


def test_a_prompt_named_that_has_no_run_is_not_resumed_by_resuming_another(counting: Repository) -> None:
    many(counting, 3)
    interrupted(counting, "-j", "1", after=1)
    asked(counting)
    done = counting.lastgood("eval", "-p", "billing", "-p", "support", "--resume", code=4)
    assert "no run of support by stub to resume" in done.err
    assert asked(counting) == []


@pytest.mark.parametrize("words", [["--all"], ["-k", "one"]])
def test_resume_decides_itself_what_is_asked(counting: Repository, words: list[str]) -> None:
    counting.lastgood("eval", "-k", "one")
    asked(counting)
    counting.lastgood("eval", "--resume", *words, code=4)
    assert asked(counting) == []


# --- one at a time ---


WAITS = (
    COUNTS
    + """import time
    while os.path.exists("wait"): time.sleep(0.01)
    print(json.dumps({"status": "paid", "order_id": request["order_id"]}))
    """
)


def test_two_at_once_are_refused_not_mixed(repo: Repository) -> None:
    repo.write({"stub.py": WAITS, "wait": ""})
    first = subprocess.Popen(
        [LASTGOOD, "eval", "-p", "billing"], cwd=repo.root, env={**os.environ}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert first.stdout is not None
        assert first.stdout.readline().startswith("billing: ")
        for words in (["eval"], ["eval", "-p", "billing", "--resume"], ["record", "--reason", "x", "--accept", "y"]):
            done = repo.lastgood(*words, code=4)
            assert done.err == (
                "lastgood: another lastgood is at billing with stub\n  do   wait for it to end, then run this again\n"
            )
        repo.lastgood("eval", "-p", "support", "--dry-run")
    finally:
        (repo.root / "wait").unlink()
        first.communicate(timeout=60)
    assert first.returncode == 0
    assert sorted(line["id"] for line in run_of(repo)[1:]) == ["one", "two"]
    repo.lastgood("eval")


# --- repeat ---


def test_every_case_is_asked_as_often_as_said(counting: Repository) -> None:
    done = counting.lastgood("eval", "-p", "billing", "--repeat", "3")
    assert asked(counting) == ["one"] * 3 + ["two"] * 3
    assert "2 cases, 3 answers each, completer stub" in done.out
    assert judged(done.out) == ["PASS one", "PASS two"]


def test_unequal_answers_are_unstable_and_told_apart(repo: Repository) -> None:
    repo.write({"stub.py": WANDERS})
    done = repo.lastgood("eval", "-p", "billing", "-k", "one", "--repeat", "2", "-j", "1", "--fail-on-diff", code=3)
    (line,) = [line for line in done.out.splitlines() if line.startswith("UNSTABLE ")]
    assert re.fullmatch(r"UNSTABLE one digest=[0-9a-f]{12} also=[0-9a-f]{12} value /status", line)
    assert "1 unstable: asked again, the answer was another" in done.out
    shown = repo.lastgood("diff", "-p", "billing").out
    assert "  UNSTABLE one  " in shown
    assert '+  "status": "paid!!",' in shown
    assert "1 unstable" in repo.lastgood("status", code=None).out


def test_white_space_that_no_digest_sees_is_no_wobble(repo: Repository) -> None:
    repo.write({"stub.py": COUNTS + "print(' ' * times + json.dumps({'status': 'paid', 'order_id': 'ord_one'}))\n"})
    assert "PASS one" in repo.lastgood("eval", "-k", "one", "--repeat", "2").out


def test_an_unstable_case_is_never_recorded(repo: Repository) -> None:
    repo.write({"stub.py": WANDERS})
    repo.lastgood("eval", "-p", "billing", "--repeat", "2")
    before = repo.files()
    message = repo.lastgood("record", "--reason", "x", "--accept", repo.token(), code=4).err
    assert "an unstable case is never recorded, its answers differ: one (" in message
    assert repo.files() == before


def real(repo: Repository, **settings: Any) -> None:
    """A second completer, which commits nothing."""
    lines = [f"{key} = {json.dumps(found)}" for key, found in settings.items()]
    more = ["", "[completers.real]", 'command = ["python3", "stub.py"]', *lines]
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + "\n".join(more) + "\n"})


def test_another_completer_than_the_hooks_has_to_say_the_same_twice(counting: Repository) -> None:
    real(counting)
    out = counting.lastgood("eval", "-c", "real", "-p", "billing").out
    assert asked(counting) == ["one", "one", "two", "two"]
    assert "2 cases, 2 answers each, completer real" in out
    counting.lastgood("record", "-c", "real", "--accept", counting.token("-c", "real"), "--reason", "said twice")


def test_one_answer_where_two_are_due_is_not_recorded_and_the_next_eval_asks_the_other(counting: Repository) -> None:
    real(counting)
    counting.lastgood("eval", "-c", "real", "-p", "support", "--repeat", "1")
    message = counting.lastgood(
        "record", "-c", "real", "--accept", counting.token("-c", "real"), "--reason", "x", code=4
    ).err
    assert "a completion is accepted when 2 answers are equal; fewer were asked of: late" in message
    assert asked(counting) == ["late"]
    counting.lastgood("eval", "-c", "real", "-p", "support")
    assert asked(counting) == ["late"]
    counting.lastgood("record", "-c", "real", "--accept", counting.token("-c", "real"), "--reason", "x")


def test_repeat_is_configured_per_completer(counting: Repository) -> None:
    real(counting, repeat=1)
    counting.lastgood("eval", "-c", "real", "-p", "support")
    assert asked(counting) == ["late"]


# --- a dry run ---


def test_a_dry_run_says_what_would_be_asked_and_does_nothing(counting: Repository) -> None:
    counting.lastgood("eval", "-k", "one")
    asked(counting)
    before = counting.read(REST)
    out = counting.lastgood("eval", "--dry-run", "--repeat", "2").out
    assert out == (
        "billing: 3aec1afd765b pinned, 2 cases, 2 answers each, completer stub\n"
        "support: 8544f74d6678 pinned, 1 case, 2 answers each, completer stub\n"
        "would ask for 5 answers to 3 cases, 0 answered already\n"
        "command  python3 stub.py\n"
        "nothing was asked, nothing written\n"
    )
    assert (asked(counting), counting.read(REST)) == ([], before)
    assert not (counting.root / ".lastgood/runs/stub/support").exists()


def test_a_dry_run_of_nothing_is_refused(counting: Repository) -> None:
    assert "no active case 'nine'" in counting.lastgood("eval", "--dry-run", "-k", "nine", code=4).err


def test_a_dry_run_when_all_is_answered(counting: Repository) -> None:
    counting.lastgood("eval")
    out = counting.lastgood("eval", "--dry-run").out
    assert "would ask for 0 answers to 0 cases, 3 answered already\n" in out


# --- what answers tell of themselves ---


TELLS = """\
    import json, os, sys
    for line in sys.stdin:
        request = json.loads(line)
        text = json.dumps({"status": "paid", "order_id": request["input"]["order_id"]})
        told = {"usage": {"input_tokens": 1000, "output_tokens": 10}, "model": open("model").read(), "latency_s": 0.5}
        print(json.dumps({"id": request["id"], "output": text, **told}), flush=True)
    """


@pytest.fixture
def telling(repo: Repository) -> Repository:
    repo.write({"stub.py": TELLS, "model": "m-2026-01-01"})
    configure(repo, protocol="lines")
    repo.write({"lastgood.toml": repo.read("lastgood.toml") + "price = { input = 2, output = 10.5 }\n"})
    return repo


def test_tokens_and_cost_are_added_up_and_kept_beside_the_answers(telling: Repository) -> None:
    out = untimed(telling.lastgood("eval", "-p", "billing").out)
    assert "2 answers in … s, 2000 tokens in, 20 out, cost 0.0042\n" in out
    told = {"model": "m-2026-01-01", "usage": {"input_tokens": 1000, "output_tokens": 10}, "latency_s": 0.5}
    assert [line | told for line in run_of(telling)[1:]] == run_of(telling)[1:]


def test_a_dry_run_estimates_by_earlier_answers_also_when_they_were_recorded(telling: Repository) -> None:
    telling.accept("tells")
    telling.write({"prompts/billing.txt": "say: x\n"})
    out = telling.lastgood("eval", "-p", "billing", "--dry-run", "--repeat", "2").out
    assert "estimate 4000 tokens in, 40 out, cost 0.0084, as earlier answers used\n" in out


def test_what_is_told_is_in_no_digest_and_no_baseline(telling: Repository) -> None:
    telling.accept("tells")
    assert "tokens" not in telling.read("baselines/stub/billing/one.json")
    assert "m-2026" not in telling.read("baselines/stub/billing/one.json")
    telling.write({"model": "m-2026-02-02"})
    assert "3 cases: 3 PASS" in telling.lastgood("eval").out


def test_another_model_than_was_accepted_is_a_note(telling: Repository) -> None:
    telling.accept("tells")
    migration = json.loads(telling.read("baselines/stub/billing/migrations/0002_tells.json"))
    assert migration["models"] == ["m-2026-01-01"]
    telling.write({"model": "m-2026-02-02"})
    note = "note: billing was answered by m-2026-02-02; what was accepted came from m-2026-01-01\n"
    assert note in telling.lastgood("eval").out
    assert note in telling.lastgood("diff").out


def test_a_migration_of_answers_that_tell_nothing_names_no_model(pending: Repository) -> None:
    pending.lastgood("record", "--reason", "quiet", "--accept", pending.token())
    assert "models" not in json.loads(pending.read("baselines/stub/billing/migrations/0002_quiet.json"))


@pytest.mark.parametrize("name", ["gpt-4o", "m-latest"])
def test_an_alias_is_a_note_and_no_failure(telling: Repository, name: str) -> None:
    telling.write({"model": "m"})
    configure(telling, model=name)
    out = telling.lastgood("eval").out
    assert f"note: the model '{name}' of stub is an alias: no date, digest or version in it says what answers\n" in out
    assert "note: the model 'm' of stub is an alias" in out
    assert f"note: the model '{name}' of stub is an alias" in telling.lastgood("status", code=None).out


def test_usage_in_a_vendors_document_is_read(repo: Repository) -> None:
    said = {"role": "assistant", "content": '{"status": "paid", "order_id": "x"}'}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    answer = {"model": "m-2026-01-01", "choices": [{"message": said, "finish_reason": "stop"}], "usage": usage}
    repo.write({"stub.py": f"print({json.dumps(answer)!r})\n"})
    configure(repo, output="openai")
    out = untimed(repo.lastgood("eval", "-k", "one").out)
    assert "1 answer in … s, 7 tokens in, 3 out\n" in out
    configure(repo, output="text", take="/choices/0/message/content")
    assert "7 tokens in, 3 out\n" in repo.lastgood("eval", "-k", "one").out


# --- secrets ---


def test_a_key_that_a_completer_repeats_is_kept_nowhere(repo: Repository) -> None:
    key = "sk-" + "0123456789abcdef"
    says = """\
        import json, os, sys
        key = os.environ["KEY"]
        print(json.dumps({"status": key, "order_id": "x"}))
        print("key", key, file=sys.stderr)
        sys.exit(os.environ["LASTGOOD_CASE_ID"] == "two")
        """
    repo.write({"stub.py": says})
    configure(repo, env=["KEY"])
    repo.env["KEY"] = key
    done = repo.lastgood("eval", "-p", "billing", code=1)
    assert "     key [KEY]\n" in done.out
    kept = {line["id"]: line["output"] for line in run_of(repo)[1:]}
    assert kept == {"one": '{"status": "[KEY]", "order_id": "x"}\n', "two": None}
    shown = repo.lastgood("diff", "-p", "billing", "--format", "json", code=None)
    words = ["--", "python3", "stub.py", key]
    dry = repo.lastgood("eval", "-p", "billing", "--dry-run", *words)
    assert "command  python3 stub.py '[KEY]'\n" in dry.out
    repo.lastgood("eval", "-p", "billing", *words, code=1)
    for path in (repo.root / ".lastgood").rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes(), path
    assert key not in done.said + shown.said + dry.said


def test_what_to_go_on_with_after_an_interrupt_shows_no_key(repo: Repository) -> None:
    key = "sk-" + "0123456789abcdef"
    begun = "open('c', 'w').write(str(os.getpid())); os.rename('c', 'child')"
    repo.write({"stub.py": f"import os, time; {begun}; time.sleep(60)\n"})
    configure(repo, env=["KEY"])
    process = subprocess.Popen(
        [LASTGOOD, "eval", "-p", "billing", "--", "python3", "stub.py", key],
        cwd=repo.root,
        env={**os.environ, **repo.env, "KEY": key},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    first_pid(repo.root / "child")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "--resume -- python3 stub.py '[KEY]'" in err
    assert key not in out + err


# --- ended by a signal ---


def test_nothing_is_left_in_tmp_when_a_signal_ends_it(repo: Repository) -> None:
    repo.write({"stub.py": WAITS, "wait": ""})
    for signum in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        process = subprocess.Popen(
            [LASTGOOD, "eval", "-p", "billing"],
            cwd=repo.root,
            env={**os.environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline().startswith("billing: ")
        process.send_signal(signum)
        process.wait(60)
        process.stdout.close()
        assert os.listdir(repo.root / ".lastgood/tmp") == []


@pytest.mark.parametrize("torn", ["", '{"id": "on'], ids=["whole", "torn last line"])
def test_a_line_that_stands_twice_is_no_second_answer(counting: Repository, torn: str) -> None:
    counting.lastgood("eval", "-k", "one")
    counting.write({REST: counting.read(REST) + counting.read(REST).splitlines()[-1] + "\n" + torn})
    asked(counting)
    counting.lastgood("eval", "-k", "one", "--repeat", "2")
    assert asked(counting) == ["one"]
    assert [line["answer"] for line in run_of(counting)[1:]] == [1, 2]


def test_two_answers_of_one_number_are_no_run(counting: Repository) -> None:
    counting.lastgood("eval", "-k", "one")
    line = run_of(counting)[-1] | {"output": "another"}
    counting.write({REST: counting.read(REST) + json.dumps(line) + "\n"})
    done = counting.lastgood("eval", "-k", "one")
    assert "the run is not readable; a new one takes its place" in done.err
    assert "another" in (counting.root / f"{REST}.unreadable").read_text()


@pytest.mark.parametrize("many", ["1000000000", "9" * 5000, "0", "-1", "nan"])
@pytest.mark.parametrize("option", ["--repeat", "--jobs"])
def test_an_absurd_number_is_refused_with_its_limit(counting: Repository, option: str, many: str) -> None:
    done = counting.lastgood("eval", f"{option}={many}", code=4)
    assert "must be a whole number from 1 to 10000" in done.err
    assert len(done.err) < 1000


def test_a_case_that_is_unknown_among_many_is_told_in_a_short_line(counting: Repository) -> None:
    names = [f"case-{number:03d}" for number in range(300)]
    counting.write({"golden/billing/suite.json": suite("billing", *map(case, names))})
    done = counting.lastgood("eval", "-p", "billing", "-k", "case-12x", code=4)
    assert "(there are: case-000, case-001, case-002, case-003, case-004 and 295 more; did you mean 'case-" in done.err
