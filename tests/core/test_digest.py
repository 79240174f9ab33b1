"""Hashes are byte for byte as documented, and normalization hides nothing but what it says."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastgood.core.digest import Normalization, joined_hash, normalize, text_digest, trace_digest, value_hash
from lastgood.core.sha256 import sha256_hex

PAID = '{"status": "paid", "order_id": "ord_1042"}'


@pytest.mark.parametrize(
    ("text", "start"),
    [(PAID, "90c6433e8ed0"), (f"\n {PAID}\n\n", "90c6433e8ed0"), ('{"error": "missing_order_id"}', "0bd5f955bad1")],
    ids=["paid", "paid, white space around", "missing order"],
)
def test_check_values(text: str, start: str) -> None:
    assert text_digest(text)[:12] == start


@given(st.binary())
def test_sha256_is_sha256(data: bytes) -> None:
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()


def test_a_case_hash_is_of_the_value_not_of_its_layout() -> None:
    case = {"id": "é", "version": 1, "input": {"b": 1, "a": [True, None]}}
    compact = json.dumps(case, sort_keys=True, separators=(",", ":")).encode()
    assert value_hash(case) == value_hash(json.loads(json.dumps(case, indent=8))) == sha256_hex(compact)[:16]


def test_a_suite_hash_is_of_case_hashes_joined_with_nothing_in_order() -> None:
    assert joined_hash(["a" * 16, "b" * 16]) == sha256_hex(b"a" * 16 + b"b" * 16)[:16]
    assert joined_hash(["a" * 16, "b" * 16]) != joined_hash(["b" * 16, "a" * 16])


SAME = {
    "runs of white space": ("whitespace", "a  b\n", " a\tb"),
    "key order where json is declared": ("json", '{"a": 1, "b": 2}', '{"b":2,"a":1}'),
}
MOVED = {
    "a preface": ("whitespace", "paid", "Sure! paid"),
    "key order": ("whitespace", '{"a": 1, "b": 2}', '{"b": 2, "a": 1}'),
    "spaces inside JSON": ("whitespace", '{"a":1}', '{"a": 1}'),
    "a trailing newline where exact is declared": ("exact", "a", "a\n"),
    "list order under json": ("json", "[1, 2]", "[2, 1]"),
    "a value under json": ("json", "1", "true"),
    "a preface before JSON": ("json", '{"a": 1}', 'Sure: {"a": 1}'),
    "letter case": ("whitespace", "Paid", "paid"),
}


@pytest.mark.parametrize(("mode", "old", "new"), SAME.values(), ids=SAME)
def test_no_move(mode: str, old: str, new: str) -> None:
    assert text_digest(old, Normalization(mode)) == text_digest(new, Normalization(mode))


@pytest.mark.parametrize(("mode", "old", "new"), MOVED.values(), ids=MOVED)
def test_a_move(mode: str, old: str, new: str) -> None:
    assert text_digest(old, Normalization(mode)) != text_digest(new, Normalization(mode))


def test_replacements_come_first_and_in_order() -> None:
    how = Normalization.of(
        {"replace": [{"pattern": "[0-9]+", "with": "<n>"}, {"pattern": "<n>:<n>", "with": "<time>"}]}
    )
    assert normalize("at  12:30 ", how) == "at <time>"


@pytest.mark.parametrize("declared", ["exact", {"mode": "json", "replace": [{"pattern": "a", "with": "b"}]}])
def test_a_normalization_declares_what_it_was_declared_as(declared: object) -> None:
    assert Normalization.of(declared).declared() == declared


def test_a_trace_is_hashed_with_arguments_in_the_order_given() -> None:
    def digest(*names: str) -> str:
        return trace_digest([{"name": "get", "arguments": dict.fromkeys(names, 1)}], "done")

    assert digest("a", "b") == digest("a", "b")
    assert digest("a", "b") != digest("b", "a")


def test_what_is_not_name_or_arguments_is_no_part_of_a_call() -> None:
    call = {"name": "get", "arguments": {}}
    assert trace_digest([{**call, "id": "call_1"}], "done") == trace_digest([call], " done\n")
