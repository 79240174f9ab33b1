"""A printed command can be pasted, whatever a file is called."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastgood.core.shell import quoted


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("prompts/billing-v3.txt", "prompts/billing-v3.txt"),
        ("prompts/für.txt", "prompts/für.txt"),
        ("a b", "'a b'"),
        ("it's", "'it'\\''s'"),
        ("$HOME", "'$HOME'"),
        ("--record", "'--record'"),
        ("", "''"),
        ("a\nb", "$'a\\x0ab'"),
    ],
)
def test_only_what_needs_quotes_gets_them(word: str, expected: str) -> None:
    """Most names stay as they are."""
    assert quoted(word) == expected


@given(words=st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=8), max_size=6))
def test_a_shell_reads_the_same_words(words: list[str]) -> None:
    """bash gives back what was quoted."""
    script = "printf '%s\\0' x " + " ".join(map(quoted, words))
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"})
    assert done.stdout.decode("utf-8").split("\0")[1:-1] == words
