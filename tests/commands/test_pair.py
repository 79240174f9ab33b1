"""`lastgood pair`: the first article's two commands, and every claim it makes of them."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from repository import Done, Repository

if TYPE_CHECKING:
    from pathlib import Path

PAID = '{"status": "paid", "order_id": "ord_1042"}'
MISSING = '{"error": "missing_order_id"}'
COMPLETER = """\
    import json, os, sys

    # Answers each order with the text that answers.json has for it, and leaves a mark that it was asked.
    open("asked", "a").close()
    with open("answers.json", encoding="utf-8") as file:
        sys.stdout.write(json.load(file)[json.load(sys.stdin)["order_id"]])
"""
CASES: list[dict[str, Any]] = [
    {
        "id": "status-paid-en",
        "input": {"order_id": "ord_1042", "locale": "en"},
        "expect": {"json": True, "required_keys": ["status", "order_id"], "forbidden": ["I think"]},
    },
    {
        "id": "status-missing-order",
        "input": {"order_id": "", "locale": "en"},
        "expect": {"json": True, "required_keys": ["error"], "error_equals": "missing_order_id"},
    },
]
ARTICLE = ("pair", "--prompt", "prompt.txt", "--golden", "golden.json", "--baseline", "baseline.json")
STUB = ("--", "python3", "stub_complete.py")


class Desk(Repository):
    """A folder without git: a prompt, a suite, and a completer that says what it is told to."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, init=False)
        self.write({"stub_complete.py": COMPLETER})
        self.prompt("Answer with the status of an order.\n")
        self.says(PAID)

    def prompt(self, text: str) -> None:
        """Another prompt, with the suite's hash in step."""
        self.write({"prompt.txt": text.encode()})
        self.suite()

    def suite(self, *cases: dict[str, Any], **changes: Any) -> None:
        sha256 = hashlib.sha256((self.root / "prompt.txt").read_bytes()).hexdigest()
        found = {"prompt_id": "billing-status-v3", "prompt_sha256": sha256, "cases": list(cases) or CASES} | changes
        self.write({"golden.json": json.dumps({key: part for key, part in found.items() if part is not None})})

    def says(self, paid: str, missing: str = MISSING) -> None:
        self.write({"answers.json": json.dumps({"ord_1042": paid, "": missing}).encode()})

    def pair(self, *flags: str, code: int = 0, env: dict[str, str] | None = None) -> Done:
        return self.lastgood(*ARTICLE, *flags, *STUB, code=code, env=env)

    def baseline(self) -> Any:
        return json.loads(self.read("baseline.json"))

    def edit_baseline(self, change: Any) -> None:
        found = self.baseline()
        change(found)
        self.write({"baseline.json": json.dumps(found)})


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk")


@pytest.fixture
def recorded(desk: Desk) -> Desk:
    """A baseline of both completions."""
    desk.pair("--record")
    return desk


# The two commands


def test_the_first_command_records_what_holds(desk: Desk) -> None:
    assert desk.pair("--record").out == (
        "baseline.json is not there yet: every case is new\n"
        "NEW status-paid-en digest=90c6433e8ed0\n"
        "NEW status-missing-order digest=0bd5f955bad1\n"
        "2 cases: 2 NEW\n"
        "2 never accepted yet\n"
        "recorded baseline.json: 0 moved, 2 new, 0 gone, 0 as before\n"
    )


def test_the_second_command_holds_while_nothing_moves(recorded: Desk) -> None:
    assert recorded.pair("--fail-on-diff").out == (
        "PASS status-paid-en digest=90c6433e8ed0\nPASS status-missing-order digest=0bd5f955bad1\n2 cases: 2 PASS\n"
    )


def test_a_legal_answer_that_moved_is_exit_3_with_both_digests(recorded: Desk) -> None:
    recorded.says('{"order_id": "ord_1042", "status": "paid"}')
    assert recorded.pair("--fail-on-diff", code=3).out == (
        "DIFF status-paid-en digest=ab16e05af45f\n"
        "  prev=90c6433e8ed0 len 42  key_order\n"
        "PASS status-missing-order digest=0bd5f955bad1\n"
        "2 cases: 1 PASS, 1 DIFF\n"
        "every assertion holds, 1 moved: a regression report, not a success\n"
    )


