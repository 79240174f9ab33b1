"""Kinds of move: one fixture a kind, then pairs as models give them."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from lastgood.core.digest import Normalization, text_digest
from lastgood.core.moves import KINDS, MOST_SHOWN, kind, moves
from lastgood.core.trace import Completion


def text(final_text: str) -> Completion:
    return Completion(final_text, None)


def trace(*calls: tuple[str, Any], final_text: str = "done") -> Completion:
    return Completion(final_text, tuple({"name": name, "arguments": arguments} for name, arguments in calls))


# One fixture a kind: old text, new text, moves.
TEXTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "whitespace": ("a  b\n", "a b", ("whitespace",)),
    "whitespace in json": ('{"a": 1}', '{\n  "a":1\n}', ("whitespace",)),
    "key_order": ('{"a": 1, "b": 2}', '{"b": 2, "a": 1}', ("key_order",)),
    "list_order": ('{"items": [1, 2, 3]}', '{"items": [3, 1, 2]}', ("list_order",)),
    "length": ("The order is paid.", "This order has been paid.", ("text", "length +39%")),
    "preface": ("The order is paid.", "Sure! The order is paid.", ("preface added", "length +33%")),
    "preface removed": ("Sure! The order is paid.", "The order is paid.", ("preface removed", "length -25%")),
    "ending": ("The order is paid.", "The order is paid. Enjoy!", ("ending added", "length +39%")),
    "ending removed": ("The order is paid. Enjoy!", "The order is paid.", ("ending removed", "length -28%")),
    "value": ('{"order": {"status": "paid"}}', '{"order": {"status": "open"}}', ("value /order/status",)),
    "type": ('{"total": 1}', '{"total": "1"}', ("type /total", "length +18%")),
    "key_added": ('{"a": 1}', '{"a": 1, "b": 2}', ("key_added /b", "length +86%")),
    "key_removed": ('{"a": 1, "b": 2}', '{"a": 1}', ("key_removed /b", "length -46%")),
    "code_fence": ('{"a": 1}', '```json\n{"a": 1}\n```', ("code_fence",)),
    "code_fence around text": ("print(1)", "```python\nprint(1)\n```\n", ("code_fence",)),
    "another code_fence": ("```\nprint(1)\n```", "```python\nprint(1)\n```", ("code_fence",)),
    "case": ("paid", "Paid", ("case",)),
    "unicode_form": ("caf\u00e9", "cafe\u0301", ("unicode_form",)),
    "unicode_form of quotes": (
        'It\'s "paid" - now...',
        "It\u2019s \u201cpaid\u201d \u2013 now\u2026",
        ("unicode_form",),
    ),
    "unicode_form of json": ('"caf\u00e9"', '"caf\\u00e9"', ("unicode_form",)),
    "unseen signs": ("paid", "pa\u200bid", ("unicode_form",)),
    "text": ("The order is paid.", "The order is open.", ("text",)),
}

# Pairs as models give them.
PAIRS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "preface before JSON": (
        '{"status": "paid"}',
        'Sure! {"status": "paid"}',
        ("preface added", "length +29%"),
    ),
    "preface before JSON, and another value": (
        '{"status": "paid", "order_id": "ord_1042", "currency": "EUR"}',
        'Sure: {"status": "open", "order_id": "ord_1042", "currency": "EUR"}',
        ("value /status", "preface added"),
    ),
    "preface and fence around JSON": (
        '{"status": "paid"}',
        'Here you are:\n\n```json\n{"status": "paid"}\n```\nAnything else?',
        ("preface added", "ending added", "length +159%", "code_fence"),
    ),
    "fence gone": ('```json\n{"a": 1}\n```', '{"a": 2}', ("value /a", "code_fence")),
    "integer became number": ('{"total": 1}', '{"total": 1.0}', ("type /total", "length +18%")),
    "number moved, and its type": ('{"total": 1}', '{"total": 2.5}', ("value /total", "length +18%")),
    "true became 1": ('{"paid": [true]}', '{"paid": [1]}', ("type /paid/0", "length -20%")),
    "null became a string": ('{"note": null}', '{"note": "none"}', ("type /note", "length +15%")),
    "another spelling of a number": ('{"total": 1.0}', '{"total": 1.00}', ("text",)),
    "deep inside lists": (
        '{"orders": [{"items": [{"sku": "a"}, {"sku": "b"}]}]}',
        '{"orders": [{"items": [{"sku": "a"}, {"sku": "c"}]}]}',
        ("value /orders/0/items/1/sku",),
    ),
    "a key with slash and tilde": ('{"a/b~": 1}', '{"a/b~": 2}', ("value /a~1b~0",)),
    "an item in the middle": ("[1, 2, 4]", "[1, 2, 3, 4]", ("key_added /2", "length +29%")),
    "an item at the end": ('{"tags": ["a", "b"]}', '{"tags": ["a"]}', ("key_removed /tags/1", "length -22%")),
    "a list in another order, with another item": ("[1, 2]", "[2, 3]", ("value /0", "value /1")),
    "objects in another order": ('[{"a": 1}, {"b": 2}]', '[{"b": 2}, {"a": 1}]', ("list_order",)),
    "key order inside a list": ('[{"a": 1, "b": 2}]', '[{"b": 2, "a": 1}]', ("key_order",)),
    "two kinds": ('{"a": 1, "b": 2}', '{"b": 2, "a": 3}', ("value /a", "key_order")),
    "the whole value": ("41", "42", ("value",)),
    "text became JSON": ("The order is paid.", '{"status": "paid"}', ("type",)),
    "JSON became text": ('{"status": "paid"}', "The order is paid, madam.", ("type", "length +47%")),
    "JSON became another JSON": ('{"status": "paid"}', '["paid", "now", 1]', ("type",)),
    "JSON broke off": ('{"status": "paid"}', '{"status": "pa', ("type", "length -18%")),
    "a footnote is no JSON": ("The order is paid [1].", "The order is open [1].", ("text",)),
    "preface and ending": ("It is paid.", "Well. It is paid. Bye!", ("preface added", "ending added", "length +100%")),
    "not a preface: inside a word": ("paid", "unpaid", ("text", "length +50%")),
    "a preface across lines": ("It is\npaid.", "Sure!\n\nIt is paid.", ("preface added", "length +55%")),
    "case and form": ("caf\u00e9 A", "cafe\u0301 a", ("case", "unicode_form")),
    "to nothing": ("paid", "", ("text",)),
    "from nothing": ("", "paid", ("text",)),
    "nothing but spaces": ("", " \n", ("whitespace",)),
    "too deep for JSON": ("[" * 200 + "]" * 200, "[" * 200 + "1" + "]" * 200, ("text",)),
    "hedging far longer": ("Paid.", "I believe it is paid, but please check.", ("text", "length +680%")),
}

LOOKUP = ("lookup_order", {"order_id": "ord_1042"})
REFUND = ("refund", {"order_id": "ord_1042", "amount": 5})
SEARCH = ("search", {"q": "a"})

TRACES: dict[str, tuple[Completion, Completion, tuple[str, ...]]] = {
    "tool_added": (trace(LOOKUP), trace(LOOKUP, REFUND), ("tool_added refund",)),
    "tool_removed": (trace(LOOKUP, REFUND), trace(LOOKUP), ("tool_removed refund",)),
    "tool_order": (trace(LOOKUP, REFUND), trace(REFUND, LOOKUP), ("tool_order",)),
    "arg_value": (trace(SEARCH), trace(("search", {"q": "b"})), ("arg_value search.q",)),
    "arg_order": (trace(REFUND), trace(("refund", {"amount": 5, "order_id": "ord_1042"})), ("arg_order refund",)),
    "call or no call": (trace(LOOKUP), trace(), ("tool_removed lookup_order",)),
    "an extra round trip": (trace(LOOKUP, LOOKUP), trace(LOOKUP, LOOKUP, LOOKUP), ("tool_added lookup_order",)),
    "one more call in front of its like": (
        trace(("search", {"q": "1"}), ("search", {"q": "2"})),
        trace(("search", {"q": "0"}), ("search", {"q": "1"}), ("search", {"q": "2"})),
        ("tool_added search",),
    ),
    "an argument added": (trace(SEARCH), trace(("search", {"q": "a", "n": 1})), ("arg_value search.n",)),
    "an argument removed": (trace(REFUND), trace(("refund", {"order_id": "ord_1042"})), ("arg_value refund.amount",)),
    "an argument's type": (
        trace(REFUND),
        trace((REFUND[0], {**REFUND[1], "amount": 5.0})),
        ("arg_value refund.amount",),
    ),
    "order of keys inside an argument": (
        trace(("search", {"q": {"a": 1, "b": 2}})),
        trace(("search", {"q": {"b": 2, "a": 1}})),
        ("arg_order search",),
    ),
    "order of a list inside an argument": (
        trace(("search", {"q": [1, 2]})),
        trace(("search", {"q": [2, 1]})),
        ("arg_value search.q",),
    ),
    "elsewhere with another argument": (
        trace(SEARCH, LOOKUP),
        trace(LOOKUP, ("search", {"q": "b"})),
        ("tool_order", "arg_value search.q"),
    ),
    "another tool instead": (trace(LOOKUP), trace(REFUND), ("tool_added refund", "tool_removed lookup_order")),
    "the same tool twice over": (
        trace(("search", {"q": "a"}), ("search", {"q": "b"})),
        trace(("search", {"q": "c"}), ("search", {"q": "d"})),
        ("arg_value search.q",),
    ),
    "tools come before words": (
        trace(LOOKUP, final_text="It is paid."),
        trace(LOOKUP, REFUND, final_text="It is open."),
        ("tool_added refund", "text"),
    ),
    "calls with an answer in JSON": (
        trace(LOOKUP, final_text='{"a": 1}'),
        trace(LOOKUP, final_text='{"a": 2}'),
        ("value /a",),
    ),
    "text became a trace": (text("done"), trace(), ("type",)),
    "cannot be read any more": (trace(LOOKUP), Completion("", None, "malformed_trace", "not JSON"), ("type",)),
    "unreadable in another way": (
        Completion("", None, "malformed_trace", "not JSON"),
        Completion("", None, "malformed_trace", "lacks the key 'tool_calls'"),
        ("text",),
    ),
    "equal": (trace(LOOKUP), trace(LOOKUP), ()),
}


@pytest.mark.parametrize(("old", "new", "expected"), (TEXTS | PAIRS).values(), ids=TEXTS | PAIRS)
def test_texts(old: str, new: str, expected: tuple[str, ...]) -> None:
    assert moves(text(old), text(new)) == expected


@pytest.mark.parametrize(("old", "new", "expected"), TRACES.values(), ids=TRACES)
def test_traces(old: Completion, new: Completion, expected: tuple[str, ...]) -> None:
    assert moves(old, new) == expected


def test_every_kind_has_a_fixture() -> None:
    shown = {kind(move) for _, _, expected in (*TEXTS.values(), *TRACES.values()) for move in expected}
    assert shown == KINDS


def test_many_moves_are_cut_and_the_rest_is_counted() -> None:
    old = json.dumps({f"k{number:02}": number + 10 for number in range(30)})
    new = json.dumps({f"k{number:02}": number + 50 for number in range(30)})
    found = moves(text(old), text(new))
    assert found == (*(f"value /k{number:02}" for number in range(MOST_SHOWN)), f"and {30 - MOST_SHOWN} more")


def test_a_change_in_length_below_a_tenth_is_not_named() -> None:
    assert moves(text("a" * 100), text("b" * 109)) == ("text",)
    assert moves(text("a" * 100), text("b" * 110)) == ("text", "length +10%")
    assert moves(text("a" * 100), text("b" * 90)) == ("text", "length -10%")


def test_a_move_is_never_without_a_kind() -> None:
    """Whatever the digests tell apart has at least one kind."""
    dice = random.Random(20261201)
    parts = [
        "{",
        "}",
        '"a"',
        '"A"',
        ":",
        "1",
        "1.0",
        ",",
        " ",
        "\n",
        "[",
        "]",
        "```",
        "\u00e9",
        "e\u0301",
        "\\u0041",
        "x",
    ]
    whole = ['{"a": 1}', '{"a":1.0}', '{"a": [1, 2]}', '{"a": [2, 1]}', "Sure!", "```json\n", "\n```", "é", "É"]
    exact = Normalization("exact")
    for _ in range(4000):
        old, new = ("".join(dice.choices(dice.choice((parts, whole)), k=dice.randrange(6))) for _ in range(2))
        found = moves(text(old), text(new))
        assert bool(found) == (text_digest(old, exact) != text_digest(new, exact)), (old, new)
        assert {kind(move) for move in found} <= KINDS


def test_hundreds_of_calls_far_apart_are_paired_by_place() -> None:
    old = trace(*((f"tool{number}", {"n": 1}) for number in range(500)), ("last", {"n": 1}))
    new = trace(*((f"other{number}", {"n": 1}) for number in range(500)), ("last", {"n": 2}))
    found = moves(old, new)
    assert len(found) == MOST_SHOWN + 1
    assert found[0] == "tool_added other0"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n".join(f"line {n}" for n in range(20_000)), "\n".join(f"line {n} x" for n in range(20_000))),
        ("same\n" * 20_000, "Sure!\n" + "same\n" * 20_000),
        ("a" * 300_000, "b" + "a" * 300_000),
        (json.dumps(list(range(50_000))), json.dumps(list(range(1, 50_001)))),
    ],
    ids=["every line", "equal lines", "one long word", "long list"],
)
def test_large_texts_have_moves_too(old: str, new: str) -> None:
    assert moves(text(old), text(new))
