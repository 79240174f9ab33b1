"""The configuration comes from the tree that is judged, or from disk where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lastgood.core.tree import Tree
from lastgood.edge.config import config_of, config_on_disk
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from pathlib import Path

TOML = b'base = "a"\n'
PYPROJECT = b'[tool.lastgood]\nbase = "b"\n'
OTHERS = b'[project]\nname = "x"\n'


@pytest.mark.parametrize(
    ("files", "base"),
    [
        ({"lastgood.toml": TOML}, "a"),
        ({"pyproject.toml": PYPROJECT}, "b"),
        ({"lastgood.toml": TOML, "pyproject.toml": OTHERS}, "a"),
    ],
    ids=["lastgood.toml", "pyproject.toml", "pyproject.toml of others"],
)
def test_either_file(tmp_path: Path, files: dict[str, bytes], base: str) -> None:
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    assert config_of(Tree.of(files)).base == config_on_disk(str(tmp_path)).base == base


def test_none_is_an_error_that_names_the_tree() -> None:
    with pytest.raises(LastgoodError, match="no configuration in the index"):
        config_of(Tree.of({"sub/lastgood.toml": TOML, "pyproject.toml": OTHERS}, "the index"))


def test_two_are_an_error() -> None:
    with pytest.raises(LastgoodError, match="two configurations"):
        config_of(Tree.of({"lastgood.toml": TOML, "pyproject.toml": PYPROJECT}))
