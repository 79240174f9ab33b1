"""Findings as text, JSON and GitHub annotations: projections of the same values."""

from __future__ import annotations

import json
import re

import pytest

from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP, Finding
from lastgood.report.findings import FORMATS, Report, as_json, github, sentence, text
from lastgood.report.speller import Speller

MOVED = Finding(
    "prompt-moved",
    OUT_OF_STEP,
    "prompts/billing.txt",
    "the prompt moved, its baseline did not",
    details=(("pinned", "111"), ("now", "222")),
    fix=("lastgood eval -p billing -c stub", "git add baselines/stub/billing/"),
    prompt_id="billing",
    completer="stub",
)
BAD = Finding("malformed", CANNOT_TELL, "golden/billing/suite.json", "unknown key", pointer="/cases/0/expekt")
REPORT = Report("check", "2 prompts of the index", (MOVED, BAD), ("history check skipped",))


def test_text() -> None:
    assert text(REPORT) == (
        "prompts/billing.txt: the prompt moved, its baseline did not\n"
        "  pinned  111\n"
        "  now     222\n"
        "  run  lastgood eval -p billing -c stub\n"
        "       git add baselines/stub/billing/\n"
        "\n"
        "golden/billing/suite.json /cases/0/expekt: unknown key\n"
        "\n"
        "note: history check skipped\n"
        "lastgood check: cannot tell (4): 2 findings in 2 prompts of the index\n"
    )


def test_text_of_nothing_wrong_is_one_line() -> None:
    assert text(Report("check", "2 prompts", ())) == "lastgood check: held (0): 2 prompts\n"


def test_one_finding_is_one() -> None:
    assert text(Report("check", "x", (MOVED,))).endswith("lastgood check: out of step (2): 1 finding in x\n")


def test_many_findings_are_cut_and_said_to_be_cut() -> None:
    shown = text(Report("check", "x", (MOVED,) * 30))
    assert shown.count("the prompt moved") == 12
    assert "… and 18 more findings: lastgood check --format json\n" in shown
    assert "30 findings in x" in shown


def test_many_findings_fit_a_screen_the_first_of_them_whole() -> None:
    details = tuple((f"detail {number}", "x") for number in range(4))
    many = Finding("prompt-moved", OUT_OF_STEP, "prompts/billing.txt", "moved", details=details, fix=("a", "b", "c"))
    for count in (1, 2, 3, 5, 12, 40):
        shown = text(Report("check", "x", (many,) * count))
        assert len(shown.splitlines()) < 24
        assert shown.startswith("prompts/billing.txt: moved\n  detail 0  x\n")
        assert shown.count("prompts/billing.txt: moved\n") == min(count, 12)
        assert "\x1b" not in shown


def test_commands_are_spelled_as_people_type_them() -> None:
    shown = text(REPORT, spell=Speller(make=True))
    assert "  run  make eval PROMPT=billing COMPLETER=stub\n       git add baselines/stub/billing/\n" in shown


def test_json_holds_everything() -> None:
    found = json.loads(as_json(REPORT))
    assert (found["command"], found["verdict"], found["word"]) == ("check", 4, "cannot tell")
    assert found["notes"] == ["history check skipped"]
    assert found["findings"][0] == {
        "code": "prompt-moved",
        "verdict": 2,
        "path": "prompts/billing.txt",
        "message": "the prompt moved, its baseline did not",
        "pointer": "",
        "details": [["pinned", "111"], ["now", "222"]],
        "fix": ["lastgood eval -p billing -c stub", "git add baselines/stub/billing/"],
        "prompt_id": "billing",
        "completer": "stub",
    }


def test_github_annotates_the_file() -> None:
    lines = github(REPORT).splitlines()
    assert lines[0] == (
        "::error file=prompts/billing.txt,title=lastgood prompt-moved::the prompt moved, its baseline did not"
        "%0Apinned: 111%0Anow: 222%0Arun: lastgood eval -p billing -c stub%0Arun: git add baselines/stub/billing/"
    )
    assert lines[1] == (
        "::error file=golden/billing/suite.json,title=lastgood malformed::unknown key (/cases/0/expekt)"
    )
    assert lines[2] == "::notice title=lastgood::history check skipped"
    assert lines[3] == "lastgood check: cannot tell (4): 2 findings in 2 prompts of the index"


NASTY = Finding("malformed", CANNOT_TELL, "p/a,b:c%\n::x\x1b", "100%\r\n::error::owned\x1b[2J\u202e", pointer="/\n")


def test_github_escapes_what_its_runner_reads() -> None:
    line, last = github(Report("check", "x", (NASTY,))).splitlines()
    assert line.startswith("::error file=p/a%2Cb%3Ac%25%0A%3A%3Ax")
    assert "100%25%0D%0A::error" in line
    assert last.startswith("lastgood check: ")


@pytest.mark.parametrize("form", ["text", "json"])
def test_nothing_in_a_finding_drives_a_terminal(form: str) -> None:
    shown = FORMATS[form](Report("check", "x", (NASTY,), ("\x1b\n::error::note",)))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", shown)
    assert not [line for line in shown.splitlines() if line.startswith("::")]


@pytest.mark.parametrize("count", [0, 1, 2, 40])
def test_every_form_counts_the_same(count: int) -> None:
    report = Report("check", "x", (MOVED,) * count)
    said = re.search(r"(\d+) findings? in", text(report))
    assert (int(said[1]) if said else 0) == count
    assert len(json.loads(as_json(report))["findings"]) == count
    assert github(report).count("::error ") == count


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("why", "", "", ""), "lastgood: why"),
        (("why", "a b.json", "/x", ""), "lastgood: a b.json /x: why"),
        (("why", "", "", "lastgood eval"), "lastgood: why\n  run  lastgood eval"),
        (("a\nb\x1b", "", "", ""), "lastgood: a\\nb\\x1b"),
    ],
)
def test_sentence(args: tuple[str, str, str, str], expected: str) -> None:
    assert sentence(*args) == expected
