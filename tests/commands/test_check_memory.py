"""What the last clean check remembers never changes a verdict."""

from __future__ import annotations

import json
import random
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from repository import Repository, case, standing, suite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DECLARED = """
[prompt.agent]
files = ["agents/agent.md", "tools/*.json"]
"""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("memory") / "repository"
    repo = standing(root)
    repo.write(
        {
            "lastgood.toml": repo.read("lastgood.toml") + DECLARED,
            "agents/agent.md": "Be an agent.\nsay: paid\n",
            "tools/one.json": "{}\n",
            "golden/agent/suite.json": suite("agent", case("first")),
        }
    )
    repo.lastgood("catalog", "ship")
    repo.accept("agent")
    repo.git("add", "-A")
    repo.commit("agent")
    return root


@pytest.fixture
def repo(template: Path, tmp_path: Path) -> Repository:
    root = tmp_path / "r"
    shutil.copytree(template, root, symlinks=True)
    return Repository(root, init=False)


def _edit(path: str, text: str) -> Callable[[Repository], None]:
    return lambda repo: repo.write({path: text})


def _remove(path: str) -> Callable[[Repository], None]:
    def remove(repo: Repository) -> None:
        (repo.root / path).unlink(missing_ok=True)

    return remove


def _head(repo: Repository) -> None:
    repo.git("reset", "-q", "--hard")
    repo.git("clean", "-qfd", "-e", ".lastgood")


EDITS: tuple[Callable[[Repository], None], ...] = (
    _head,
    _edit("notes.md", "Another note.\n"),
    _edit("prompts/billing.txt", "Moved.\nsay: paid\n"),
    _edit("prompts/billing.md", "The same id again.\n"),
    _edit("prompts/new.txt", "A prompt without cases.\n"),
    _edit("tools/one.json", '{"moved": true}\n'),
    _edit("tools/two.json", "{}\n"),
    _edit("golden/support/late.json", json.dumps({"prompt_id": "support", **case("late", input={"order_id": "x"})})),
    _edit("golden/support/other.json", "{not json"),
    _edit("golden/schemas/reply.json", '{"type": "object"}\n'),
    _edit("baselines/stub/billing/one.json", "{}\n"),
    _edit("baselines/stub/billing/three.json", "{}\n"),
    _edit("baselines/other/support/HEAD", "0001_x 0000000000000000\n"),
    _edit("stub.py", "print('moved')\n"),
    _remove("prompts/support.txt"),
    _remove("agents/agent.md"),
    _remove("tools/one.json"),
    _remove("golden/billing/catalog.json"),
    _remove("baselines/stub/agent/HEAD"),
    _remove("baselines/stub/support/late.json"),
)


def _found(repo: Repository, *flags: str) -> tuple[int, Any]:
    done = repo.lastgood("check", "--format", "json", *flags, code=None)
    assert done.out, done.err
    document = json.loads(done.out)
    return done.code, sorted(json.dumps(finding, sort_keys=True) for finding in document["findings"])


@pytest.mark.parametrize("seed", range(3))
def test_a_remembered_check_finds_what_a_fresh_one_finds(repo: Repository, seed: int) -> None:
    """Whatever was edited since, and however often back and forth."""
    dice = random.Random(seed)
    repo.lastgood("check")
    for _ in range(8):
        for edit in dice.sample(EDITS, dice.choice((1, 1, 2, 3))):
            edit(repo)
        repo.git("add", "-A")
        assert _found(repo) == _found(repo, "--all")


def test_every_edit_alone_is_seen(repo: Repository) -> None:
    """From a clean, remembered state each single edit gives the fresh verdict."""
    for edit in EDITS:
        _head(repo)
        repo.git("add", "-A")
        repo.lastgood("check")
        edit(repo)
        repo.git("add", "-A")
        assert _found(repo) == _found(repo, "--all")


def test_a_memory_that_came_with_a_commit_is_not_believed(repo: Repository) -> None:
    """A pull request cannot bring along a cache that calls it clean."""
    repo.write({"prompts/billing.txt": "Moved.\n"})
    repo.git("add", "-A")
    repo.git("stash", "-q")
    repo.lastgood("check")
    clean = (repo.root / ".lastgood/check.cache").read_bytes()
    repo.git("stash", "pop", "-q", "--index")
    (repo.root / ".lastgood/check.cache").write_bytes(clean)
    repo.git("add", "-f", ".lastgood/check.cache")
    repo.lastgood("check", code=2)


@pytest.mark.parametrize("junk", [b"", b"junk", b"\x00" * 50])
def test_a_broken_memory_is_no_memory(repo: Repository, junk: bytes) -> None:
    """A torn cache file costs time, not a verdict."""
    repo.lastgood("check")
    (repo.root / ".lastgood/check.cache").write_bytes(junk)
    repo.lastgood("check")


def test_ci_trusts_no_memory(repo: Repository) -> None:
    """A CI workspace may hold what another build left there."""
    repo.lastgood("check", env={"CI": "true"})
    assert not (repo.root / ".lastgood/check.cache").exists()
