"""The part of a file that is the prompt: what it is in each kind of file, and when there is none."""

from __future__ import annotations

import pytest

from lastgood.core.part import part_of, usable
from lastgood.errors import Malformed

FRONT = b"---\nmodel: small\n---\nAnswer briefly.\n"
MODULE = b'import os\n\nSYSTEM: str = (\n    "Answer "\n    "briefly."\n)\nOTHER = f"{SYSTEM}!"\n'


@pytest.mark.parametrize(
    ("part", "path", "data", "expected"),
    [
        ("body", "a.prompty", FRONT, b"Answer briefly.\n"),
        ("front matter", "a.prompty", FRONT, b"model: small\n"),
        ("body", "a.md", FRONT.replace(b"\n", b"\r\n"), b"Answer briefly.\r\n"),
        ("body", "a.md", b"No front matter.\n---\nA rule.\n", b"No front matter.\n---\nA rule.\n"),
        ("front matter", "a.md", b"No front matter.\n", b""),
        ("body", "a.md", b"---\nmodel: small\n---", b""),
        ("body", "empty.md", b"", b""),
        ("/system", "a.json", b'{"system": "Hi \\u00fc"}', "Hi ü".encode()),
        ("/turns/1/content", "a.json", b'{"turns": [{}, {"content": "Hi"}]}', b"Hi"),
        ("/turns", "a.json", b'{"turns": [ "b",  {"x": 1, "a": 2} ]}', b'["b",{"a":2,"x":1}]'),
        ("/a~1b", "a.json", b'{"a/b": "Hi"}', b"Hi"),
        ("/agent/system", "a.toml", b'[agent]\nsystem = """\nHi\n"""\nmax = 3\n', b"Hi\n"),
        ("/system", "a.yaml", b"model: small\nsystem: |\n  Hi\n  there\n", b"Hi\nthere\n"),
        ("SYSTEM", "a.py", MODULE, b"Answer briefly."),
    ],
)
def test_a_part(part: str, path: str, data: bytes, expected: bytes) -> None:
    if path.endswith(".yaml"):
        pytest.importorskip("yaml")
    assert part_of(part, path, data) == expected


@pytest.mark.parametrize(
    ("part", "path", "data", "why"),
    [
        ("body", "a.md", b"---\nmodel: small\n", "never ends it"),
        ("/system", "a.json", b'{"system": ', "not JSON"),
        ("/system", "a.json", b'{"system": "a", "system": "b"}', "duplicate key"),
        ("/other", "a.json", b'{"system": "a"}', "holds nothing here"),
        ("/system/x", "a.json", b'{"system": "a"}', "holds nothing here"),
        ("/when", "a.toml", b"when = 2026-12-01\n", "no text, number or list"),
        ("/system", "a.toml", b"system = \n", "is not TOML"),
        ("/system", "a.txt", b"system", "no JSON, TOML or YAML"),
        ("SYSTEM", "a.txt", b"SYSTEM = 'a'", "no Python module"),
        ("SYSTEM", "a.py", b"SYSTEM = (", "is not Python"),
        ("SYSTEM", "a.py", b"def f():\n    SYSTEM = 'a'\n", "nowhere at its top"),
        ("SYSTEM", "a.py", b"SYSTEM = 'a'\nSYSTEM = 'b'\n", "more than once"),
        ("OTHER", "a.py", MODULE, "by computing it"),
        ("body", "a.md", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "an LFS pointer"),
    ],
)
def test_no_part(part: str, path: str, data: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        part_of(part, path, data)


@pytest.mark.parametrize(
    ("part", "fit"),
    [("body", True), ("front matter", True), ("/", True), ("NAME", True), ("", False), ("a b", False), ("1a", False)],
)
def test_what_names_a_part(part: str, fit: bool) -> None:
    assert usable(part) is fit
