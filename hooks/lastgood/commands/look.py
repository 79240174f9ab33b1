"""What a hook looks at: the judged tree, against what the last clean check remembers of it."""

from __future__ import annotations

import os

from lastgood.commands.judged import pushed_ref
from lastgood.commands.survey import Recall, survey
from lastgood.core import scope
from lastgood.core.audit import paths_of
from lastgood.core.config import FILES
from lastgood.core.guard import refusal
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import roots, trees
from lastgood.edge.folder import NAME, run_folder
from lastgood.edge.memory import Memory, pack, recall, remember

if TYPE_CHECKING:
    from lastgood.commands.options import Options
    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited


class Look:
    """The survey of what can have changed, and the sizes of all that stands."""

    def __init__(self, options: Options, root: str) -> None:
        self.root = root
        if not os.path.isdir(root):  # in the tree, and not checked out: git and the stub need a folder to run in
            run_folder(root)
        self._commit = pushed_ref(options.to_ref)
        self._memory = None if options.all or self._commit or _in_ci() else recall(self.root)
        self._listing, self._recall = self._remembered() if self._memory else (b"", None)
        if not self._recall:
            commit = self._commit
            self._listing = trees.commit_listing(self.root, commit) if commit else trees.index_listing(self.root)
        self._inner = self._memory.inner if self._recall and self._memory else roots.inner(self.root, self._listing)
        self.survey = self._survey(self._recall)

    def _remembered(self) -> tuple[bytes, Recall | None]:
        """What the tree holds of what is watched, and what of the memory still holds; None when all is to be read."""
        assert self._memory
        tops = scope.roots(self._memory.config)
        listing = trees.index_listing(self.root, (*tops, NAME) if tops else ())
        if b" U\0" in listing or _brought_along(listing):
            return listing, None
        changed = trees.changed_paths(self._memory.listing, listing)
        if inner := self._memory.inner:
            changed = {path: present for path, present in changed.items() if _concerns(path, inner)}
        wanted = scope.affected(self._memory.config, changed, self._memory.sizes)
        return listing, None if wanted is None else Recall(self._memory, wanted)

    def _survey(self, recalled: Recall | None) -> Survey:
        name = f"commit {self._commit[:12]}" if self._commit else "the index"
        if below := roots.name_of(self.root):
            name += f" below {below}"
        if not recalled or not self._memory:
            return survey(self.root, trees.tree(self.root, name, self._listing, without=self._inner))
        pick = scope.watched(self._memory.config, recalled.scope)
        tree = trees.tree(self.root, name, self._listing, pick=pick, without=self._inner)
        return survey(self.root, tree, self._memory.config, recalled)

    def of(self, chosen: frozenset[str] | None) -> tuple[Survey, list[Audited]]:
        """The survey of at least the prompts of `chosen` (None: of all), and those prompts."""
        found = self.survey
        if self._recall and self._memory:
            wanted = frozenset(self.sizes()) if chosen is None else chosen
            if wanted != self._recall.scope:
                found = self._survey(Recall(self._memory, wanted | self._recall.scope))
        return found, [audited for prompt_id, audited in found.prompts.items() if chosen is None or prompt_id in chosen]

    def sizes(self) -> dict[str, tuple[int, int]]:
        """Prompt id → (active cases, whole baselines)."""
        found = dict(self._memory.sizes) if self._memory and self._recall else {}
        for prompt_id, audited in self.survey.prompts.items():
            found[prompt_id] = len(audited.suite.active), sum(chain.tip is not None for chain in audited.chains)
        return found

    def keep(self) -> None:
        """Remember this tree as clean. Call it only when nothing at all was found."""
        if self._commit or _in_ci() or _brought_along(self._listing):
            return
        found, recalled = self.survey, self._memory if self._recall else None
        if recalled and recalled.listing == self._listing:
            return
        packed = dict(recalled.packed) if recalled else {}
        for prompt_id, audited in found.prompts.items():
            paths = paths_of(found.layout, audited.prompt)
            facts = {path: (" ".join(found.tree.entries[path]), found.facts[path]) for path in paths}
            packed[prompt_id] = pack(facts, found.fingerprints[prompt_id])
        tops = scope.roots(found.config)
        listing = trees.restricted(self._listing, lambda path: scope.is_below(path, tops) or _configures(path))
        remember(self.root, Memory(listing, found.config, self.sizes(), packed, self._inner))


def _configures(path: str) -> bool:
    return path.endswith(_CONFIGURATIONS)


def _concerns(path: str, inner: tuple[str, ...]) -> bool:
    """Whether a change is this root's business: not what lies in a root within it, but where one begins or ends."""
    return _configures(path) or not path.startswith(inner)


_CONFIGURATIONS = tuple(f"/{name}" for name in FILES)


# A memory is only as good as who wrote it: not one that a commit brought along, nor one left in a CI workspace.


def _brought_along(listing: bytes) -> bool:
    name = b"\0" + NAME.encode("ascii")
    return name + b"/" in listing or name + b"\0" in listing


def _in_ci() -> bool:
    return bool(refusal({**os.environ, "PRE_COMMIT": "", "GIT_INDEX_FILE": ""}))
