"""A text that moved without a word of it moving."""

from __future__ import annotations

import pytest

from lastgood.core.form import moved_form


@pytest.mark.parametrize(
    ("old", "new", "moved"),
    [
        (b"a\nb\n", b"a\r\nb\r\n", ("line endings",)),
        (b"a\nb\n", b"a\nb", ("final newline",)),
        (b"a\nb", b"a\nb\n\n", ("final newline",)),
        (b"a\nb\n", b"\xef\xbb\xbfa\nb\n", ("encoding",)),
        ("ü\n".encode(), "ü\n".encode("cp1252"), ("encoding",)),
        ("ü\n".encode(), "ü\n".encode("utf-16"), ("encoding",)),
        (b"a\nb\n", b"a\r\nb", ("line endings", "final newline")),
        (b"a\n", b"b\n", ()),
        (b"a\n", b"b\r\n", ()),
        (b"a\n", b"a\n", ()),
        (b"a b\n", b"a  b\n", ()),
    ],
)
def test_the_form_that_moved(old: bytes, new: bytes, moved: tuple[str, ...]) -> None:
    assert moved_form(old, new) == moved
