"""What makes a diff readable: marked words, JSON in lines."""

from __future__ import annotations

import json
import random

import pytest

from lastgood.core.text_diff import pretty, word_marks

MARKS = {
    "equal": ("the order is paid", "the order is paid", [], []),
    "one word": ("the order is paid", "the order is open", ["paid"], ["open"]),
    "one word added": ("it is paid", "it is not paid", [], ["not "]),
    "one word removed": ("it is not paid", "it is paid", ["not "], []),
    "neighbours are joined": ("a big red car", "a small blue car", ["big red"], ["small blue"]),
    "words far apart are not": ("one and two", "uno and dos", ["one", "two"], ["uno", "dos"]),
    "a sign": ("paid.", "paid!", ["."], ["!"]),
    "part of a word is the whole word": ("repaid", "paid", ["repaid"], ["paid"]),
    "spaces": ("a  b", "a b", ["  "], [" "]),
    "inside JSON": ('{"a": 1, "b": 2}', '{"a": 1, "b": 30}', ["2"], ["30"]),
    "no spaces between words": ("注文は支払済", "注文は返金済", ["支払"], ["返金"]),
    "from empty": ("", "a b", [], ["a b"]),
    "to empty": ("a b", "", ["a b"], []),
}


@pytest.mark.parametrize(("old", "new", "went", "came"), MARKS.values(), ids=MARKS)
def test_words_that_moved_are_marked(old: str, new: str, went: list[str], came: list[str]) -> None:
    olds, news = word_marks(old, new)
    assert [old[start:end] for start, end in olds] == went
    assert [new[start:end] for start, end in news] == came


def test_long_lines_with_few_changes_are_marked_word_by_word() -> None:
    words = [f"word{number}" for number in range(20_000)]
    old = " ".join(words)
    new = old.replace("word17 ", "other ").replace("word19000 ", "another ")
    olds, news = word_marks(old, new)
    assert [old[start:end] for start, end in olds] == ["word17", "word19000"]
    assert [new[start:end] for start, end in news] == ["other", "another"]


def test_long_lines_with_nothing_in_common_are_marked_from_first_to_last_difference() -> None:
    old = "same " + " ".join(f"a{number}" for number in range(5000)) + " end"
    new = "same " + " ".join(f"b{number}" for number in range(5000)) + " end"
    assert word_marks(old, new) == (((5, len(old) - 4),), ((5, len(new) - 4),))


LAID_OUT = {
    "object": ('{"b": 1, "a": [1,2]}', '{\n  "b": 1,\n  "a": [\n    1,\n    2\n  ]\n}'),
    "empty ones": ('{"a": {}, "b": [ ], "c": [{}]}', '{\n  "a": {},\n  "b": [],\n  "c": [\n    {}\n  ]\n}'),
    "numbers and escapes as spelled": (r'{"a":1.0,"b":1.00,"c":1e2,"d":"\u00e9é\""}', None),
    "signs inside strings": (r'{"a":"{\"b\": [1, 2]}, \\","c":":"}', None),
    "laid out already": ('{\n    "a":   1\n}', '{\n  "a": 1\n}'),
    "text": ("Sure! {1}", "Sure! {1}"),
    "scalar": ("1.00", "1.00"),
    "two keys of one name": ('{"a":1,"a":2}', '{"a":1,"a":2}'),
    "empty": ("", ""),
}


@pytest.mark.parametrize(("text", "shown"), LAID_OUT.values(), ids=LAID_OUT)
def test_json_is_laid_out_as_spelled(text: str, shown: str | None) -> None:
    laid_out = pretty(text)
    if shown is not None:
        assert laid_out == shown
    assert "".join(laid_out.split()) == "".join(text.split())


def test_it_lays_out_as_the_json_module_does() -> None:
    dice = random.Random(7)

    def some(depth: int) -> object:
        made = dice.randrange(7 if depth else 4)
        if made < 4:
            return [None, True, -1.5e-7, 'a "b" \\ {[,:'][made]
        if made < 6:
            return {f"k{number}": some(depth - 1) for number in range(dice.randrange(4))}
        return [some(depth - 1) for _ in range(dice.randrange(4))]

    for _ in range(200):
        held = [some(4)]
        assert pretty(json.dumps(held)) == json.dumps(held, indent=2)
