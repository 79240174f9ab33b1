"""Each scenario starts from a copy of one repository that is in step, with the gate installed at commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hooked import WAYS, Hooked, template

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory, environment: None) -> Callable[[str], Hooked]:
    """Way → the repository to copy, made once."""
    made: dict[str, Hooked] = {}
    folder = tmp_path_factory.mktemp("templates")

    def of(way: str) -> Hooked:
        if way not in made:
            made[way] = template(folder / way, way)
        return made[way]

    return of


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> str:
    """By what the gate is run. A test that parametrizes `way` itself says which ways its scenario is about."""
    return str(request.param)


@pytest.fixture
def repo(tmp_path: Path, way: str, templates: Callable[[str], Hooked]) -> Hooked:
    """A repository of two prompts, committed in step; nothing is staged, no remote is known."""
    return templates(way).copy(tmp_path / "repo")
