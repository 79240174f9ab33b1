"""`lastgood grade`: the second article's captured traces, and every claim it makes of its graders."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lastgood.core.digest import joined_hash, value_hash
from repository import LASTGOOD, Done, Repository
from terminal import at_terminal

if TYPE_CHECKING:
    from pathlib import Path

CASE: dict[str, Any] = {
    "id": "order_lookup_missing_id_v3",
    "version": 3,
    "prompt_id": "support_agent_v12",
    "input": {"messages": [{"role": "user", "content": "Where is my package? Order is 1842-AX."}]},
    "tools": ["get_order", "create_refund"],
    "assertions": {
        "must_call": ["get_order"],
        "must_not_call": ["create_refund"],
        "args": {"get_order": {"order_id": {"eq": "1842-AX"}}},
        "output_schema": "support_reply_v2",
        "forbid_patterns": ["I assume"],
    },
}
ID: str = CASE["id"]
CALL = {"name": "get_order", "arguments": {"order_id": "1842-AX"}}
REPLY = '{"reply": "It is on its way."}'
TRACE = {"tool_calls": [CALL], "final_text": REPLY}
ARTICLE = ("grade", "--cases", "./golden", "--traces", "./traces.json", "--out", "./scores/2026-09-07.json")


class Desk(Repository):
    """A folder of cases and a file of traces, without git."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, init=False)
        self.cases(case=CASE)
        self.write({"golden/schemas/support_reply_v2.json": '{"type": "object", "required": ["reply"]}'})
        self.traces({ID: TRACE})

    def cases(self, **cases: Any) -> None:
        """A file a case, named as given."""
        self.write({f"golden/{name}.json": json.dumps(case) for name, case in cases.items()})

    def traces(self, found: Any) -> None:
        self.write({"traces.json": json.dumps(found)})

    def lines(self, *lines: str) -> None:
        self.write({"traces.json": ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")})

    def grade(self, *flags: str, code: int = 0) -> Done:
        return self.lastgood(*ARTICLE, *flags, code=code)

    def scores(self) -> Any:
        return json.loads(self.read("scores/2026-09-07.json"))

    def failures(self, case_id: str = ID) -> list[str]:
        (found,) = (row["failures"] for row in self.scores()["scores"] if row["id"] == case_id)
        return list(found)

    def refused(self) -> str:
        """What is said when nobody can tell; nothing was written."""
        done = self.grade(code=4)
        assert not (self.root / "scores").exists()
        assert "Traceback" not in done.said
        return done.err


def another(case_id: str, **changes: Any) -> dict[str, Any]:
    return {**CASE, "id": case_id, **changes}


def line(case_id: str, **trace: Any) -> str:
    return json.dumps({"id": case_id, **(trace or TRACE)})


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "desk")


# The command and its document


def test_the_article_s_command_writes_the_score_document(desk: Desk) -> None:
    out = desk.grade().out
    found = desk.scores()
    assert found["scores"][0].pop("digest")
    hashed = value_hash(CASE)
    assert found == {
        "prompt_id": "support_agent_v12",
        "suite_hash": joined_hash([hashed]),
        "n": 1,
        "passed": 1,
        "failed": 0,
        "scores": [{"id": ID, "case_hash": hashed, "pass": True, "failures": []}],
    }
    assert out == (
        f"1 case: 1 PASS; suite_hash {found['suite_hash']}, written to ./scores/2026-09-07.json\n"
        "lastgood grade: held (0)\n"
    )


def test_the_hashes_are_those_that_the_article_s_program_gives(desk: Desk) -> None:
    desk.cases(case=CASE, also=another("also", notes="für später"))  # both as its functions hash them
    desk.grade(code=1)
    assert [row["case_hash"] for row in desk.scores()["scores"]] == ["f1c6fbd626d77420", "4f0f9f98f523f21c"]
    assert desk.scores()["suite_hash"] == "c18b4578eeb2a01b"


def test_the_same_scores_are_the_same_bytes_however_cases_and_traces_are_laid_out(desk: Desk) -> None:
    desk.grade()
    before = desk.read("scores/2026-09-07.json")
    desk.write({"golden/case.json": json.dumps(CASE, indent=4, sort_keys=True)})
    desk.lines(line(ID))
    desk.grade()
    assert desk.read("scores/2026-09-07.json") == before


def test_without_out_the_document_is_all_of_standard_output(desk: Desk) -> None:
    done = desk.lastgood("grade", "--cases", "golden", "--traces", "traces.json")
    assert json.loads(done.out)["passed"] == 1
    assert done.err.endswith("lastgood grade: held (0)\n")


def test_scores_come_in_the_order_of_files_and_of_a_suite(desk: Desk) -> None:
    rows = [{key: part for key, part in another(name).items() if key != "prompt_id"} for name in ("s2", "s1")]
    desk.cases(suite={"prompt_id": "support_agent_v12", "cases": rows}, zebra=another("a"), aunt=another("z"))
    desk.lines(*(line(name) for name in ("s1", "a", ID, "z", "s2")))
    desk.grade()
    assert [row["id"] for row in desk.scores()["scores"]] == ["z", ID, "s2", "s1", "a"]


def test_scores_of_several_prompts_name_none(desk: Desk) -> None:
    desk.cases(other=another("other", prompt_id="billing"))
    desk.traces({ID: TRACE, "other": TRACE})
    desk.grade()
    assert "prompt_id" not in desk.scores()


# What the graders fail


FAILING: dict[str, tuple[Any, str]] = {
    "no lookup": ({**TRACE, "tool_calls": []}, "missing_tool:get_order"),
    "a refund": ({**TRACE, "tool_calls": [CALL, {**CALL, "name": "create_refund"}]}, "forbidden_tool:create_refund"),
    "another order": (
        {**TRACE, "tool_calls": [{**CALL, "arguments": {"order_id": "EVIL"}}]},
        "arg_mismatch:get_order.order_id",
    ),
    "another order in the second call": (
        {**TRACE, "tool_calls": [CALL, {**CALL, "arguments": {"order_id": "EVIL"}}]},
        "arg_mismatch:get_order.order_id",
    ),
    "a tool outside the list": ({**TRACE, "tool_calls": [CALL, {**CALL, "name": "wipe"}]}, "unknown_tool:wipe"),
    "a reply that breaks its schema": ({**TRACE, "final_text": '{"text": "hello"}'}, "schema:"),
    "a reply that is no JSON": ({**TRACE, "final_text": "hello"}, "parse_fail:"),
    "a forbidden phrase": ({**TRACE, "final_text": '{"reply": "i assume so"}'}, "forbid_pattern:I assume"),
    "no tool_calls": ({"final_text": REPLY}, "malformed_trace"),
    "no final_text": ({"tool_calls": [CALL]}, "malformed_trace"),
    "tool_calls null": ({**TRACE, "tool_calls": None}, "malformed_trace"),
    "tool_calls a string": ({**TRACE, "tool_calls": "x"}, "malformed_trace"),
    "final_text null": ({**TRACE, "final_text": None}, "malformed_trace"),
    "arguments that do not parse": (
        {**TRACE, "tool_calls": [{**CALL, "arguments": '{"order_id": '}]},
        "malformed_trace",
    ),
    "no object": ([], "malformed_trace"),
}


@pytest.mark.parametrize("fault", FAILING)
def test_a_trace_that_breaks_the_contract_is_exit_1_and_named(desk: Desk, fault: str) -> None:
    trace, failure = FAILING[fault]
    desk.traces({ID: trace})
    out = desk.grade(code=1).out
    assert any(found.startswith(failure) for found in desk.failures())
    assert f"FAIL {ID} digest=" in out
    assert out.endswith("lastgood grade: broken (1)\n")


def test_a_case_without_a_trace_fails(desk: Desk) -> None:
    desk.cases(also=another("also"))
    desk.grade(code=1)
    assert desk.failures("also") == ["missing_trace"]


UNSOUND = {
    "a duplicate key": '{"tool_calls": [], "tool_calls": [], "final_text": ""}',
    "NaN": '{"tool_calls": [], "final_text": "", "cost": NaN}',
    "a lone surrogate": '{"tool_calls": [], "final_text": "\\ud800"}',
    "no UTF-8": '{"tool_calls": [], "final_text": "\udcff"}',
    "too deep": '{"tool_calls": [], "final_text": "", "x": ' + "[" * 200 + "]" * 200 + "}",
    "a number too long to convert": '{"tool_calls": [], "final_text": "", "x": ' + "9" * 5000 + "}",
}


@pytest.mark.parametrize("form", ["object", "lines"])
@pytest.mark.parametrize("fault", UNSOUND)
def test_an_unsound_trace_fails_its_own_case_and_no_other(desk: Desk, fault: str, form: str) -> None:
    desk.cases(also=another("also"))
    if form == "object":
        desk.lines("{", f'"also": {UNSOUND[fault]}, "{ID}": {json.dumps(TRACE)}', "}")
    else:
        desk.lines('{"id": "also", ' + UNSOUND[fault][1:], line(ID))
    desk.grade(code=1)
    assert desk.failures("also") == ["bad_utf8" if fault == "no UTF-8" else "malformed_trace"]
    assert desk.failures() == []


def test_only_the_first_failing_cases_are_printed(desk: Desk) -> None:
    desk.cases(**{f"more{number:02}": another(f"more{number:02}") for number in range(30)})
    out = desk.grade(code=1).out
    assert out.count("FAIL more") == 20
    assert "… and 10 more, named in the document\n31 cases: 1 PASS, 30 FAIL; " in out


# What nobody can tell


def test_a_trace_of_an_unknown_case_is_named_with_the_one_that_was_meant(desk: Desk) -> None:
    desk.traces({"order_lookup_missing_id_v4": TRACE})
    said = desk.refused()
    assert "/order_lookup_missing_id_v4: a trace of 'order_lookup_missing_id_v4', no case here" in said
    assert f"did you mean '{ID}'?" in said


MALFORMED = {
    "empty": ("", "traces.json: is empty"),
    "an array": ("[]", "must be one object, case id → trace, or JSON Lines"),
    "cut off": ('{"a": {"tool_calls": []', "not JSON: "),
    "a comma too many": ('{"a": {}, }', "not JSON: expected a case id at line 1 column 11"),
    "no colon": ('{"a" {}}', "not JSON: expected ':' at line 1 column 6"),
    "a key that is no string": ("{1: {}}", "not JSON: expected a case id at line 1 column 2"),
    "more behind it": ("{} {}", "not JSON: more after the object at line 1 column 4"),
    "brackets without end": ('{"a": ' + "[" * 100_000, "nested too deeply"),
    "a line that is cut off": (line(ID) + '\n\n{"id": "x", ', "line 3: not JSON: "),
    "a line without an id": (line(ID) + "\n{}", "line 2: must be an object with the id of its case"),
    "two ids": (line(ID) + '\n{"id": "x", "id": "y"}', "line 2 /id: duplicate key"),
    "two traces of one case": (line(ID) + "\n" + line(ID), f"line 2: a second trace of case '{ID}'"),
    "two traces in one object": (f'{{"{ID}": {{}}, "{ID}": {{}}}}', f"/{ID}: a second trace of case '{ID}'"),
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_traces_that_cannot_be_read_are_exit_4_with_their_place(desk: Desk, fault: str) -> None:
    content, said = MALFORMED[fault]
    desk.lines(content)
    assert said in desk.refused()


def test_a_file_named_jsonl_is_json_lines_from_its_first_line(desk: Desk) -> None:
    desk.write({"t.jsonl": '{"id": "a", \n'})
    done = desk.lastgood("grade", "--cases", "golden", "--traces", "t.jsonl", code=4)
    assert done.err.startswith("lastgood: t.jsonl line 1: not JSON: ")


CASES = {
    "a misspelt assertion": ({"also": another("also", assertions={"must_cal": ["x"]})}, "did you mean 'must_call'?"),
    "one case in two files": ({"copy": CASE}, "version 3 is also in "),
    "two active versions": ({"old": another(ID, version=2)}, "is active twice"),
    "ids that are one file name": ({"upper": another(ID.upper())}, "are one file name on some systems"),
    "a schema that is nowhere": (
        {"also": another("also", assertions={**CASE["assertions"], "output_schema": "v9"})},
        "names the output schema 'v9', which is not at golden/schemas/v9.json or schemas/v9.json",
    ),
}


@pytest.mark.parametrize("fault", CASES)
def test_cases_that_cannot_be_trusted_are_exit_4(desk: Desk, fault: str) -> None:
    cases, said = CASES[fault]
    desk.cases(**cases)
    assert said in desk.refused()


def test_a_folder_without_cases_is_exit_4(desk: Desk) -> None:
    (desk.root / "golden" / "case.json").unlink()
    assert "./golden: holds no golden case" in desk.refused()


def test_a_folder_that_is_not_there_is_exit_4(desk: Desk) -> None:
    done = desk.lastgood("grade", "--cases", "gone", "--traces", "traces.json", code=4)
    assert done.err == "lastgood: gone: cannot be read: No such file or directory\n"


def test_schemas_may_lie_beside_the_folder_or_be_named(desk: Desk) -> None:
    (desk.root / "golden" / "schemas").rename(desk.root / "schemas")
    desk.grade()
    (desk.root / "schemas").rename(desk.root / "shared")
    assert "--schemas FOLDER" in desk.grade(code=4).err
    desk.grade("--schemas", "shared")


def test_a_schema_that_checks_nothing_is_exit_4(desk: Desk) -> None:
    desk.write({"golden/schemas/support_reply_v2.json": "{}"})
    assert "golden/schemas/support_reply_v2.json: a schema that checks nothing" in desk.refused()


# A catalog among the cases


def catalog(*rows: tuple[dict[str, Any], str]) -> dict[str, Any]:
    cases = [
        {"id": case["id"], "version": case["version"], "case_hash": value_hash(case), "status": status}
        | ({"reason": "the contract changed"} if status == "retired" else {})
        for case, status in rows
    ]
    return {"prompt_id": "support_agent_v12", "suite_hash": "0" * 16, "cases": cases}


def test_a_retired_case_stays_in_the_folder_and_is_not_graded(desk: Desk) -> None:
    older = another("order_lookup_missing_id_v2")
    desk.cases(older=older, catalog=catalog((CASE, "active"), (older, "retired")))
    desk.traces({ID: TRACE, "order_lookup_missing_id_v2": TRACE})
    desk.grade()
    assert desk.scores()["suite_hash"] == joined_hash([value_hash(CASE)])


def test_an_older_version_may_have_the_same_id(desk: Desk) -> None:
    older = another(ID, version=2)
    desk.cases(older=older, catalog=catalog((CASE, "active"), (older, "retired")))
    desk.grade()
    assert desk.scores()["n"] == 1


def test_a_folder_where_every_case_is_retired_is_exit_4(desk: Desk) -> None:
    desk.cases(catalog=catalog((CASE, "retired")))
    assert "every case here is retired" in desk.refused()


def test_a_shipped_case_that_was_edited_is_exit_2(desk: Desk) -> None:
    desk.cases(catalog=catalog((CASE, "active")), case={**CASE, "notes": "quietly"})
    done = desk.grade(code=2)
    assert "was edited in place after it shipped" in done.err
    assert not (desk.root / "scores").exists()


def test_a_shipped_case_that_is_gone_is_exit_2(desk: Desk) -> None:
    desk.cases(catalog=catalog((CASE, "active"), (another("lost"), "active")))
    assert "case 'lost' version 3 is shipped, but its object is not in this folder" in desk.grade(code=2).err


# Traces of other shapes


FUNCTION = {"name": "get_order", "arguments": '{"order_id": "1842-AX"}'}
CHAT: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "choices": [{"message": {"content": REPLY, "tool_calls": [{"id": "call_1", "function": FUNCTION}]}}],
}
ANSWERED = {
    "an object by case id": json.dumps({ID: CHAT}),
    "a line with the output": json.dumps({"id": ID, "output": CHAT}),
    "the output as text": json.dumps({"id": ID, "output": json.dumps(CHAT)}),
    "text by case id": json.dumps({ID: json.dumps(CHAT)}),
}


@pytest.mark.parametrize("form", ANSWERED)
def test_answers_of_a_vendor_score_as_the_traces_they_are(desk: Desk, form: str) -> None:
    desk.grade()
    of_traces = desk.read("scores/2026-09-07.json")
    desk.lines(ANSWERED[form])
    desk.grade("--output", "openai")
    assert desk.read("scores/2026-09-07.json") == of_traces


@pytest.mark.parametrize("form", ["object", "lines"])
def test_an_answer_that_was_cut_fails_its_case(desk: Desk, form: str) -> None:
    cut = {"choices": [CHAT["choices"][0] | {"finish_reason": "length"}]}
    desk.lines(json.dumps({ID: cut} if form == "object" else {"id": ID, "output": cut}))
    assert '/choices/0/finish_reason is "length"' in desk.grade("--output", "openai", code=1).out
    assert desk.failures() == ["malformed_trace"]


@pytest.mark.parametrize("form", ["object", "lines"])
def test_plain_texts_are_strings(desk: Desk, form: str) -> None:
    plain = another(ID, expect={"required_keys": ["reply"]})
    desk.cases(case={key: part for key, part in plain.items() if key not in ("assertions", "tools")})
    desk.lines(json.dumps({ID: REPLY} if form == "object" else {"id": ID, "output": REPLY}))
    desk.grade("--output", "text")


NO_ENVELOPE = {
    "a vendor's object alone": json.dumps(CHAT),
    "no id": json.dumps({"id": 7, "output": CHAT}),
    "two outputs": f'{{"id": "{ID}", "output": {{}}, "output": {{}}}}',
}


@pytest.mark.parametrize("fault", NO_ENVELOPE)
def test_a_line_of_which_nobody_can_tell_the_case_is_exit_4(desk: Desk, fault: str) -> None:
    desk.lines(json.dumps({"id": ID, "output": CHAT}), NO_ENVELOPE[fault])
    done = desk.grade("--output", "openai", code=4)
    assert "traces.json line 2: must be an object with the id of its case and the output, each once" in done.err


def test_a_line_of_another_shape_that_is_no_json_is_exit_4(desk: Desk) -> None:
    desk.lines(json.dumps({"id": ID, "output": CHAT}), '{"id": "x", ')
    assert "traces.json line 2: not JSON: " in desk.grade("--output", "openai", code=4).err


# At a terminal


def at_a_terminal(desk: Desk, count: int) -> str:
    names = [f"c{number}" for number in range(count)]
    rows = [{"id": name, "input": {}, "expect": {"length": {"ge": 1}}} for name in names]
    (desk.root / "golden" / "case.json").unlink()
    desk.cases(suite={"prompt_id": "p", "cases": rows})
    desk.lines(*(line(name) for name in names))
    code, shown = at_terminal(desk, LASTGOOD, *ARTICLE, typed=b"")
    assert code == 0
    return shown


def test_at_a_terminal_a_bar_tells_how_many_are_graded_and_is_wiped(desk: Desk) -> None:
    shown = at_a_terminal(desk, 2500)
    first = "[########............] 1,000 of 2,500 traces graded"
    last = "[################....] 2,000 of 2,500 traces graded"
    assert f"{first}\r{last}\r{' ' * len(last)}\r2500 cases: 2500 PASS; " in shown


def test_few_traces_are_not_counted(desk: Desk) -> None:
    assert at_a_terminal(desk, 20).startswith("20 cases: 20 PASS; ")


# Files that are large enough to be graded by several processes

MANY = 2400
NAMES = [f"case-{nth}" for nth in range(MANY)]
LAST = MANY // 2  # a line in another share than the first


def large(desk: Desk, *more: str) -> dict[str, Any]:
    """A trace a case, every seventh of which fails in its own way; and more lines in the middle."""
    desk.write(
        {
            "golden/case.json": json.dumps(
                {"prompt_id": "p", "cases": [suite_case({**CASE, "id": name}) for name in NAMES]}
            )
        }
    )
    traces = {
        name: TRACE | {"usage": "x" * 1000} | ({} if nth % 7 else {"final_text": f"I assume {nth} é \u202e"})
        for nth, name in enumerate(NAMES)
    }
    found = [line(name, **trace) for name, trace in traces.items()]
    desk.lines(*found[:LAST], *more, *found[LAST:])
    return traces


def suite_case(found: dict[str, Any]) -> dict[str, Any]:
    return {key: held for key, held in found.items() if key != "prompt_id"}


def test_a_large_file_scores_as_a_small_one_to_the_byte(desk: Desk) -> None:
    traces = large(desk, "", "   ")
    by_lines = desk.grade(code=1)
    scores = desk.read("scores/2026-09-07.json")
    desk.traces(traces)
    assert (desk.grade(code=1).said, desk.read("scores/2026-09-07.json")) == (by_lines.said, scores)


WRONG = {
    "a second trace": (line("case-0"), "a second trace of case 'case-0'"),
    "a stray one": (line("case"), "a trace of 'case', no case here"),
    "no JSON": ("{", "not JSON: "),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_in_a_large_file_is_told_with_its_line(desk: Desk, fault: str) -> None:
    content, said = WRONG[fault]
    large(desk, content)
    assert f"line {LAST + 1}: {said}" in desk.refused()
