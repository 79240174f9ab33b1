"""Golden cases are read as they were written, and hashed whole."""

from __future__ import annotations

import hashlib
import json

from golden_values import CASE, SUITE, case_of, read
from lastgood.core.case import read_golden
from lastgood.core.digest import Normalization


def test_a_case_by_itself() -> None:
    golden = read(CASE)
    [case] = golden.cases
    assert (golden.form, golden.prompt_id, golden.prompt_sha256) == ("case", "support", None)
    assert (case.key, case.prompt_id, case.pointer, case.tools) == (
        ("order_lookup", 3),
        "support",
        "",
        ("get_order", "create_refund"),
    )
    assert (case.expect, case.source, case.output_schema) == ({}, CASE, None)


def test_a_suite_of_cases() -> None:
    golden = read({**SUITE, "prompt_sha256": "replace-with-sha256-of-the-prompt-file"})
    assert (golden.form, golden.prompt_sha256) == ("suite", "replace-with-sha256-of-the-prompt-file")
    assert [(case.key, case.prompt_id, case.pointer, case.tools) for case in golden.cases] == [
        (("paid", 1), "billing", "/cases/0", None),
        (("open", 1), "billing", "/cases/1", None),
    ]


def test_the_case_hash_is_that_of_the_article() -> None:
    text = json.dumps(CASE, sort_keys=True, separators=(",", ":"))
    assert read(CASE).cases[0].case_hash == hashlib.sha256(text.encode()).hexdigest()[:16]


def test_layout_is_no_part_of_the_case_hash() -> None:
    indented = read_golden("elsewhere.json", json.dumps(dict(reversed(CASE.items())), indent=7).encode())
    assert indented.cases[0].case_hash == read(CASE).cases[0].case_hash


def test_notes_are_part_of_the_case_hash() -> None:
    assert read({**CASE, "notes": "why"}).cases[0].case_hash != read(CASE).cases[0].case_hash


def test_a_case_normalizes_as_it_says_else_as_its_suite_says() -> None:
    suite = {**SUITE, "normalize": "exact", "cases": [SUITE["cases"][0], {**SUITE["cases"][1], "normalize": "json"}]}
    assert [case.normalization for case in read(suite).cases] == [Normalization("exact"), Normalization("json")]
    assert [case.normalization for case in read(SUITE).cases] == [Normalization(), Normalization()]


def test_one_id_in_two_versions() -> None:
    first = SUITE["cases"][0]
    assert [case.key for case in read({**SUITE, "cases": [first, {**first, "version": 2}]}).cases] == [
        ("paid", 1),
        ("paid", 2),
    ]


def test_the_output_schema_is_known_to_others() -> None:
    assert case_of(expect={"output_schema": "reply_v2"}).output_schema == "reply_v2"
