"""docs/reference/api.md against the code: its program is run, its tables are the API."""

from __future__ import annotations

import inspect
import re
import sys
from typing import TYPE_CHECKING

import pytest

import lastgood
from pages import blocks, code, files, page, rows
from repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

API = page("docs/reference/api.md")
NAMED = {re.split(r"\W", code(row[0])[0])[0]: code(row[0])[0] for row in rows(API)}


def test_its_program_prints_what_it_says(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "repository")
    repo.write(files(page("docs/reference/files.md")))
    repo.git("add", "-A")
    (program,) = blocks(API, "python")
    (printed,) = blocks(API, "text")
    assert repo.run(sys.executable, "-c", program.text).out == printed.text


def test_every_name_is_explained_and_no_other() -> None:
    verdicts = {name for name in lastgood.__all__ if name.isupper()}
    assert {*NAMED, "Malformed"} | verdicts == set(lastgood.__all__)
    assert verdicts <= set(code(API))


@pytest.mark.parametrize("name", [name for name in NAMED if name.islower()])
def test_a_signature_is_the_one_of_the_code(name: str) -> None:
    signature = inspect.signature(getattr(lastgood, name))
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()]
    said = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    assert NAMED[name] == f"{name}{said}"
