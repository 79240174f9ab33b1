"""A final text, and what is derived from it when somebody asks."""

from __future__ import annotations

import pytest

from lastgood.core.reading import Text


def test_a_text_is_read_as_json_once_and_only_when_asked_for() -> None:
    text = Text(' {"a": 1}\n')
    assert "parsed" not in vars(text)
    assert (text.fault, text.parsed) == ("", {"a": 1})
    assert text.parsed is text.parsed


def test_a_text_that_is_no_json_says_why() -> None:
    text = Text('{"a": 1, "a": 2}')
    assert (text.parsed, text.fault) == (None, "duplicate key at /a")


def test_a_text_is_folded_with_its_escapes_undone_beside_it() -> None:
    assert Text(r"I  \u0041ssume").folded == " i \\u0041ssume \0 i assume "


def test_a_text_has_no_other_attributes() -> None:
    with pytest.raises(AttributeError, match="flaw"):
        Text("").flaw  # noqa: B018
