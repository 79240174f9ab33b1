"""The identity of a completer: what changes it, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.completer import file_like, fingerprint, named_files
from lastgood.core.config import Completer
from lastgood.core.value import replace

STUB = Completer(name="stub", command=("python3", "./stub.py", "--fast"))
FILES = {"stub.py": "1" * 64}


def identity(**changes: Any) -> str:
    return fingerprint(replace(STUB, **changes), "billing", FILES)


def test_it_is_sixteen_hex_digits() -> None:
    assert len(identity()) == 16
    assert set(identity()) <= set("0123456789abcdef")


@pytest.mark.parametrize(
    "changes",
    [
        {"command": ("python3", "./stub.py")},
        {"protocol": "lines"},
        {"output": "trace"},
        {"stdin": "text"},
        {"take": "/text"},
        {"model": "m-2"},
        {"outputs": (("billing", "trace"),)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_decides_the_answer_changes_it(changes: dict[str, Any]) -> None:
    assert identity(**changes) != identity()


@pytest.mark.parametrize(
    "changes",
    [
        {"timeout_s": 1.0},
        {"jobs": 99},
        {"max_output_bytes": 1},
        {"env": ("KEY",)},
        {"name": "other"},
        {"outputs": (("support", "trace"),)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_what_decides_whether_an_answer_comes_does_not(changes: dict[str, Any]) -> None:
    assert identity(**changes) == identity()


def test_the_bytes_of_a_file_it_names_change_it() -> None:
    assert fingerprint(STUB, "billing", {"stub.py": "2" * 64}) != identity()


def test_the_files_it_names_are_those_of_the_tree_each_once() -> None:
    command = ("python3", "./stub.py", "stub.py", "lib/x.py", "missing.py", "--", "-", "/etc/hosts")
    completer = replace(STUB, command=command)
    assert named_files(completer, {"stub.py", "lib/x.py", "other.py"}) == ("stub.py", "lib/x.py")


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("stub.py", True),
        ("./stub.py", True),
        ("-x", False),
        ("/usr/bin/env", False),
        ("../up.py", False),
        ("~/x", False),
        ("https://x/y", False),
        ("", False),
    ],
)
def test_what_could_be_a_file(word: str, expected: bool) -> None:
    assert bool(file_like(replace(STUB, command=(word,)))) is expected
