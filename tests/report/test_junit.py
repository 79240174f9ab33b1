"""JUnit XML: parses whatever a completion holds, has the shape that readers know, fails only what must."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from documents import document, of_prompt, told
from lastgood.report.junit import junit
from waiting import HOSTILE, HUGE

# The common part of the schemas that readers of JUnit XML validate against: element → required attributes, and the
# children it may have in this order.
SHAPE: dict[str, tuple[set[str], str]] = {
    "testsuites": (set(), r"(testsuite )*"),
    "testsuite": (
        {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"},
        r"properties (testcase )*system-out system-err ",
    ),
    "properties": (set(), r"(property )*"),
    "property": ({"name", "value"}, ""),
    "testcase": ({"name", "classname", "time"}, r"((skipped|failure|error) )?(system-out )?"),
    "failure": ({"type", "message"}, ""),
    "skipped": (set(), ""),
    "system-out": (set(), ""),
    "system-err": (set(), ""),
}


def read(*prompts: dict[str, Any], fail_on_diff: bool = False) -> ElementTree.Element:
    root = ElementTree.fromstring(junit(document(*prompts), fail_on_diff=fail_on_diff).encode("utf-8"))
    for element in root.iter():
        required, children = SHAPE[element.tag]
        assert required <= set(element.attrib), element.tag
        assert re.fullmatch(children, "".join(f"{child.tag} " for child in element)), element.tag
    for suite in root:
        assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.attrib["timestamp"])
        assert float(suite.attrib["time"]) == pytest.approx(
            sum(float(case.attrib["time"]) for case in suite.findall("testcase"))
        )
    return root


CASES = (told("a", "FAIL"), told("b"), told("c", "NEW"), told("d", "PASS"), told("e", "UNSTABLE"))


def outcomes(root: ElementTree.Element) -> dict[str, str]:
    return {case.attrib["name"]: " ".join(child.tag for child in case) for case in root.iter("testcase")}


def test_what_moved_is_told_and_fails_nothing() -> None:
    root = read(of_prompt("one", *CASES))
    assert outcomes(root) == {"a": "failure", "b": "system-out", "c": "system-out", "d": "", "e": "system-out"}


def test_what_moved_fails_where_moves_count() -> None:
    root = read(of_prompt("one", *CASES), fail_on_diff=True)
    assert outcomes(root) == {"a": "failure", "b": "failure", "c": "failure", "d": "", "e": "failure"}
    types = [failure.attrib["type"] for failure in root.iter("failure")]
    assert types == ["broken", "DIFF", "NEW", "UNSTABLE"]


def test_a_failure_says_what_was_expected() -> None:
    (failure,) = read(of_prompt("one", told("a", "FAIL"))).iter("failure")
    assert failure.attrib["message"] == "forbidden:x"
    assert (failure.text or "").startswith("expected no x\n\nFAIL aaaaaaaaaaaa → bbbbbbbbbbbb")


def test_a_move_has_its_digests_kinds_marks_and_diff() -> None:
    (said,) = read(of_prompt("one", told("b", marks=["hedging phrase appeared: 'I think'"]))).findall(".//testcase/*")
    assert said.text == (
        "DIFF aaaaaaaaaaaa → bbbbbbbbbbbb  text\n! hedging phrase appeared: 'I think'\n"
        "@@ -1 +1 @@\n-the old line\n+the new line"
    )


def test_a_prompt_is_a_suite() -> None:
    root = read(of_prompt("one", *CASES), of_prompt("two", told("z")))
    assert [(suite.attrib["name"], suite.attrib["package"], suite.attrib["id"]) for suite in root] == [
        ("one", "stub", "0"),
        ("two", "stub", "1"),
    ]
    assert (root.attrib["tests"], root.attrib["failures"]) == ("6", "1")


def test_a_case_that_was_not_answered_is_skipped() -> None:
    assert outcomes(read(of_prompt("one", told("b"), unanswered=["late"]))) == {"b": "system-out", "late": "skipped"}


@pytest.mark.parametrize("status", ["FAIL", "DIFF", "NEW"])
@pytest.mark.parametrize("where", ["id", "failures", "explanations", "moves", "marks", "diff"])
def test_it_parses_whatever_a_completion_holds(status: str, where: str) -> None:
    every = "".join(map(chr, [*range(0x100), 0xD800, 0xDFFF, 0xFFFE, 0xFFFF, 0x1F600])) + HOSTILE
    changes: dict[str, Any] = {where: every if where == "id" else ["+" + every]}
    if where == "failures":
        changes["explanations"] = [every]
    root = read(of_prompt("one", told("x", status) | changes), fail_on_diff=True)
    assert len(list(root.iter("testcase"))) == 1
    if status == "FAIL" or where not in ("failures", "explanations"):  # only a failure has those
        assert "\\x00" in ElementTree.tostring(root, encoding="unicode")


def test_a_megabyte_is_cut_and_said_to_be() -> None:
    text = junit(document(of_prompt("one", told("x", diff=["@@ -0,0 +1 @@", "+" + HUGE]))), fail_on_diff=False)
    assert len(text) < 12_000
    assert re.search(r"… 99\d,\d{3} more characters; whole: lastgood diff --format json", text)
