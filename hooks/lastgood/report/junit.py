"""The report as JUnit XML: a suite a prompt, a test a case. What moved is a failure only where moves count as such."""

from __future__ import annotations

from lastgood.core.judgement import FAIL, PASS
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any
    from xml.etree.ElementTree import Element

_MOST_SHOWN = 8_000  # characters of one case's text
_NO_XML = str.maketrans({"\ufffe": "\\ufffe", "\uffff": "\\uffff"})  # the other forbidden ones are no text anywhere


def junit(report: Mapping[str, Any], *, fail_on_diff: bool) -> str:
    """XML 1.0, whatever a completion holds: what that forbids is spelled out (`\\x00`)."""
    from xml.etree.ElementTree import Element, indent, tostring

    suites = [
        _suite(number, item, report["token"], fail_on_diff=fail_on_diff)
        for number, item in enumerate(report["prompts"])
    ]
    top = Element("testsuites", {"name": "lastgood", **_totals(suites)})
    top.extend(suites)
    indent(top)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(top, encoding="unicode")}\n'


def _totals(suites: list[Element]) -> dict[str, str]:
    counts = {name: str(sum(int(suite.attrib[name]) for suite in suites)) for name in ("tests", "failures", "errors")}
    return {**counts, "time": f"{sum(float(suite.attrib['time']) for suite in suites):.3f}"}


def _suite(number: int, item: Mapping[str, Any], token: str, *, fail_on_diff: bool) -> Element:
    from xml.etree.ElementTree import Element, SubElement

    cases = [_case(item["prompt_id"], case, fail_on_diff=fail_on_diff) for case in item["cases"]]
    cases += [_unanswered(item["prompt_id"], case_id) for case_id in item["unanswered"]]
    suite = Element(
        "testsuite",
        {
            "name": _text(item["prompt_id"]),
            "package": _text(item["completer"]),
            "id": str(number),
            "hostname": "localhost",  # the known schemas require one; which machine it was is nobody's business
            "timestamp": _text(item["started_at"].removesuffix("Z")),
            "tests": str(len(cases)),
            "failures": str(sum(case.find("failure") is not None for case in cases)),
            "errors": "0",
            "skipped": str(sum(case.find("skipped") is not None for case in cases)),
            "time": f"{sum(float(case.attrib['time']) for case in cases):.3f}",
        },
    )
    properties = SubElement(suite, "properties")
    counts = {f"lastgood.{status}": str(count) for status, count in item["counts"].items()}
    known = {"lastgood.prompt.from": item["from"], "lastgood.prompt.to": item["to"], "lastgood.token": token}
    for name, text in {**known, **counts}.items():
        SubElement(properties, "property", {"name": name, "value": _text(text)})
    suite.extend(cases)
    SubElement(suite, "system-out").text = "\n".join(f"stale: {_text(reason)}" for reason in item["stale"])
    SubElement(suite, "system-err")
    return suite


def _case(prompt_id: str, case: Mapping[str, Any], *, fail_on_diff: bool) -> Element:
    from xml.etree.ElementTree import SubElement

    found = _element(prompt_id, case["id"], case["seconds"])
    status, said = case["status"], _said(case)
    if status == FAIL:
        kinds = ", ".join(case["failures"])
        reasons = "\n".join([*case["explanations"], "", said]).strip()
        SubElement(found, "failure", {"type": "broken", "message": _text(kinds)}).text = _text(reasons, lines=True)
    elif status != PASS and fail_on_diff:
        what = ", ".join([*case["marks"], *case["moves"]]) or status
        SubElement(found, "failure", {"type": status, "message": _text(what)}).text = _text(said, lines=True)
    elif status != PASS:
        SubElement(found, "system-out").text = _text(said, lines=True)
    return found


def _unanswered(prompt_id: str, case_id: str) -> Element:
    from xml.etree.ElementTree import SubElement

    found = _element(prompt_id, case_id, 0.0)
    SubElement(found, "skipped", {"message": "not answered by this run"})
    return found


def _element(prompt_id: str, case_id: str, seconds: float) -> Element:
    from xml.etree.ElementTree import Element

    return Element("testcase", {"classname": _text(prompt_id), "name": _text(case_id), "time": f"{seconds:.3f}"})


def _said(case: Mapping[str, Any]) -> str:
    """What a person reads of a case: status, digests, kinds of move, marks, the diff as far as it fits."""
    old, new = (case[side][:SHORT] or "none" for side in ("from", "to"))
    head = [f"{case['status']} {old} → {new}  {', '.join(case['moves'])}".rstrip()]
    lines = [*head, *(f"! {mark}" for mark in case["marks"]), *case["diff"]]
    text = "\n".join(lines)
    if len(text) <= _MOST_SHOWN:
        return text
    return f"{text[:_MOST_SHOWN]}\n… {len(text) - _MOST_SHOWN:,} more characters; whole: lastgood diff --format json"


def _text(found: str, *, lines: bool = False) -> str:
    return printable(found, multiline=lines).translate(_NO_XML)
