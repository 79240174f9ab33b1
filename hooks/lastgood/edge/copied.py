"""A copy of a repository to break: its own git folder, index and work tree, so that the original cannot be touched."""

from __future__ import annotations

import os
import shutil
import subprocess

from lastgood.core.faults import Ended
from lastgood.core.scope import is_below
from lastgood.core.tree import GITLINK, SYMLINK
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import ending, git
from lastgood.edge.folder import NAME
from lastgood.edge.worktree import scratch_folder
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lastgood.core.fault import Injected
from lastgood.core.tree import Tree

_LONGEST = 600  # seconds that one run of the gate may take
_OURS = {
    "GIT_AUTHOR_NAME": "lastgood prove",
    "GIT_AUTHOR_EMAIL": "lastgood@localhost",
    "GIT_COMMITTER_NAME": "lastgood prove",
    "GIT_COMMITTER_EMAIL": "lastgood@localhost",
    "GIT_NAMESPACE": "",
    "GIT_LFS_SKIP_SMUDGE": "1",
}
_KEPT = ("GIT_CONFIG", "GIT_EXEC_PATH")  # of git's variables, what says how git is set up here


class Copy:
    """The copy of a tree, in a folder under the run folder that goes when this process ends.

    `found`: the environment by which git finds the tree's objects, which are shared and never written.
    """

    def __init__(self, root: str, tree: Tree, found: Mapping[str, str], base: str) -> None:
        self.root = os.path.join(scratch_folder(root), "copy")
        self._git = os.path.join(self.root, ".git")
        self._index = os.path.join(self._git, "index")
        # Whatever the environment names: all of it is the copy's.
        self._env = {
            **_OURS,
            "GIT_DIR": self._git,
            "GIT_COMMON_DIR": self._git,
            "GIT_WORK_TREE": self.root,
            "GIT_INDEX_FILE": self._index,
            "GIT_OBJECT_DIRECTORY": os.path.join(self._git, "objects"),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": "",
        }
        self._entries = dict(tree.entries)
        self._none = "0" * len(next((oid for _, oid in tree.entries.values()), "0" * 40))
        self._base = base
        self._child: subprocess.Popen[bytes] | None = None
        ending.at_end(self._stop)
        self._make(root, found)

    def _make(self, root: str, found: Mapping[str, str]) -> None:
        form = git.run("rev-parse", "--show-object-format", root=root).decode("ascii").strip()
        os.mkdir(self.root)
        git.run("init", "-q", "--template=", f"--object-format={form}", root=self.root, env=self._env)
        stores = [found["GIT_OBJECT_DIRECTORY"], *found["GIT_ALTERNATE_OBJECT_DIRECTORIES"].split(os.pathsep)]
        os.makedirs(os.path.join(self._git, "objects", "info"), exist_ok=True)
        with open(os.path.join(self._git, "objects", "info", "alternates"), "wb") as file:
            file.write(b"".join(os.fsencode(store) + b"\n" for store in stores if store))
        self._update({path: f"{mode} {oid} 0" for path, (mode, oid) in self._entries.items()})
        git.run("checkout-index", "-a", "-q", "-f", root=self.root, env=self._env)
        self._borrow(root)
        self.stand()

    def _borrow(self, root: str) -> None:
        """Link what lies at the top of the original and in no tree: a completer may need its node_modules."""
        out = git.run("ls-files", "-z", "--others", "--directory", root=root)
        ours = {path.partition("/")[0] for path in self._entries}
        for name in {os.fsdecode(path).partition("/")[0] for path in out.split(b"\0")} - {"", ".git", NAME} - ours:
            os.symlink(os.path.join(os.path.abspath(root), name), os.path.join(self.root, name))

    def stand(self) -> None:
        """Commit the index, and make that commit the base that others share."""
        tree = git.run("write-tree", root=self.root, env=self._env).decode("ascii").strip()
        commit = git.run("commit-tree", "-m", "copy", tree, root=self.root, env=self._env).decode("ascii").strip()
        for ref in ("HEAD", "refs/remotes/origin/HEAD"):
            git.run("update-ref", ref, commit, root=self.root, env=self._env)
        if self._base:  # a name that git takes for no tag stays what it was, or is none here
            git.attempt("update-ref", f"refs/tags/{self._base}", commit, root=self.root, env=self._env)
        git.attempt("update-index", "-q", "--refresh", root=self.root, env=self._env)
        shutil.copy2(self._index, self._index + ".standing")

    def keep(self, files: Mapping[str, bytes | None]) -> None:
        """Stage an edit for good, and let the copy stand on it."""
        self._entries |= self._stage(files, {})
        self._entries = {path: entry for path, entry in self._entries.items() if files.get(path, b"") is not None}
        self.stand()

    def inject(self, injected: Injected) -> None:
        """Stage an edit, which `revert` takes back."""
        self._before = {path: self._on_disk(path) for path in (*injected.files, *injected.links)}
        self._stage(injected.files, injected.links)
        self._update(dict.fromkeys(injected.left_out, f"0 {self._none} 0"))
        for path in injected.unmerged:
            mode, oid = self._entries[path]
            self._update({path: f"0 {self._none} 0"})
            rows = [f"{mode} {oid} {stage}\t{path}\0" for stage in (1, 2, 3)]
            self._index_info("".join(rows))

    def revert(self) -> None:
        """Index and disk as the copy stood."""
        for path, (mode, data) in self._before.items():
            self._write(path, mode, data)
        shutil.copy2(self._index + ".standing", self._index)

    def _stage(self, files: Mapping[str, bytes | None], links: Mapping[str, str]) -> dict[str, tuple[str, str]]:
        """Path → (mode, oid) of what was written."""
        modes = {path: self._entries.get(path, ("100644", ""))[0] for path in files}
        held: dict[str, bytes] = {path: data for path, data in files.items() if data is not None}
        held |= {path: os.fsencode(target) for path, target in links.items()}
        modes |= dict.fromkeys(links, SYMLINK)
        for path in (*files, *links):
            self._write(path, modes[path], held.get(path))
        oids = self._blobs(list(held.values()))
        entries = {path: (modes[path], oid) for path, oid in zip(held, oids, strict=True)}
        gone = {path: f"0 {self._none} 0" for path in files if path not in held}
        self._update({**gone, **{path: f"{mode} {oid} 0" for path, (mode, oid) in entries.items()}})
        return entries

    def _blobs(self, contents: Sequence[bytes]) -> list[str]:
        incoming = os.path.join(self._git, "incoming")
        os.makedirs(incoming, exist_ok=True)
        for nth, data in enumerate(contents):
            with open(os.path.join(incoming, str(nth)), "wb") as file:
                file.write(data)
        feed = "".join(f".git/incoming/{nth}\n" for nth in range(len(contents))).encode("ascii")
        command = ("hash-object", "-w", "--no-filters", "--stdin-paths")
        return git.run(*command, root=self.root, feed=feed, env=self._env).decode("ascii").split()

    def _update(self, rows: Mapping[str, str]) -> None:
        self._index_info("".join(f"{row}\t{path}\0" for path, row in rows.items()))

    def _index_info(self, rows: str) -> None:
        feed = rows.encode("utf-8", "surrogateescape")
        git.run("update-index", "-z", "--index-info", root=self.root, feed=feed, env=self._env)

    def _on_disk(self, path: str) -> tuple[str, bytes | None]:
        where = os.path.join(self.root, path)
        mode = self._entries.get(path, ("100644", ""))[0]
        if os.path.islink(where):
            return mode, os.fsencode(os.readlink(where))
        if not os.path.isfile(where):
            return mode, None
        with open(where, "rb") as file:
            return mode, file.read()

    def _write(self, path: str, mode: str, data: bytes | None) -> None:
        """What lies at a path of the copy, instead of what lay there."""
        where = os.path.join(self.root, path)
        folder = os.path.realpath(os.path.dirname(where))
        if not is_below(folder, (os.path.realpath(self.root),)):  # by a link, it could be the original
            raise LastgoodError("lies behind a symbolic link, so nothing can be broken there", path=path)
        if os.path.lexists(where):
            os.unlink(where)
        if data is None or mode == GITLINK:
            return
        os.makedirs(os.path.dirname(where), exist_ok=True)
        if mode == SYMLINK:
            os.symlink(os.fsdecode(data), where)
            return
        with open(where, "wb") as file:
            file.write(data)
        os.chmod(where, 0o755 if mode == "100755" else 0o644)

    def run(self, command: Sequence[str], *, committing: bool) -> Ended:
        """Run the gate at the top of the copy; `committing`: as git runs a hook of the commit being made."""
        kept = {
            name: text
            for name, text in os.environ.items()
            if name.startswith(_KEPT) or not name.startswith(("GIT_", "PRE_COMMIT"))
        }
        env = {**kept, **({"GIT_INDEX_FILE": os.path.join(".git", "index")} if committing else {})}
        pipe = subprocess.PIPE
        try:
            self._child = subprocess.Popen(
                command, cwd=self.root, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
            )
        except OSError as exc:
            raise LastgoodError(f"the gate cannot be started: {exc.strerror}", path=command[0]) from None
        try:
            out, err = self._child.communicate(timeout=_LONGEST)
            code = self._child.returncode
        except subprocess.TimeoutExpired:
            out, err, code = b"", b"", None
        finally:
            self._stop()
        text = out.decode("utf-8", "replace")
        return Ended(code, text, text + err.decode("utf-8", "replace"))

    def _stop(self) -> None:
        """No gate outlives this process."""
        child, self._child = self._child, None
        if child and child.poll() is None:
            child.terminate()
            child.wait()
