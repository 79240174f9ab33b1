"""What the last clean check learnt, so that the next one reads only what changed since.

It remembers one listing of a tree in which nothing at all was wrong, and the facts of its files by path and oid. A file
is known by the oid git gives it, so what is remembered can be old but never wrong. It is a cache: `check --all` and a
fresh clone do without.
"""

from __future__ import annotations

import marshal
import os
import sys

from lastgood import __version__
from lastgood.core import baseline, catalog, config, facts, migration
from lastgood.core.value import TYPE_CHECKING, fields_of, value
from lastgood.edge.folder import NAME, replace_file, run_folder
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_FILE = "check.cache"
_KEY = (facts.FORMAT, __version__, sys.version_info[:3])
_KINDS: tuple[type, ...] = (
    facts.Bad,
    facts.Content,
    facts.CaseFact,
    facts.GoldenFact,
    facts.SchemaFact,
    facts.HeadFact,
    catalog.Catalog,
    catalog.Row,
    baseline.Baseline,
    migration.Migration,
    migration.Pin,
    config.Config,
    config.Completer,
    config.DeclaredPrompt,
)
_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}


@value(frozen=True)
class Known:
    """What is remembered of one prompt: facts by path (mode and oid, fact), and the identity of every completer."""

    facts: dict[str, tuple[str, Any]]
    fingerprints: dict[str, str]


class Memory:
    """One clean check. `sizes`: prompt id → (cases, baselines); `known` reads one prompt's facts when asked.

    `inner`: the roots within this one.
    """

    def __init__(
        self,
        listing: bytes,
        config: config.Config,
        sizes: dict[str, tuple[int, int]],
        packed: dict[str, bytes],
        inner: tuple[str, ...] = (),
    ) -> None:
        self.listing = listing
        self.config = config
        self.sizes = sizes
        self.packed = packed
        self.inner = inner

    def known(self, prompt_id: str) -> Known | None:
        """What is remembered of a prompt; None when nothing is."""
        if prompt_id not in self.packed:
            return None
        try:
            found, prints = marshal.loads(self.packed[prompt_id])  # noqa: S302  # our own, see `recall`
            return Known({path: (oid, _unpacked(fact)) for path, (oid, fact) in found.items()}, prints)
        except (EOFError, ValueError, TypeError, AttributeError, LookupError, SystemError):  # a disk's fault, not ours
            return None


def pack(facts: Mapping[str, tuple[str, Any]], fingerprints: Mapping[str, str]) -> bytes:
    """One prompt's facts and fingerprints as bytes."""
    return marshal.dumps(({path: (oid, _packed(fact)) for path, (oid, fact) in facts.items()}, dict(fingerprints)))


def _packed(found: Any) -> Any:
    number = _NUMBERS.get(type(found))
    if number is not None:
        return (number, tuple(map(_packed, fields_of(found))))
    return (-1, tuple(map(_packed, found))) if isinstance(found, tuple) else found


def _unpacked(found: Any) -> Any:
    if not isinstance(found, tuple):
        return found
    number, parts = found
    items = tuple(map(_unpacked, parts))
    return items if number < 0 else _KINDS[number](*items)


def recall(root: str) -> Memory | None:
    """The last clean check of this lastgood; None when there is none, or it cannot be read.

    Callers ask only where the file can have come from nobody but this machine's own lastgood.
    """
    if os.path.islink(os.path.join(root, NAME)):
        return None
    try:
        with open(os.path.join(root, NAME, _FILE), "rb") as file:
            key, listing, packed_config, sizes, packed, inner = marshal.loads(file.read())  # noqa: S302  # see above
        return Memory(listing, _unpacked(packed_config), sizes, packed, inner) if key == _KEY else None
    except (OSError, EOFError, ValueError, TypeError):
        return None


def remember(root: str, memory: Memory) -> None:
    """Keep a clean check. A run folder that cannot be written costs time at the next check, nothing else."""
    found = (_KEY, memory.listing, _packed(memory.config), memory.sizes, memory.packed, memory.inner)
    try:
        replace_file(os.path.join(run_folder(root), _FILE), marshal.dumps(found), durable=False)
    except (OSError, LastgoodError):
        return
