"""What makes a diff readable: marked words, JSON in lines."""

from __future__ import annotations

import itertools
import json
import random

import pytest

from lastgood.core.text_diff import pretty, word_pieces

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


def of(mark: str, pieces: list[tuple[str, str]]) -> list[str]:
    return [text for kind, text in pieces if kind == mark]


def sides(pieces: list[tuple[str, str]]) -> tuple[str, str]:
    old, new = ("".join(text for kind, text in pieces if kind in kinds) for kinds in (" -", " +"))
    return old, new


@pytest.mark.parametrize(("old", "new", "went", "came"), MARKS.values(), ids=MARKS)
def test_words_that_moved_are_marked(old: str, new: str, went: list[str], came: list[str]) -> None:
    pieces = word_pieces(old, new)
    assert (of("-", pieces), of("+", pieces), sides(pieces)) == (went, came, (old, new))


def test_both_lines_can_be_read_from_the_pieces_whatever_they_hold() -> None:
    dice = random.Random(20261202)
    for _ in range(2000):
        old, new = (
            "".join(dice.choices(["a", "b", " ", "  ", ".", "注", "{"], k=dice.randrange(12))) for _ in range(2)
        )
        pieces = word_pieces(old, new)
        assert sides(pieces) == (old, new)
        assert all(text for _, text in pieces)
        assert all(one[0] != other[0] for one, other in itertools.pairwise(pieces)), (old, new, pieces)


def test_long_lines_with_few_changes_are_marked_word_by_word() -> None:
    old = " ".join(f"word{number}" for number in range(20_000))
    new = old.replace("word17 ", "other ").replace("word19000 ", "another ")
    pieces = word_pieces(old, new)
    assert (of("-", pieces), of("+", pieces)) == (["word17", "word19000"], ["other", "another"])


@pytest.mark.parametrize("count", [5000, 100_000], ids=["by words", "by characters"])
def test_long_lines_with_nothing_in_common_are_marked_from_first_to_last_difference(count: int) -> None:
    old = "same " + " ".join(f"a{number}" for number in range(count)) + " end"
    new = "same " + " ".join(f"b{number}" for number in range(count)) + " end"
    pieces = word_pieces(old, new)
    assert [kind for kind, _ in pieces] == [" ", "-", "+", " "]
    assert (pieces[0][1], sides(pieces)) == ("same ", (old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [("a " * 20_000, "a " * 19_000), ("a b " * 9000, "b a " * 9000), ("ab" * 90_000, "ba" * 90_000)],
    ids=["one word less often", "another order", "one word"],
)
def test_lines_that_repeat_themselves_are_no_trap(old: str, new: str) -> None:
    assert sides(word_pieces(old, new)) == (old, new)


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
