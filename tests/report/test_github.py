"""Annotations: on the right lines, as many as GitHub shows, and no completion can start a command."""

from __future__ import annotations

import re
from typing import Any

import pytest

from documents import document, of_prompt, told
from lastgood.report.github import github
from waiting import HOSTILE


def lines_of(*prompts: dict[str, Any], fail_on_diff: bool = False) -> list[str]:
    return github(document(*prompts), fail_on_diff=fail_on_diff).splitlines()


def test_what_broke_stands_at_its_case_and_what_moved_at_the_edit() -> None:
    assert lines_of(of_prompt("one", told("a", "FAIL"), told("b"), told("c", "NEW"), told("d", "PASS"))) == [
        "::error file=golden/one/suite.json,line=7,title=lastgood broken::one a: forbidden:x%0Aexpected no x",
        "::warning file=prompts/one.txt,line=4,title=lastgood moved::one b: aaaaaaaaaaaa → bbbbbbbbbbbb  text",
        "::notice file=prompts/one.txt,line=4,title=lastgood new::one c: none → bbbbbbbbbbbb",
        "75% pass, 1 moved, 1 new, 1 failed",
        "token 0123456789ab",
    ]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"prompt_state": "same", "prompt_diff": []}, id="the prompt did not move"),
        pytest.param({"prompt_state": "lost", "prompt_diff": []}, id="its text is lost"),
        pytest.param({"files": ["a.txt", "b.txt"]}, id="it is of several files"),
    ],
)
def test_where_no_edit_is_known_a_move_stands_at_its_case(changes: dict[str, Any]) -> None:
    assert "file=golden/one/suite.json,line=7," in lines_of(of_prompt("one", told("b"), **changes))[0]


@pytest.mark.parametrize(
    ("diff", "line"),
    [
        (["@@ -0,0 +1,2 @@", "+a", "+b"], 1),
        (["@@ -3,2 +3,2 @@", " kept", "-plain", "+warm"], 4),
        (["@@ -9,3 +9,2 @@", " a", " b", "-c"], 11),
        (["@@ -1,2 +0,0 @@", "-a", "-b"], 1),
    ],
    ids=["all new", "one line", "the last line gone", "nothing left"],
)
def test_the_line_is_the_first_that_moved(diff: list[str], line: int) -> None:
    assert f",line={line}," in lines_of(of_prompt("one", told("b"), prompt_diff=diff))[0]


def test_a_move_is_an_error_where_moves_count() -> None:
    found = lines_of(of_prompt("one", told("b"), told("c", "NEW"), told("e", "UNSTABLE")), fail_on_diff=True)
    assert [line.split(" ")[0] for line in found[:2]] == ["::error", "::notice"]


def test_no_more_than_github_shows_and_the_rest_is_counted() -> None:
    cases = [told(f"f{n}", "FAIL") for n in range(25)] + [told(f"m{n}") for n in range(10)]
    found = lines_of(of_prompt("one", *cases))
    levels = [line.split(" ")[0] for line in found if line.startswith("::")]
    assert (levels.count("::error"), levels.count("::warning")) == (10, 10)
    assert "::error title=lastgood broken::and 16 more: lastgood report --html F" in found


@pytest.mark.parametrize("status", ["FAIL", "DIFF", "NEW"])
@pytest.mark.parametrize("where", ["id", "path", "failures", "explanations", "moves", "marks"])
def test_a_completion_starts_no_command(status: str, where: str) -> None:
    hostile = f"x\r\n::error::owned\n##[command]y,line=1::{HOSTILE}"
    text: Any = hostile if where in ("id", "path") else [hostile]
    case = told("x", status) | {where: text}
    if where == "failures":
        case["explanations"] = [hostile]
    found = lines_of(of_prompt("one", case, prompt_state="same"))
    commands = [line for line in found if line.lstrip().startswith("::")]
    assert len(commands) == 1
    assert re.match(r"::\w+ file=[^,:]*,line=7,title=lastgood \w+::", commands[0])
    assert not any("##[" in line or "\x1b" in line or "\r" in line for line in found)


def test_a_long_answer_is_cut() -> None:
    assert len(lines_of(of_prompt("one", told("x", "FAIL", explanations=["y" * 50_000])))[0]) < 1_000
