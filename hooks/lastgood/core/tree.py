"""The tree that is judged: names, modes and bytes, from git or from memory."""

from __future__ import annotations

from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SYMLINK, GITLINK = "120000", "160000"
DISK = "the working tree"  # the name of the tree that no git object holds
NO_FILES = {SYMLINK: "a symbolic link", GITLINK: "a submodule"}  # mode → what it is instead


class Tree:
    """Frozen: path → (mode, oid), and the bytes behind an oid, fetched many at once.

    `name` says which tree it is ("the index", "commit 1a2b…"). Paths are repository paths with `/`; bytes that are
    not UTF-8 stand in them as surrogates. `unmerged` lists the paths that a merge left in conflict, `inner`
    the folders (with their slash) that are roots of their own, and nothing of which is in this tree.
    """

    def __init__(
        self,
        name: str,
        entries: Mapping[str, tuple[str, str]],
        fetch: Callable[[list[str]], Mapping[str, bytes]],
        unmerged: tuple[str, ...] = (),
        inner: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.entries = entries
        self.unmerged = unmerged
        self.inner = inner
        self._fetch = fetch

    @classmethod
    def of(cls, files: Mapping[str, bytes], name: str = "memory") -> Tree:
        """A tree in memory, so that rules are tried without git."""
        blobs = {sha256_hex(data): data for data in files.values()}
        entries = {path: ("100644", sha256_hex(data)) for path, data in files.items()}
        return cls(name, entries, lambda oids: {oid: blobs[oid] for oid in oids})

    def __contains__(self, path: str) -> bool:
        return path in self.entries

    def with_unmerged(self, paths: tuple[str, ...]) -> Tree:
        """The same tree, of which these paths are still in conflict."""
        return Tree(self.name, self.entries, self._fetch, paths, self.inner)

    def read(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The bytes of each of `paths` (all must be in the tree)."""
        wanted = {path: self.entries[path][1] for path in paths}
        if not wanted:
            return {}
        blobs = self._fetch(sorted(set(wanted.values())))
        return {path: blobs[oid] for path, oid in wanted.items()}
