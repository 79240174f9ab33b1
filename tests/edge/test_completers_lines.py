"""Protocol `lines`: one process, many requests; whatever it says, each gets one answer and the call ends."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING

import pytest

from completer_programs import all_answers, lines_program, outcomes, program, request
from lastgood.core.config import Completer
from lastgood.edge.completers import ask
from lastgood.edge.completers.wire import names

if TYPE_CHECKING:
    from pathlib import Path

ANSWER_ALL = "for r in requests: say(r['id'], str(os.getpid()))"
STARTS = "open('starts', 'a').write('x')\n"


def starts(folder: Path) -> int:
    """How many processes a program that begins with STARTS was."""
    return len((folder / "starts").read_text())


def test_nothing_asked_starts_nothing(tmp_path: Path) -> None:
    completer = Completer("c", ("/no/such/program",), protocol="lines")
    assert all_answers(completer, [], tmp_path) == []


def test_a_request_is_one_line_that_no_reader_can_split(tmp_path: Path) -> None:
    source = """
        import json, sys
        line = sys.stdin.buffer.readline()
        print(json.dumps({"id": json.loads(line)["id"], "output": line.decode("ascii")}))
    """
    asked = request("a", text="ü\u2028\n", prompt_id="another")
    (answer,) = all_answers(program(tmp_path, source, protocol="lines"), [asked], tmp_path)
    assert json.loads(answer.output or "") == {
        "id": "a",
        "prompt_id": "billing-status-v3",
        "prompt_file": "prompt.txt",
        "prompt_files": ["prompt.txt"],
        "prompt_sha256": "ab" * 32,
        "tools": None,
        "input": {"text": "ü\u2028\n", "prompt_id": "another"},
    }


def test_no_case_is_named_in_the_environment_of_all(tmp_path: Path) -> None:
    completer = lines_program(tmp_path, "for r in requests: say(r['id'], str(os.environ.get('LASTGOOD_CASE_ID')))")
    environ = dict(os.environ, LASTGOOD_CASE_ID="outer")
    assert outcomes(all_answers(completer, ["a"], tmp_path, environ)) == ["None"]


@pytest.mark.parametrize("jobs", [1, 4, 1000])
def test_a_thousand_requests_are_answered_by_one_process(tmp_path: Path, jobs: int) -> None:
    completer = lines_program(tmp_path, ANSWER_ALL, jobs=jobs)
    assert len(set(outcomes(all_answers(completer, [f"{n}" for n in range(1000)], tmp_path)))) == 1


@pytest.mark.parametrize("jobs", [1, 3])
def test_never_more_than_jobs_unanswered(tmp_path: Path, jobs: int) -> None:
    source = """
        import json, os, select
        pending, rest, most = [], b"", 0
        while True:
            while select.select([0], [], [], 0.05 if pending else None)[0]:
                data = os.read(0, 65536)
                if not data:
                    break
                *lines, rest = (rest + data).split(b"\\n")
                pending += lines
            if not pending:
                break
            answer = {"id": json.loads(pending[0])["id"], "output": str(len(pending))}
            os.write(1, json.dumps(answer).encode() + b"\\n")
            del pending[0]
    """
    completer = program(tmp_path, source, protocol="lines", jobs=9)
    found = outcomes(all_answers(completer, [f"{n}" for n in range(7)], tmp_path, jobs=jobs))
    assert max(map(int, found)) == jobs


def test_answers_may_come_in_any_order(tmp_path: Path) -> None:
    source = """
        taken = [next(requests) for _ in range(4)]
        for r in reversed(taken): say(r["id"], r["id"])
    """
    completer = lines_program(tmp_path, source, jobs=4)
    found = list(ask(completer, list(map(request, "abcd")), cwd=str(tmp_path), environ=os.environ))
    assert [(answer.id, answer.output, answer.index) for answer in found] == [
        ("d", "d", 3), ("c", "c", 2), ("b", "b", 1), ("a", "a", 0)
    ]  # fmt: skip


def test_megabytes_go_both_ways_at_once(tmp_path: Path) -> None:
    """Neither side waits for the other to read."""
    completer = lines_program(tmp_path, "for r in requests: say(r['id'], r['input']['text'])", jobs=8)
    asked = [request(f"{n}", text=f"{n}ü" * 200_000) for n in range(16)]
    assert outcomes(all_answers(completer, asked, tmp_path)) == [f"{n}ü" * 200_000 for n in range(16)]


def test_a_character_may_come_in_two_reads(tmp_path: Path) -> None:
    source = r"""
        r = next(requests)
        line = json.dumps({"id": r["id"], "output": "Zoë"}, ensure_ascii=False).encode() + b"\n"
        for byte in line:
            os.write(1, bytes([byte])); time.sleep(0.001)
    """
    assert outcomes(all_answers(lines_program(tmp_path, source), ["a"], tmp_path)) == ["Zoë"]


@pytest.mark.parametrize("end", ["", "\\n", "\\r\\n", "\\n\\n \\n"], ids=["none", "lf", "crlf", "blank lines"])
def test_line_ends_do_not_matter(tmp_path: Path, end: str) -> None:
    source = f"""
        print(json.dumps({{"id": next(requests)["id"], "output": "paid"}}), end="{end}")
    """
    assert outcomes(all_answers(lines_program(tmp_path, source), ["a"], tmp_path)) == ["paid"]


def test_ids_may_repeat(tmp_path: Path) -> None:
    completer = lines_program(tmp_path, "for r in requests: say(r['id'], f\"{r['id']} {r['input']['n']}\")")
    asked = [request("a", n=1), request("a#2", n=2), request("a", n=3)]
    assert outcomes(all_answers(completer, asked, tmp_path)) == ["a 1", "a#2 2", "a#3 3"]


@pytest.mark.parametrize("ids", [["a", "a", "a#2", "a#2", "a"], ["a#2", "a", "a"], ["", ""]])
def test_names_on_the_wire_are_unique(ids: list[str]) -> None:
    assert len(set(names(ids))) == len(ids)
    assert all(name.startswith(one) for name, one in zip(names(ids), ids, strict=True))


# What one answer line may hold

ANSWERS = {
    "text": ('"output": " paid\\n"', " paid\n", ""),
    "escaped text": (r'"output": "pa\u00fcd"', "paüd", ""),
    "trace, keys in the order given": ('"output": {"b": [1.0, {}], "a": "ü"}', '{"b":[1.0,{}],"a":"ü"}', ""),
    "list": ('"output": []', "[]", ""),
    "more keys": ('"output": "paid", "usage": {"tokens": 3}', "paid", ""),
    "null": ('"output": null', "completer_failed:bad line", "output must be a string, an object or a list"),
    "number": ('"output": 5', "completer_failed:bad line", "output must be a string, an object or a list"),
    "neither": ('"x": 5', "completer_failed:bad line", "an answer holds either output or error"),
    "both": ('"output": "paid", "error": "x"', "completer_failed:bad line", "an answer holds either output or error"),
    "error": ('"error": "rate limit\\n  reached \\u001b"', "completer_failed:rate limit reached \\x1b", ""),
    "error as object": ('"error": {"code": 429}', 'completer_failed:{"code":429}', ""),
    "empty error": ('"error": ""', "completer_failed:no reason given", ""),
    "long error": (f'"error": "{"x" * 500}"', f"completer_failed:{'x' * 199}…", ""),
    "key twice": (
        '"output": "a", "output": "b"',
        "completer_failed:bad line",
        'duplicate key at /output: {"id": "a", "output": "a", "output": "b"}',
    ),
    "lone surrogate": (
        r'"output": "\ud800"',
        "completer_failed:bad line",
        r'lone surrogate at /output: {"id": "a", "output": "\ud800"}',
    ),
    "not a number": (
        '"output": [NaN]',
        "completer_failed:bad line",
        'NaN is not JSON at /output/0: {"id": "a", "output": [NaN]}',
    ),
}  # fmt: skip


@pytest.mark.parametrize(("line", "outcome", "detail"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_that_names_its_request_concerns_only_that(
    tmp_path: Path, line: str, outcome: str, detail: str
) -> None:
    source = f"""
        for r in requests:
            print('{{"id": "a", ' + {line!r} + '}}', flush=True) if r["id"] == "a" else say(r["id"], str(os.getpid()))
    """
    before, answer, after = all_answers(lines_program(tmp_path, source), ["before", "a", "after"], tmp_path)
    assert (answer.error or answer.output, answer.detail) == (outcome, detail)
    assert before.output == after.output  # the same process


def test_bytes_that_are_no_utf8_fail_the_request_they_name(tmp_path: Path) -> None:
    source = r"""
        for r in requests:
            os.write(1, b'{"id": "a", "output": "Z\xeb"}\n') if r["id"] == "a" else say(r["id"], "paid")
    """
    found = all_answers(lines_program(tmp_path, source), ["a", "b"], tmp_path)
    assert outcomes(found) == ["bad_utf8", "paid"]
    assert found[0].detail == "byte 0xeb at offset 24"


@pytest.mark.parametrize(("output", "outcome"), [("{'r': 'paid'}", "paid"), ("'{\"r\": 1}'", "1"), ("'x'", None)])
def test_take_finds_the_answer_in_the_output(tmp_path: Path, output: str, outcome: str | None) -> None:
    completer = lines_program(tmp_path, f"for r in requests: say(r['id'], {output})", take="/r")
    assert outcomes(all_answers(completer, ["a"], tmp_path)) == [outcome or "completer_failed:take /r"]


# Processes that end, hang, or say what belongs to nobody

# When it gets to request c; `first` is true in the first process only.
AT_C = {
    "dies": ("sys.exit(3)", "completer_failed:exit 3"),
    "is killed": ("os.kill(os.getpid(), 9)", "completer_failed:signal 9"),
    "leaves": ("sys.exit()", "completer_failed:closed early"),
    "closes stdout": ("os.close(1); time.sleep(600)", "completer_failed:closed early"),
    "closes stdout, then dies": ("os.close(1); time.sleep(0.1); os._exit(3)", "completer_failed:exit 3"),
    "hangs": ("time.sleep(600)", "completer_timeout:1.5s"),
    "closes stdin and hangs": ("os.close(0); time.sleep(600)", "completer_timeout:1.5s"),
    "chatters without a line": ("while True: os.write(1, b' '); time.sleep(0.05)", "completer_timeout:1.5s"),
    "says what is no JSON": ("print('Loading model', flush=True)", "completer_failed:bad line"),
    "says what is no object": ("print('[]', flush=True)", "completer_failed:bad line"),
    "names no request": ('print(\'{"output": "paid"}\', flush=True)', "completer_failed:bad line"),
    "names a number": ('print(\'{"id": 5, "output": ""}\', flush=True)', "completer_failed:bad line"),
    "says what is no UTF-8": (r"os.write(1, b'\xff\n')", "bad_utf8"),
    "nests too deeply": ("print('[' * 200_000, flush=True)", "completer_failed:bad line"),
    "says half a line and dies": ('os.write(1, b\'{"id": "c"\'); sys.exit(3)', "completer_failed:bad line"),
    "writes a line without end": ("while True: os.write(1, b'y' * 65536)", "completer_failed:output over 500000 bytes"),
    "writes a line too long": ("say('c', 'y' * 500_000)", "completer_failed:output over 500000 bytes"),
}


@pytest.mark.parametrize("jobs", [1, 4])
@pytest.mark.parametrize(("act", "error"), AT_C.values(), ids=AT_C)
def test_only_the_case_it_was_at_fails_and_another_process_takes_over(
    tmp_path: Path, act: str, error: str, jobs: int
) -> None:
    source = f"""
        open("starts", "a").write("x")
        for r in requests:
            if r["id"] == "c":
                print("at c", file=sys.stderr, flush=True)
                {act}
            say(r["id"], "paid")
    """
    completer = lines_program(tmp_path, source, jobs=jobs, timeout_s=1.5, max_output_bytes=500_000)
    found = all_answers(completer, "abcdefgh", tmp_path)
    assert outcomes(found) == ["paid", "paid", error, "paid", "paid", "paid", "paid", "paid"]
    assert found[2].detail.endswith("at c")
    assert starts(tmp_path) == 2


def test_a_second_fault_among_those_in_flight_is_told_from_the_first(tmp_path: Path) -> None:
    source = f"""
        {STARTS.strip()}
        for r in requests:
            if r["id"] in "bd": os._exit(3)
            say(r["id"], "paid")
    """
    found = outcomes(all_answers(lines_program(tmp_path, source, jobs=6), "abcdef", tmp_path))
    assert found == ["paid", "completer_failed:exit 3", "paid", "completer_failed:exit 3", "paid", "paid"]
    assert starts(tmp_path) == 3


def test_a_concurrent_completer_that_one_case_kills_loses_at_most_the_oldest_with_it(tmp_path: Path) -> None:
    source = """
        for r in requests:
            if r["id"] == "c": os._exit(3)
            if r["id"] == "a": later = r; continue
            say(r["id"], "paid")
    """
    found = outcomes(all_answers(lines_program(tmp_path, source, jobs=4), "abcd", tmp_path))
    assert found == ["completer_failed:exit 3", "paid", "completer_failed:exit 3", "paid"]


def test_a_case_that_hangs_holds_nobody_else_up(tmp_path: Path) -> None:
    source = """
        for r in requests:
            if r["id"] != "a": say(r["id"], "paid")
    """
    found = outcomes(all_answers(lines_program(tmp_path, source, jobs=3, timeout_s=1.0), "abcdefghij", tmp_path))
    assert found == ["completer_timeout:1s"] + ["paid"] * 9


def test_a_completer_that_works_in_order_may_take_its_timeout_for_each_case(tmp_path: Path) -> None:
    source = """
        for r in requests:
            time.sleep(0.4)
            say(r["id"], "paid")
    """
    found = outcomes(all_answers(lines_program(tmp_path, source, jobs=8, timeout_s=2.0), "abcdefgh", tmp_path))
    assert found == ["paid"] * 8


def test_a_process_may_leave_when_nobody_waits(tmp_path: Path) -> None:
    source = f"""
        {STARTS.strip()}
        r = next(requests)
        os.write(1, json.dumps({{"id": r["id"], "output": "paid"}}).encode() + b"\\n")
        os._exit(0)
    """
    found = outcomes(all_answers(lines_program(tmp_path, source, jobs=1), "abc", tmp_path))
    assert set(found) <= {"paid", "completer_failed:closed early"}
    assert found[0] == "paid"


ALWAYS = {
    "dies": ("sys.exit(3)", "completer_failed:exit 3"),
    "hangs": ("time.sleep(600)", "completer_timeout:0.3s"),
    "greets": ("print('hello', flush=True); time.sleep(600)", "completer_failed:bad line"),
}


@pytest.mark.parametrize(("act", "error"), ALWAYS.values(), ids=ALWAYS)
def test_a_completer_that_never_answers_is_given_up(tmp_path: Path, act: str, error: str) -> None:
    completer = lines_program(tmp_path, STARTS + act, timeout_s=0.3 if "0.3" in error else 60.0)
    found = all_answers(completer, [f"{n}" for n in range(1000)], tmp_path)
    assert outcomes(found) == [error] * 1000
    assert found[-1].detail.startswith("not asked: 5 processes in a row ended without an answer")
    assert starts(tmp_path) == 5


def test_a_completer_that_answers_now_and_then_is_not_given_up(tmp_path: Path) -> None:
    source = """
        for r in requests:
            if int(r["id"]) % 2: os._exit(3)
            say(r["id"], "paid")
    """
    found = outcomes(all_answers(lines_program(tmp_path, source), [f"{n}" for n in range(20)], tmp_path))
    assert found == ["paid", "completer_failed:exit 3"] * 10


def test_what_cannot_be_started_fails_every_case(tmp_path: Path) -> None:
    completer = Completer("c", ("no-such-completer",), protocol="lines")
    assert outcomes(all_answers(completer, "abc", tmp_path)) == ["completer_failed:not found"] * 3


CONFUSED = {
    "answered twice": ("say('a', 'again')", "completer_failed:answered twice", "id a"),
    "never asked": ("say('ghost', 'boo')", "completer_failed:unknown id", "id ghost was not asked"),
    "not asked yet": ("say('f', 'paid')", "completer_failed:unknown id", "id f was not asked"),
}


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize(("act", "error", "detail"), CONFUSED.values(), ids=CONFUSED)
def test_answers_that_pair_with_no_request_end_the_trust_in_all_that_follow(
    tmp_path: Path, act: str, error: str, detail: str, jobs: int
) -> None:
    source = f"""
        for r in requests:
            if r["id"] == "b":
                {act}
            say(r["id"], "paid")
    """
    found = all_answers(lines_program(tmp_path, source, jobs=jobs), "abcdef", tmp_path)
    assert outcomes(found) == ["paid"] + [error] * 5
    assert found[1].detail == detail


def test_a_value_named_in_env_is_never_shown(tmp_path: Path) -> None:
    source = """
        for r in requests:
            print(json.dumps({"id": r["id"], "error": "key " + os.environ["KEY"]}), flush=True)
            print("key", os.environ["KEY"], flush=True)
    """
    environ = dict(os.environ, KEY="sk-123456789")
    for answer in all_answers(lines_program(tmp_path, source, env=("KEY",)), "ab", tmp_path, environ):
        assert "key [KEY]" in answer.error + answer.detail
        assert "sk-1" not in answer.error + answer.detail


def test_a_process_gets_to_end_by_itself(tmp_path: Path) -> None:
    source = "\n".join(("for r in requests: say(r['id'], 'paid')", "time.sleep(0.1)", "open('done', 'x')"))
    assert outcomes(all_answers(lines_program(tmp_path, source), "ab", tmp_path)) == ["paid", "paid"]
    assert (tmp_path / "done").exists()


def test_a_caller_that_takes_its_time_makes_nobody_time_out(tmp_path: Path) -> None:
    source = """
        for r in requests:
            while r["id"] == "b" and not os.path.exists("caller-was-slow"): time.sleep(0.01)
            say(r["id"], "paid")
    """
    completer = lines_program(tmp_path, source, timeout_s=2.0)
    found = ask(completer, [request("a"), request("b")], cwd=str(tmp_path), environ=os.environ)
    assert next(found).output == "paid"
    time.sleep(2.2)  # longer than the timeout: time is what this test is about
    (tmp_path / "caller-was-slow").touch()
    assert outcomes(found) == ["paid"]
