"""JSON is read as files kept in git must hold it."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from json_values import values
from lastgood.core import nesting, strict_json
from lastgood.core.strict_json import escape, loads, resolve, same
from lastgood.errors import Malformed

REFUSED = {
    "nothing": (b"", "", "is empty"),
    "white space": (b" \n", "", "is empty"),
    "two values": (b"1 2", "", "not JSON: Extra data at line 1 column 3"),
    "cut off": (b'{"a": ', "", "not JSON: Expecting value at line 1 column 7"),
    "duplicate key": (b'{"a": 1, "a": 1}', "/a", "duplicate key"),
    "duplicate key inside": (b'[{"a/b": {"c": 1, "c": 2}}]', "/0/a~1b/c", "duplicate key"),
    "NaN": (b'{"a": [1, NaN]}', "/a/1", "NaN is not JSON"),
    "infinity": (b"-Infinity", "", "-Infinity is not JSON"),
    "overflow": (b'{"a": 1e999}', "/a", "number out of range: 1e999"),
    "lone surrogate": (rb'{"a": "\ud800"}', "/a", "lone surrogate"),
    "lone surrogate in a key": (rb'{"\ud800": 1}', r"/\ud800", "lone surrogate in a key"),
    "byte order mark": (b"\xef\xbb\xbf{}", "", "starts with a byte order mark"),
    "Latin-1": (b'"caf\xe9"', "", "not UTF-8: byte 0xe9 at offset 4"),
    "more digits than Python reads": (b"9" * 5000, "", "not readable: Exceeds the limit (4300 digits) for integer"),
    "conflict markers": (b"{\n<<<<<<< HEAD\n}", "", "holds conflict markers"),
}


@pytest.mark.parametrize(("data", "pointer", "what"), REFUSED.values(), ids=REFUSED)
def test_refused_with_place_and_reason(data: bytes, pointer: str, what: str) -> None:
    with pytest.raises(Malformed) as caught:
        loads(data)
    assert caught.value.pointer == pointer
    assert caught.value.what.startswith(what)


@pytest.mark.parametrize("depth", [101, 5_000, 100_000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_is_bounded_whatever_the_stack(depth: int, opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    with pytest.raises(Malformed, match="nested too deeply"):
        nesting.loads(opening * depth + "1" + closing * depth)


def test_a_hundred_levels_are_not_too_many() -> None:
    nesting.loads("[" * 100 + "]" * 100)


def test_brackets_inside_strings_are_no_levels() -> None:
    assert nesting.loads(json.dumps("[" * 500)) == "[" * 500


@given(values)
def test_what_json_writes_is_read_back(found: object) -> None:
    assert same(loads(json.dumps(found)), found)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        loads(data)


DIFFERENT = [
    (True, 1),
    (False, 0),
    (1, "1"),
    (None, False),
    ([1], [True]),
    ({"a": 1}, {"a": True}),
    ({}, []),
    ("", None),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different_in_json(left: object, right: object) -> None:
    assert not same(left, right)
    assert not same(right, left)


@pytest.mark.parametrize(
    ("left", "right"), [(1, 1.0), (0.0, -0.0), ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}), ([[]], [[]])]
)
def test_same_in_json(left: object, right: object) -> None:
    assert same(left, right)


DOCUMENT = {"": 0, "a/b": [10, {"m~n": 1}], "01": 2}


@pytest.mark.parametrize(
    ("pointer", "found"),
    [("", DOCUMENT), ("/", 0), ("/a~1b/0", 10), ("/a~1b/1/m~0n", 1), ("/01", 2)],
)
def test_a_pointer_finds(pointer: str, found: object) -> None:
    assert resolve(DOCUMENT, pointer) == found


@pytest.mark.parametrize("pointer", ["/b", "/a~1b/2", "/a~1b/00", "/a~1b/-1", "/a~1b/x", "//a", "/a~1b/\u0660"])
def test_a_pointer_that_names_nothing(pointer: str) -> None:
    with pytest.raises(KeyError):
        resolve(DOCUMENT, pointer)


@given(st.text())
def test_any_key_can_be_pointed_to(key: str) -> None:
    assert resolve({key: 1}, f"/{escape(key)}") == 1


def test_files_end_with_one_newline_and_keep_their_key_order() -> None:
    assert strict_json.dump({"b": "é", "a": []}) == '{\n  "b": "é",\n  "a": []\n}\n'.encode()
