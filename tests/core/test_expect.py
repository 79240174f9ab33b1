"""Each assertion over the text fails exactly what breaks it. Named where the first article's code let it pass."""

from __future__ import annotations

import json
from typing import Any

import pytest

from golden_values import case_of
from lastgood.core.grading import grade
from lastgood.core.trace import read_completion

SCHEMAS = {
    "reply": {"type": "object", "required": ["reply"], "properties": {"reply": {"type": "string", "maxLength": 5}}},
    "broken": {"type": "no such type"},
}
PAID = {
    "json": True,
    "required_keys": ["status", "order_id"],
    "forbidden": ["as an AI", "I think"],
    "status_in": ["paid", "pending", "failed"],
}


def of_text(expect: dict[str, Any], raw: str) -> list[str]:
    return [str(failure) for failure in grade(case_of(expect=expect), read_completion(raw, "text"), SCHEMAS)]


TEXTS: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    # The first article's example.
    "paid": (PAID, '{"status": "paid", "order_id": "ord_1042"}\n', []),
    "missing key": (PAID, '{"status": "paid"}', ["missing_key:order_id"]),
    "status outside": (PAID, '{"status": "lost", "order_id": ""}', ["status_not_in:'lost'"]),
    "no status": (PAID, '{"order_id": ""}', ["missing_key:status", "status_not_in:None"]),
    "several at once, in a fixed order": (
        PAID,
        '{"status": "I think so", "note": "as an ai"}',
        ["missing_key:order_id", "status_not_in:'I think so'", "forbidden:as an AI", "forbidden:I think"],
    ),
    "prose": (PAID, "I think it is paid", ["parse_fail:not JSON: Expecting value at line 1 column 1"]),
    "nothing": (PAID, "", ["parse_fail:not JSON: Expecting value at line 1 column 1"]),
    "code fence": (
        {"json": True},
        '```json\n{"a": 1}\n```',
        ["parse_fail:not JSON: Expecting value at line 1 column 1"],
    ),
    "preface": ({"json": True}, 'Sure: {"a": 1}', ["parse_fail:not JSON: Expecting value at line 1 column 1"]),
    "two values": ({"json": True}, "{} {}", ["parse_fail:not JSON: Extra data at line 1 column 4"]),
    # Where the first article's code passed or fell over.
    "array with the keys in it": (PAID, '["status", "order_id"]', ["not_an_object:array"]),
    "string with the key in it": ({"json": True, "required_keys": ["status"]}, '"status"', ["not_an_object:string"]),
    "number": (PAID, "5", ["not_an_object:integer"]),
    "null": (PAID, "null", ["not_an_object:null"]),
    "duplicate key": (
        PAID,
        '{"status": "lost", "status": "paid", "order_id": 1}',
        ["parse_fail:duplicate key at /status"],
    ),
    "NaN": ({"json": True}, '{"a": NaN}', ["parse_fail:NaN is not JSON at /a"]),
    "lone surrogate": ({"json": True}, r'{"a": "\ud800"}', ["parse_fail:lone surrogate at /a"]),
    "deep nesting": ({"json": True}, "[" * 300 + "]" * 300, ["parse_fail:nested too deeply: more than 100 levels"]),
    "an empty list of states": ({"json": True, "status_in": []}, '{"status": "paid"}', ["status_not_in:'paid'"]),
    "an empty error": ({"json": True, "error_equals": ""}, '{"error": "boom"}', ["error:'boom'"]),
    "an empty error, kept": ({"error_equals": ""}, '{"error": ""}', []),
    "an empty error, missing": ({"error_equals": ""}, "{}", ["error:None"]),
    "keys without json": (
        {"required_keys": ["a"]},
        "no JSON",
        ["parse_fail:not JSON: Expecting value at line 1 column 1"],
    ),
    "true is no 1": ({"status_in": [1]}, '{"status": true}', ["status_not_in:True"]),
    "1.0 is 1": ({"status_in": [1]}, '{"status": 1.0}', []),
    "null is a status": ({"status_in": [None]}, '{"status": null}', []),
    "no status is not null": ({"status_in": [None]}, "{}", ["status_not_in:None"]),
    "json may be an array": ({"json": True}, "[1]", []),
    "forbidden after no object": (
        {"required_keys": ["a"], "forbidden": ["x"]},
        '["x"]',
        ["not_an_object:array", "forbidden:x"],
    ),
    # Other assertions over the text.
    "field": ({"fields": {"/a/0/b": {"eq": 1}}}, '{"a": [{"b": 1}]}', []),
    "field broken": ({"fields": {"/a/0/b": {"eq": 1}}}, '{"a": [{"b": true}]}', ["field_mismatch:/a/0/b"]),
    "field missing": ({"fields": {"/a/1": {"type": "null"}}}, '{"a": [null]}', ["field_mismatch:/a/1"]),
    "field optional": ({"fields": {"/a": {"optional": True, "eq": 1}}}, "{}", []),
    "field of the whole": ({"fields": {"": {"type": "array", "length": 2}}}, "[1, 2]", []),
    "field of no JSON": (
        {"fields": {"/a": {"eq": 1}}},
        "a",
        ["parse_fail:not JSON: Expecting value at line 1 column 1"],
    ),
    "schema kept": ({"output_schema": "reply"}, '{"reply": "Hello"}', []),
    "schema broken": ({"output_schema": "reply"}, '{"reply": 1}', ["schema:/reply must be a string, not 1"]),
    "schema broken at the root": ({"output_schema": "reply"}, "{}", ["schema:lacks the key 'reply'"]),
    "schema of no JSON": (
        {"output_schema": "reply"},
        "Hi",
        ["parse_fail:not JSON: Expecting value at line 1 column 1"],
    ),
    "schema nowhere": ({"output_schema": "none"}, "{}", ["no_schema:none"]),
    "schema unusable": ({"output_schema": "broken"}, "{}", ["no_schema:broken"]),
    "forbidden pattern": ({"forbid_patterns": ["I assume"]}, "well, i ASSUME so", ["forbid_pattern:I assume"]),
    "forbidden patterns": ({"forbid_patterns": ["a+", "b+", "c"]}, "abba", ["forbid_pattern:a+", "forbid_pattern:b+"]),
    "forbidden pattern absent": ({"forbid_patterns": ["I assume", "b|c"]}, "a", []),
    "a quotation left open": ({"forbid_patterns": [r"\Qa", r"\Qb\E"]}, "a", [r"forbid_pattern:\Qa"]),
    "forbidden pattern at a string's start": ({"forbid_patterns": ["^I"]}, '{"a": "I do"}', ["forbid_pattern:^I"]),
    "forbidden pattern through escapes": (
        {"forbid_patterns": ["I assume"]},
        r'{"a": "I\u0020assume"}',
        ["forbid_pattern:I assume"],
    ),
    "forbidden pattern at the start, far inside": (
        {"forbid_patterns": ["^I "]},
        '[{"a": [1, "I do"]}]',
        ["forbid_pattern:^I "],
    ),
    "forbidden pattern in full-width letters": (
        {"forbid_patterns": ["vip"]},
        "\uff36\uff29\uff30",
        ["forbid_pattern:vip"],
    ),
    "forbidden patterns too large to be one": (
        {"forbid_patterns": ["z", *(rf"\pL{{{n}}}" for n in range(50, 150))]},
        "z",
        ["forbid_pattern:z"],
    ),
    "required pattern": ({"require_patterns": ["[0-9]{4}-AX"]}, "Order 1842-ax.", []),
    "required pattern in a key": ({"require_patterns": ["^order_ID$"]}, '{"a": {"order_id": 1}}', []),
    "required pattern in a number": ({"require_patterns": ["^7$"]}, '{"a": 7}', ["require_pattern:^7$"]),
    "forbidden pattern in a key": ({"forbid_patterns": ["^secret$"]}, '{"secret": 1}', ["forbid_pattern:^secret$"]),
    "required pattern absent": ({"require_patterns": ["AX", "B"]}, "b", ["require_pattern:AX"]),
    "length": ({"length": {"le": 3}}, "\n abc \n", []),
    "too long": ({"length": {"ge": 1, "le": 3}}, "abcd", ["length:4"]),
    "empty": ({"length": {"ge": 1}}, " \n", ["length:0"]),
}


