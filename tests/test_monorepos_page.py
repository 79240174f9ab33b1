"""docs/monorepos.md: typed as printed, in a repository of two roots."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import yaml  # type: ignore[import-untyped]

from pages import blocks, fits, page, steps
from repository import LASTGOOD, Repository, standing

if TYPE_CHECKING:
    from pathlib import Path

PAGE = page("docs/monorepos.md")


def test_the_page_runs_as_printed(tmp_path: Path) -> None:
    one = standing(tmp_path / "one")
    repo = Repository(tmp_path / "yours")
    repo.env |= {"PATH": f"{LASTGOOD.rpartition('/')[0]}:/usr/bin:/bin"}
    for name in ("billing", "support"):
        shutil.copytree(one.root, repo.root / "services" / name, ignore=shutil.ignore_patterns(".git", ".lastgood"))
    repo.git("add", "-A")
    repo.commit("two roots")
    for block in blocks(PAGE, "console"):
        for command, wanted in steps(block.text):
            said = repo.run("sh", "-c", command, code=None).out
            assert fits(said, wanted), f"{command}\n{said}"


def test_its_hooks_are_a_configuration_that_names_each_root() -> None:
    (config,) = [yaml.safe_load(block.text) for block in blocks(PAGE, "yaml")]
    hooks = config["repos"][0]["hooks"]
    assert [hook["args"] for hook in hooks] == [["--root", f"services/{name}"] for name in ("billing", "support")]