def test_a_move_is_told_but_is_no_failure_without_the_flag(recorded: Desk) -> None:
    recorded.says('{"order_id": "ord_1042", "status": "paid"}')
    assert "DIFF status-paid-en" in recorded.pair(code=0).out


def test_a_line_break_more_is_no_move(recorded: Desk) -> None:
    recorded.says(PAID.replace(", ", ",\n  ") + "\n\n")
    recorded.pair("--fail-on-diff", code=0)


@pytest.mark.parametrize("flag", [("--cmd",), ("--cmd", "--")], ids=["bare", "before two dashes"])
def test_the_command_may_follow_cmd_as_in_the_article_s_program(recorded: Desk, flag: tuple[str, ...]) -> None:
    recorded.lastgood("pair", "--prompt", "prompt.txt", *flag, "python3", "stub_complete.py")


def test_everything_after_cmd_is_the_command_s(desk: Desk) -> None:
    script = "import sys; print(sys.argv[1:], file=sys.stderr); sys.exit(5)"
    done = desk.lastgood(
        "pair", "--prompt", "prompt.txt", "--cmd", "python3", "-c", script, "--record", "--", "x", code=1
    )
    assert "['--record', '--', 'x']" in done.out


# Exit 1: an invariant breaks


BROKEN = {
    "an array that holds the key's name": ('["status", "order_id"]', "not_an_object:"),
    "a string that is the key's name": ('"status"', "not_an_object:"),
    "a number": ("5", "not_an_object:"),
    "a missing key": ('{"status": "paid"}', "missing_key:order_id"),
    "a forbidden phrase": ('{"status": "paid", "order_id": "I think ord_1042"}', "forbidden:I think"),
    "no JSON": ("Sure! The order is paid.", "parse_fail:"),
    "nothing": ("", "parse_fail:"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_invariant_is_exit_1_and_never_a_traceback(recorded: Desk, fault: str) -> None:
    answer, failure = BROKEN[fault]
    recorded.says(answer)
    done = recorded.pair("--fail-on-diff", code=1)
    (line,) = (line for line in done.out.splitlines() if line.startswith("FAIL"))
    assert line.startswith("FAIL status-paid-en digest=")
    assert failure in line
    assert "Traceback" not in done.said


def test_a_completer_that_fails_is_exit_1_with_its_last_words(desk: Desk) -> None:
    done = desk.lastgood(*ARTICLE, "--", "python3", "-c", "raise SystemExit('no model today')", code=1)
    assert "FAIL status-paid-en digest=------------ completer_failed:exit 1\n     no model today\n" in done.out


def test_a_completer_that_hangs_is_exit_1(desk: Desk) -> None:
    done = desk.lastgood(*ARTICLE, "--timeout", "0.2", "--", "python3", "-c", "import time; time.sleep(60)", code=1)
    assert "completer_timeout:0.2s" in done.out


# Exit 2: not of this prompt


@pytest.mark.parametrize("pin", ["replace-with-sha256-of-the-prompt-file", None, "0" * 64])
def test_a_suite_of_another_prompt_is_exit_2_and_says_what_to_write(desk: Desk, pin: str | None) -> None:
    desk.suite(prompt_sha256=pin)
    done = desk.pair(code=2)
    now = hashlib.sha256((desk.root / "prompt.txt").read_bytes()).hexdigest()
    assert done.out == f"prompt_hash_mismatch expected={pin} got={now}\n"
    assert f'write "prompt_sha256": "{now}" into golden.json' in done.err
    assert not (desk.root / "asked").exists()


def test_a_moved_prompt_needs_a_new_baseline_even_when_every_assertion_holds(recorded: Desk) -> None:
    recorded.prompt("Answer with the status of an order, briefly.\n")
    done = recorded.pair(code=2)
    assert "PASS status-paid-en" in done.out
    assert "the photograph is of a different building" in done.err


def test_recording_is_what_a_moved_prompt_needs(recorded: Desk) -> None:
    recorded.prompt("Answer with the status of an order, briefly.\n")
    assert "replaced: the photograph is of a different building" in recorded.pair("--record").out
    recorded.pair("--fail-on-diff", code=0)


def test_a_baseline_that_names_no_prompt_is_of_none(recorded: Desk) -> None:
    recorded.edit_baseline(lambda found: found.pop("prompt_sha256"))
    assert "taken of a prompt nobody named" in recorded.pair(code=2).err


def test_a_case_that_is_asked_no_more_is_not_forgotten(recorded: Desk) -> None:
    recorded.suite(CASES[0])
    assert "holds a completion of 'status-missing-order'" in recorded.pair(code=2).err
    assert "0 moved, 0 new, 1 gone, 1 as before" in recorded.pair("--record").out
    recorded.pair("--fail-on-diff", code=0)


def test_an_edited_case_has_no_baseline_any_more(recorded: Desk) -> None:
    recorded.suite({**CASES[0], "expect": {"json": True}}, CASES[1])
    assert "case 'status-paid-en' was edited since" in recorded.pair(code=2).err


def test_another_normalization_has_no_baseline_any_more(recorded: Desk) -> None:
    recorded.suite(normalize="exact")
    assert "case 'status-paid-en' is normalized otherwise" in recorded.pair(code=2).err


def test_a_baseline_edited_by_hand_shows(recorded: Desk) -> None:
    recorded.edit_baseline(lambda found: found["cases"]["status-paid-en"].update(completion=["{}"]))
    assert "says digest 90c6433e8ed0, its own lines give" in recorded.pair(code=2).err


# Exit 3: nothing was accepted


@pytest.mark.parametrize("start", [None, "", "{}", '{"cases": {}}'], ids=["no file", "no byte", "{}", "no case"])
def test_a_completion_that_was_never_accepted_is_no_pass(desk: Desk, start: str | None) -> None:
    if start is not None:
        desk.write({"baseline.json": start})
    done = desk.pair("--fail-on-diff", code=3)
    assert done.out.count("NEW ") == 2
    assert "every case is new" in done.out


def test_a_new_case_beside_accepted_ones_is_new(recorded: Desk) -> None:
    recorded.suite(*CASES, {**CASES[0], "id": "another"})
    assert "NEW another digest=90c6433e8ed0" in recorded.pair("--fail-on-diff", code=3).out


# Exit 4: nobody can tell


MALFORMED = {
    "no case": ("golden.json", '{"prompt_id": "p", "cases": []}', "/cases"),
    "misspelt assertion": (
        "golden.json",
        '{"prompt_id": "p", "cases": [{"id": "a", "input": {}, "expect": {"requird_keys": ["x"]}}]}',
        "did you mean 'required_keys'?",
    ),
    "a single case": (
        "golden.json",
        '{"id": "a", "version": 1, "prompt_id": "p", "input": {}, "expect": {"json": true}}',
        "here a suite is needed",
    ),
    "one case twice": (
        "golden.json",
        '{"prompt_id": "p", "cases": [{"id": "a", "input": {}, "expect": {"json": true}},'
        ' {"id": "a", "version": 2, "input": {}, "expect": {"json": true}}]}',
        "asks 'a' in two versions",
    ),
    "broken suite": ("golden.json", "{", "not JSON"),
    "broken baseline": ("baseline.json", '{"cases": ', "not JSON"),
    "conflict in the baseline": ("baseline.json", "<<<<<<< ours\n{}\n", "conflict markers"),
    "unknown key in the baseline": ("baseline.json", '{"version": 2}', "unknown key"),
    "digest of no digits": ("baseline.json", '{"cases": {"a": {"digest": "90c6"}}}', "/cases/a/digest"),
    "a case of no hash": (
        "baseline.json",
        json.dumps({"cases": {"a": {"digest": "0" * 64, "completion": ["x"]}}}),
        "/cases/a",
    ),
    "LFS pointer": (
        "prompt.txt",
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 3\n",
        "only the LFS pointer of this prompt is here",
    ),
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_what_cannot_be_read_is_exit_4_with_its_file_and_place(recorded: Desk, fault: str) -> None:
    name, content, said = MALFORMED[fault]
    recorded.write({name: content})
    done = recorded.pair(code=4)
    assert done.err.startswith(f"lastgood: {name}")
    assert said in done.err


@pytest.mark.parametrize("name", ["prompt.txt", "golden.json"])
def test_a_file_that_is_not_there_is_exit_4(desk: Desk, name: str) -> None:
    (desk.root / name).unlink()
    assert desk.pair(code=4).err == f"lastgood: {name}: cannot be read: No such file or directory\n"


USAGE = {
    "no command": (ARTICLE, "no command to ask"),
    "nothing after the dashes": ((*ARTICLE, "--"), "no command after --"),
    "no prompt": (("pair", *STUB), "--prompt"),
    "record and fail": ((*ARTICLE, "--record", "--fail-on-diff", *STUB), "not allowed with argument"),
    "no time": ((*ARTICLE, "--timeout", "nan", *STUB), "must be a number of seconds above 0"),
}


@pytest.mark.parametrize("fault", USAGE)
def test_a_command_line_that_makes_no_sense_is_exit_4(desk: Desk, fault: str) -> None:
    words, said = USAGE[fault]
    assert said in desk.lastgood(*words, code=4).err


# Recording


@pytest.mark.parametrize("name", ["CI", "GITHUB_ACTIONS", "PRE_COMMIT", "GIT_INDEX_FILE"])
def test_a_machine_never_records_and_never_asks(desk: Desk, name: str) -> None:
    assert f"recording is refused: {name} is set" in desk.pair("--record", code=4, env={name: "true"}).err
    assert not (desk.root / "baseline.json").exists()
    assert not (desk.root / "asked").exists()


def test_ci_may_compare(recorded: Desk) -> None:
    recorded.pair("--fail-on-diff", env={"CI": "true"})


def test_nothing_is_recorded_when_one_case_fails(recorded: Desk) -> None:
    before = recorded.read("baseline.json")
    recorded.says('{"status": "pending", "order_id": "ord_1042"}', missing="{}")
    done = recorded.pair("--record", code=1)
    assert "FAIL status-missing-order" in done.out
    assert "nothing recorded" in done.err
    assert recorded.read("baseline.json") == before


def test_recording_shows_what_moves(recorded: Desk) -> None:
    recorded.says('{"status": "pending", "order_id": "ord_1042"}')
    out = recorded.pair("--record").out
    assert "  prev=90c6433e8ed0 len 45  value /status\n" in out
    assert out.endswith("recorded baseline.json: 1 moved, 0 new, 0 gone, 1 as before\n")


def test_the_whole_completion_is_kept(desk: Desk) -> None:
    told = "word " * 200
    answer = json.dumps({"status": "paid", "order_id": "ord_1042", "told": told}, indent=1) + "\n"
    desk.says(answer)
    desk.pair("--record")
    assert "\n".join(desk.baseline()["cases"]["status-paid-en"]["completion"]) == answer


def test_recording_again_changes_no_byte(recorded: Desk) -> None:
    before = recorded.files()
    recorded.says(PAID + "\n")  # white space that no digest sees
    assert "nothing to record" in recorded.pair("--record").out
    assert recorded.files() | {"answers.json": b""} == before | {"answers.json": b""}


def test_a_secret_is_not_recorded(desk: Desk) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    desk.says(json.dumps({"status": "paid", "order_id": token}))
    done = desk.pair("--record", code=4)
    assert "seems to hold a secret" in done.err
    assert token not in done.said
    assert not (desk.root / "baseline.json").exists()


def test_a_baseline_in_a_folder_that_is_not_there_yet(desk: Desk) -> None:
    desk.lastgood("pair", "--prompt", "prompt.txt", "--baseline", "kept/here.json", "--record", *STUB)
    assert (desk.root / "kept" / "here.json").is_file()


def test_a_linked_baseline_stays_a_link(recorded: Desk) -> None:
    (recorded.root / "baseline.json").rename(recorded.root / "real.json")
    (recorded.root / "baseline.json").symlink_to("real.json")
    recorded.says('{"status": "pending", "order_id": "ord_1042"}')
    recorded.pair("--record")
    assert (recorded.root / "baseline.json").is_symlink()
    recorded.pair("--fail-on-diff")


# The baseline that the article's program wrote


@pytest.fixture
def article(recorded: Desk) -> Desk:
    """A baseline of digests and samples."""

    def strip(found: Any) -> None:
        for entry in found["cases"].values():
            sample = "\n".join(entry["completion"])[:240]
            entry.clear()
            entry.update(digest=hashlib.sha256(sample.encode()).hexdigest(), sample=sample)

    recorded.edit_baseline(strip)
    return recorded


def test_the_article_s_own_baseline_is_compared_with(article: Desk) -> None:
    article.pair("--fail-on-diff", code=0)
    article.says('{"status": "pending", "order_id": "ord_1042"}')
    assert "  prev=90c6433e8ed0 len 45\n" in article.pair("--fail-on-diff", code=3).out


def test_recording_replaces_its_samples_by_whole_completions(article: Desk) -> None:
    article.pair("--record")
    assert article.baseline()["cases"]["status-paid-en"]["completion"] == [PAID]


# What a completer sees, and traces


def test_the_completer_gets_the_input_and_exactly_the_hashed_prompt(desk: Desk) -> None:
    program = """\
        import hashlib, json, os, sys
        asked = json.load(sys.stdin)
        with open(os.environ["LASTGOOD_PROMPT_FILE"], "rb") as file:
            same = hashlib.sha256(file.read()).hexdigest() == os.environ["LASTGOOD_PROMPT_SHA256"]
        print(json.dumps({"error": "missing_order_id", "status": same, "order_id": asked}))
    """
    desk.write({"stub_complete.py": program})
    desk.pair("--record")
    said = json.loads("\n".join(desk.baseline()["cases"]["status-paid-en"]["completion"]))
    assert said["status"] is True
    assert said["order_id"] == {"prompt_id": "billing-status-v3", "order_id": "ord_1042", "locale": "en"}


def trace(order_id: str) -> str:
    call = {"name": "get_order", "arguments": {"order_id": order_id, "fresh": True}}
    return json.dumps({"tool_calls": [call], "final_text": '{"reply": "On its way."}'})


LOOKUP = {
    "id": "lookup",
    "input": {"order_id": "ord_1042"},
    "assertions": {"must_call": ["get_order"], "output_schema": "reply"},
}


def test_traces_are_graded_recorded_and_compared(desk: Desk) -> None:
    desk.suite(LOOKUP)
    desk.write({"schemas/reply.json": '{"required": ["reply"]}'})
    desk.says(trace("ord_1042"))
    desk.pair("--output", "trace", "--record")
    kept = desk.baseline()["cases"]["lookup"]["completion"]
    assert kept["tool_calls"][0]["arguments"] == {"order_id": "ord_1042", "fresh": True}
    desk.pair("--output", "trace", "--fail-on-diff", code=0)
    desk.says(trace("ord_1043"))
    done = desk.pair("--output", "trace", "--fail-on-diff", code=3)
    assert "  arg_value get_order.order_id\n" in done.out


def test_a_schema_that_is_nowhere_is_exit_4(desk: Desk) -> None:
    desk.suite(LOOKUP)
    assert "names the output schema 'reply', which is not at schemas/reply.json" in desk.pair(code=4).err


def test_lines_come_in_the_order_of_the_suite(desk: Desk) -> None:
    cases = [{**CASES[0], "id": f"case-{number}"} for number in range(9)]
    desk.suite(*cases)
    out = desk.pair("-j", "9").out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("NEW")] == [case["id"] for case in cases]