@pytest.mark.parametrize(("expect", "raw", "failures"), TEXTS.values(), ids=TEXTS)
def test_of_a_text(expect: dict[str, Any], raw: str, failures: list[str]) -> None:
    assert of_text(expect, raw) == failures


HIDDEN = {
    "letter case": "i THINK",
    "line break": "I\nthink",
    "many spaces": "I \t  think",
    "no-break space": "I\u00a0think",
    "full-width letters": "\uff29\u3000\uff54\uff48\uff49\uff4e\uff4b",
    "mathematical letters": "I \U0001d42d\U0001d421\U0001d422\U0001d427\U0001d424",
    "soft hyphen": "I th\u00adink",
    "zero-width space": "I th\u200bink",
    "word joiner": "I\u2060 think",
    "variation selector": "I\ufe0f think",
    "tag characters": "I th\U000e0041ink",
    "control character": "I th\x08ink",
    "JSON escape": r'{"a": "I\u0020think"}',
    "JSON escape of a letter": r'{"a": "\u0049 think"}',
    "JSON escape of a line break": r'{"a": "I\nthink"}',
    "JSON in JSON": json.dumps({"a": json.dumps({"b": "I\nthink"})}),
    "escape in JSON inside prose": r'Sure: {"a": "I\u0020think"}',
    "beside a backslash that escapes nothing": r"C:\q I think",
    "a JSON key": r'{"I\tthink": 1}',
    "ligature": "I thin\u212a",  # the Kelvin sign
}


