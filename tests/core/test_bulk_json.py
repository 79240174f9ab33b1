"""Read in bulk, JSON is what it is read one by one: the same value, or refused for the same reason."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from json_values import values
from lastgood.core import bulk_json, nesting
from lastgood.errors import Malformed

loads = bulk_json.reader()


def outcome(read: object, data: object) -> tuple[str, str]:
    """What was read, types and order of keys told apart, or why it was refused."""
    try:
        return "read", repr(read(data))  # type: ignore[operator]
    except Malformed as exc:
        return exc.what, exc.pointer


def same(data: bytes) -> bool:
    return outcome(loads, data) == outcome(nesting.loads, data.decode("utf-8", "surrogateescape"))


TEXTS = {
    "duplicate key": b'{"a": 1, "a": 1}',
    "duplicate key far inside": b'{"a": [{"b": {"c": 1, "d": {}, "c": []}}]}',
    "duplicate key written in two ways": rb'{"a": 1, "\u0061": 1}',
    "duplicate empty key": b'{"": "", "": ""}',
    "duplicate key among numbered quotation marks": rb'{"a": "\u0022\u0022", "a": "\u0022\u0022", "b": "\u0022\u0022"}',
    "quotation marks inside strings": rb'{"a\"": "\"\"", "b": "\\\"", "c\\": "\\"}',
    "numbered quotation marks": rb'{"a": "\u0022", "\u0022": 1}',
    "numbered backslash at an end": rb'{"a": "\u005c"}',
    "duplicate of an escaped key": rb'{"a\"": 1, "a\"": 2, "b": "\u0022\u0022\u0022\u0022"}',
    "NaN": b'{"a": NaN}',
    "infinity": b'{"a": -Infinity}',
    "a number out of range": b"[1e999]",
    "a tiny number": b"[1e-999, -0.0, -0, 1E5, 1.0]",
    "large whole numbers": b"[18446744073709551615, 18446744073709551616, -9223372036854775809, 9007199254740993]",
    "a number too long to convert": b"9" * 5000,
    "a long fraction": b"0." + b"1234567890" * 40,
    "lone surrogate": rb'{"a": "\ud83d"}',
    "surrogates in the wrong order": rb'{"a": "\ude00\ud83d"}',
    "a pair of surrogates": rb'{"a": "\ud83d\ude00"}',
    "no UTF-8": b'{"a": "\xff"}',
    "a surrogate in UTF-8": b'{"a": "\xed\xa0\x80"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a control character": b'{"a": "\x01"}',
    "NUL, escaped": rb'{"a": "\u0000"}',
    "white space around": b" \t\r\n{} \n",
    "other white space": b"\x0b{}",
    "more behind": b"{} {}",
    "nothing": b"",
    "a comma too many": b"[1,]",
    "a leading zero": b"[01]",
    "a hundred levels": b"[" * 100 + b"]" * 100,
    "a level too many": b"[" * 101 + b"]" * 101,
    "far too deep": b"[" * 100_000 + b"]" * 100_000,
    "brackets in a string": b'["' + b"[{" * 200 + b'"]',
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_read_in_bulk_as_it_is_by_itself(name: str) -> None:
    assert same(TEXTS[name])


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_any_value_is_read_in_bulk_as_it_is_by_itself(found: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(found, ensure_ascii=ascii_only, indent=indent)
    assert same(text.encode("utf-8", "surrogatepass"))


marks = st.text(st.sampled_from('{}[]:,"\\u02ab1-.eE \n'), max_size=24)


@given(st.binary(max_size=24) | marks.map(str.encode))
@example(rb'{"\u0022":1,"\u0022":2}')
def test_any_bytes_are_read_in_bulk_as_they_are_by_themselves(data: bytes) -> None:
    assert same(data)


members = st.lists(st.tuples(st.sampled_from(["a", 'a"', "a\\", "\\u0061", "\\u0022", ""]), values), max_size=4)


@given(members, st.booleans())
def test_no_duplicate_key_is_missed(found: list[tuple[str, object]], inside: bool) -> None:
    def quoted(key: str) -> str:
        return f'"{key}"' if key.startswith("\\u") else json.dumps(key)

    text = "{" + ",".join(f"{quoted(key)}:{json.dumps(value)}" for key, value in found) + "}"
    assert same((f'[{{"x": {text}}}, {text}]' if inside else text).encode())


@given(st.integers(95, 105), st.sampled_from(['"]"', '"}["', '"\\\\"', '"\\"]"', '""', "1"]), st.booleans())
def test_nesting_is_bounded_at_the_same_level_whatever_strings_hold(depth: int, held: str, objects: bool) -> None:
    start, end = ('{"[": ' + f"[{held}, ", "]}") if objects else (f"[{held}, ", "]")
    levels = depth // 2 * 2
    repeats = levels // 2 if objects else levels
    text = start * repeats + held + end * repeats
    expected = (
        outcome(json.loads, text)[0]
        if levels <= nesting.DEEPEST
        else f"nested too deeply: more than {nesting.DEEPEST} levels"
    )
    assert outcome(nesting.loads, text)[0] == outcome(loads, text.encode())[0] == expected
