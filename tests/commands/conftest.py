"""Each test starts from a copy of one repository that is in step, or of one whose prompt moved and was evaluated."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from repository import Repository, standing

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def in_step(tmp_path_factory: pytest.TempPathFactory, environment: None) -> Path:
    """The repository to copy: committed, in step, nothing pending."""
    return standing(tmp_path_factory.mktemp("standing") / "repo").root


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory: pytest.TempPathFactory, in_step: Path) -> Path:
    """The repository to copy: its prompt `billing` moved, both prompts evaluated, the run pending."""
    root = tmp_path_factory.mktemp("evaluated") / "repo"
    shutil.copytree(in_step, root, symlinks=True)
    repo = Repository(root, init=False)
    repo.write({"prompts/billing.txt": "Answer with the status of an order.\nsay: refunded\n"})
    repo.lastgood("eval")
    return root


@pytest.fixture
def repo(tmp_path: Path, in_step: Path) -> Repository:
    """Two prompts, `billing` (cases one, two) and `support` (late), in step."""
    shutil.copytree(in_step, tmp_path / "repo", symlinks=True)
    return Repository(tmp_path / "repo", init=False)


@pytest.fixture
def pending(tmp_path: Path, evaluated: Path) -> Repository:
    """The same after `billing` moved from `say: paid` to `say: refunded`, with its run waiting to be recorded."""
    shutil.copytree(evaluated, tmp_path / "repo", symlinks=True)
    return Repository(tmp_path / "repo", init=False)
