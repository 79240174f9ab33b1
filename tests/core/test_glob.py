"""Globs match as git users expect."""

from __future__ import annotations

import pytest

from lastgood.core.glob import fixed_part, is_magic, matcher

MATCHES = [
    ("prompts/**", "prompts/a.txt", True),
    ("prompts/**", "prompts/a/b.txt", True),
    ("prompts/**", "prompts", False),
    ("prompts/**", "prompts2/a.txt", False),
    ("prompts/**", "x/prompts/a.txt", False),
    ("**", "a/b", True),
    ("prompts/*.txt", "prompts/a.txt", True),
    ("prompts/*.txt", "prompts/a/b.txt", False),
    ("prompts/*.txt", "prompts/.txt", True),
    ("prompts/**/*.txt", "prompts/a.txt", True),
    ("prompts/**/*.txt", "prompts/a/b/c.txt", True),
    ("prompts/**/*.txt", "prompts/a.md", False),
    ("**/prompt.md", "prompt.md", True),
    ("**/prompt.md", "a/b/prompt.md", True),
    ("**/prompt.md", "a/my-prompt.md", False),
    ("p/?.txt", "p/a.txt", True),
    ("p/?.txt", "p/ü.txt", True),
    ("p/?.txt", "p/ab.txt", False),
    ("p/?.txt", "p//.txt", False),
    ("p/[ab].txt", "p/a.txt", True),
    ("p/[ab].txt", "p/c.txt", False),
    ("p/[a-c].txt", "p/b.txt", True),
    ("p/[!a].txt", "p/b.txt", True),
    ("p/[!a].txt", "p/a.txt", False),
    ("p[!a]b", "p/b", False),
    ("p[/]b", "p/b", False),
    ("p/[].txt", "p/[].txt", True),
    ("p/a+b(1).txt", "p/a+b(1).txt", True),
    ("p/a.txt", "p/axtxt", False),
    ("p/*", "p/two\nlines", True),
    ("p/*", "p/\udcff", True),
]


@pytest.mark.parametrize(("glob", "path", "expected"), MATCHES)
def test_matches(glob: str, path: str, expected: bool) -> None:
    assert matcher(glob)(path) is expected


@pytest.mark.parametrize(
    ("glob", "fixed"),
    [("prompts/**", "prompts/"), ("a/b/*.txt", "a/b/"), ("**", ""), ("a*/b/c", ""), ("a/b/c.txt", "a/b/"), ("x", "")],
)
def test_fixed_part(glob: str, fixed: str) -> None:
    assert fixed_part(glob) == fixed


@pytest.mark.parametrize(("glob", "expected"), [("a/b.txt", False), ("a/*", True), ("a?", True), ("[a]", True)])
def test_is_magic(glob: str, expected: bool) -> None:
    assert is_magic(glob) is expected