@pytest.mark.parametrize("raw", HIDDEN.values(), ids=HIDDEN)
def test_a_forbidden_phrase_is_seen_through(raw: str) -> None:
    assert of_text({"forbidden": ["I think"]}, raw) == ["forbidden:I think"]


@pytest.mark.parametrize(
    ("phrase", "raw"),
    [
        ("I'm sorry", "I\u2019m sorry"),
        ("I\u2019m sorry", "i'm sorry"),
        ("I'm sorry", "I\u00b4m sorry"),
        ('say "no"', "say \u201cno\u201d"),
        ("well-known", "well\u2011known"),
        ("well - known", "well \u2014 known"),
        ("straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("Sure!", "sure\uff01"),
        (" AI ", "ai"),
    ],
)
def test_quotes_dashes_and_forms_do_not_hide_a_phrase(phrase: str, raw: str) -> None:
    assert of_text({"forbidden": [phrase]}, raw) == [f"forbidden:{phrase}"]


@pytest.mark.parametrize(
    ("phrase", "raw"),
    [
        ("I think", "I thing"),
        (" AI ", "said"),
        ("I think", '{"a": "I", "b": "think"}'),
        ("paid", "p aid"),
        ("a\\nb", "ab"),
    ],
)
def test_what_is_not_the_phrase(phrase: str, raw: str) -> None:
    assert of_text({"forbidden": [phrase]}, raw) == []


EXPLAINED: dict[str, tuple[dict[str, Any], str, str]] = {
    "missing key": (
        {"expect": {"required_keys": ["status"]}},
        '{"state": 1}',
        'expected the key "status", got only ["state"]',
    ),
    "status": ({"expect": {"status_in": ["paid"]}}, '{"status": 1}', 'expected a status of ["paid"], got 1'),
    "no error": ({"expect": {"error_equals": "x"}}, "{}", 'expected the error "x", got no error'),
    "parse": ({"expect": {"json": True}}, "I think\x1b[2J", r'expected JSON, got "I think\u001b[2J"'),
    "forbidden": (
        {"expect": {"forbidden": ["I think"]}},
        "Well, I  Think so",
        'expected no "I think", got "well, i think so"',
    ),
    "pattern": ({"expect": {"forbid_patterns": ["1Z[0-9]+"]}}, "No. 1Z999.", 'expected no match, got "1Z999"'),
    "length": (
        {"expect": {"length": {"ge": 2, "le": 3}}},
        "abcd",
        "expected at least 2 and at most 3 characters, got 4",
    ),
    "field": (
        {"expect": {"fields": {"/a": {"type": "integer"}}}},
        '{"a": "1"}',
        '/a: expected type "integer", got "1"',
    ),
}


@pytest.mark.parametrize(("parts", "raw", "explanation"), EXPLAINED.values(), ids=EXPLAINED)
def test_the_long_form_says_expected_and_got(parts: dict[str, Any], raw: str, explanation: str) -> None:
    [failure] = grade(case_of(**parts), read_completion(raw, "text"), {})
    assert failure.explanation == explanation


def test_what_a_phrase_was_seen_in_is_of_one_reading() -> None:
    raw = r'{"a": "caf\u00e9, can' + "\u2019" + r't", "b": "\u0049 thi' + "\u200b" + 'nk"}'
    case = case_of(expect={"forbidden": ["can't", "I think"]})
    first, second = (failure.explanation for failure in grade(case, read_completion(raw, "text"), {}))
    assert first == 'expected no "can\'t", got ' + json.dumps(r'{"a": "caf\u00e9, can' + r"""'t", "b": "\u0049 thin""")
    assert second == 'expected no "I think", got ' + json.dumps(
        """{"a": "café, can't", "b": "i think"}"""[-29:], ensure_ascii=False
    )


def test_the_long_form_is_bounded() -> None:
    [failure] = grade(case_of(expect={"json": True}), read_completion("x" * 10**6, "text"), {})
    assert len(failure.explanation) < 400
