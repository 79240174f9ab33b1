"""What `lastgood prove` breaks on purpose: a fault is a name, an edit of a tree, and the verdict it has to give."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.part import BODY
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lastgood.core.audit import Audited
    from lastgood.core.case import Case
    from lastgood.core.chain_audit import Chain
    from lastgood.core.config import Config
    from lastgood.core.layout import Layout
    from lastgood.core.migration import Migration
    from lastgood.core.tree import Tree


@value(frozen=True)
class Guarded:
    """A prompt with active cases and a whole baseline: what is worth breaking."""

    audited: Audited
    chain: Chain
    tip: Migration
    cases: tuple[Case, ...]  # the active ones, in suite order

    @property
    def prompt_id(self) -> str:
        return self.audited.prompt.prompt_id


@value(frozen=True)
class Ground:
    """The tree that is broken, and what was found out about it. `completer`: whose baselines are meant."""

    tree: Tree
    config: Config
    layout: Layout
    completer: str
    guarded: tuple[Guarded, ...]
    schemas: Mapping[str, Any]

    def bytes_of(self, path: str) -> bytes:
        """What the tree holds at a path."""
        return self.tree.read([path])[path]

    def json_of(self, path: str) -> Any:
        """A fresh copy of the JSON value at a path."""
        return strict_json.loads(self.bytes_of(path))


@value(frozen=True)
class Injected:
    """An edit of a tree, staged unless said otherwise.

    `files`: path → bytes, None for a file that is gone. `links`: path → where a symbolic link there leads.
    `left_out`: gone from the index, still on disk. `unmerged`: in conflict. `expect`: (verdict, finding) where this
    tree gives others than the fault's own.
    """

    files: Mapping[str, bytes | None]
    links: Mapping[str, str] = {}  # the record is frozen, and so is what it was given
    left_out: tuple[str, ...] = ()
    unmerged: tuple[str, ...] = ()
    expect: tuple[int, str] | None = None


@value(frozen=True)
class Fault:
    """One way to be wrong. `finding`: the code that must be among the findings; `says`: else a text that is printed.

    `inject` gives the edit, or the reason why this tree cannot have the fault.
    """

    name: str
    verdict: int
    finding: str
    inject: Callable[[Ground], Injected | str]
    says: str = ""


def editable(ground: Ground) -> tuple[Guarded, str] | None:
    """A prompt, and a file of it at whose end the prompt can be edited."""
    parts = ground.layout.parts
    rows = ((one, path) for one in ground.guarded for path in one.audited.prompt.files)
    return next((row for row in rows if parts.get(row[1], BODY) == BODY), None)


NO_EDITABLE = "no prompt here goes to the end of its file, and has cases and a baseline"
NO_GUARDED = "no prompt here has cases and a baseline"


def json_file(found: Any) -> bytes:
    """A JSON value as lastgood's own files hold it."""
    return strict_json.dump(found)
