"""The content behind an LFS pointer, wherever this machine holds it."""

from __future__ import annotations

import os

from lastgood.core.sha256 import sha256_hex
from lastgood.edge import git


def content(root: str, path: str, digest: str) -> bytes | None:
    """The bytes whose SHA-256 is `digest` (64 hex): of the file on disk, else of git-lfs' own store; None: not here.

    The file may hold an edit that is not staged, or be gone: then only the store has what the pointer means.
    """
    for place in (os.path.join(root, path), os.path.join(_store(root), digest[:2], digest[2:4], digest)):
        try:
            with open(place, "rb") as file:
                data = file.read()
        except OSError:
            continue
        if sha256_hex(data) == digest:
            return data
    return None


def _store(root: str) -> str:
    # Linked worktrees share the store, which `--git-path` does not know.
    folder = os.fsdecode(git.run("rev-parse", "--git-common-dir", root=root).removesuffix(b"\n"))
    return os.path.join(root, folder, "lfs", "objects")
