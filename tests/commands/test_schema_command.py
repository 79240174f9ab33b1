"""`lastgood schema` prints what a file kind is, for an editor or another program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lastgood.core.published import KINDS, published
from repository import Repository

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def anywhere(tmp_path: Path) -> Repository:
    """A folder without git or configuration."""
    return Repository(tmp_path / "anywhere", init=False)


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_of_a_kind_is_all_of_standard_output(anywhere: Repository, kind: str) -> None:
    done = anywhere.lastgood("schema", kind)
    assert (json.loads(done.out), done.err) == (published(kind), "")


def test_an_unknown_kind_is_exit_4_and_the_kinds_are_named(anywhere: Repository) -> None:
    err = anywhere.lastgood("schema", "siute", code=4).err
    assert err == f"lastgood: no file kind 'siute'; did you mean 'suite'? (kinds: {', '.join(KINDS)})\n"


def test_a_missing_kind_is_exit_4(anywhere: Repository) -> None:
    assert "required: KIND" in anywhere.lastgood("schema", code=4).err
