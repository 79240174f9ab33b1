"""The configuration, read from the same tree as everything else."""

from __future__ import annotations

import os

from lastgood.core.config import FILES, Config, parse
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastgood.core.tree import Tree


def config_of(tree: Tree) -> Config:
    """The configuration that a tree holds."""
    return _choose(
        tree.name,
        tree.read([path for path in FILES if path in tree]),
        "git add lastgood.toml    # `lastgood init` writes one",
    )


def config_on_disk(root: str) -> Config:
    """The configuration in the working tree: it says where to look for everything else."""
    found = {}
    for name in FILES:
        path = os.path.join(root, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                found[name] = file.read()
    return _choose("the working tree", found, "lastgood init")


def _choose(where: str, files: Mapping[str, bytes], fix: str) -> Config:
    configs = [config for path in FILES if path in files for config in [parse(path, files[path])] if config]
    if not configs:
        raise LastgoodError(
            f"no configuration in {where}: neither lastgood.toml nor [tool.lastgood] in pyproject.toml",
            fix=fix,
        )
    if len(configs) > 1:
        raise LastgoodError(
            "two configurations: lastgood.toml and [tool.lastgood] in pyproject.toml",
            path=configs[1].path,
            fix="keep one of them",
        )
    return configs[0]
