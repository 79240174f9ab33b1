"""Going through moves one by one: what was decided, and where to go next. No screen, no keyboard, no file."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, replace, value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    Key: TypeAlias = tuple[str, str]  # prompt id, case id

ACCEPT, REJECT, SKIP = "accept", "reject", "skip"
DECISIONS = {"a": ACCEPT, "r": REJECT, "s": SKIP}


@value(frozen=True)
class Item:
    """One case to be decided. `kinds` is how it moved, `acceptable` False where it fails."""

    key: Key
    kinds: frozenset[str]
    acceptable: bool

    def like(self, other: Item) -> bool:
        """Whether it moved the same way, and is as acceptable."""
        return (self.kinds, self.acceptable) == (other.kinds, other.acceptable)


@value(frozen=True)
class Walk:
    """Where a person is. `at` is an item's place, or how many there are: the end; `seen` were decided on this walk."""

    items: tuple[Item, ...]
    decisions: Mapping[Key, str]
    at: int
    seen: frozenset[Key]

    @property
    def ended(self) -> bool:
        return self.at >= len(self.items)

    @property
    def here(self) -> Item:
        return self.items[self.at]

    def count(self, decision: str) -> int:
        """How many items were decided so."""
        return sum(self.decisions.get(item.key) == decision for item in self.items)


def kinds_of(moves: Sequence[str], marks: Sequence[str]) -> frozenset[str]:
    """How a case moved, for finding others that moved so: sizes apart, marks included."""
    return frozenset("length" if move.startswith("length ") else move for move in (*moves, *marks))


def begin(items: Sequence[Item], decisions: Mapping[Key, str]) -> Walk:
    """A walk that starts at the first item that is not accepted; what is accepted already is not asked again."""
    known = {item.key: decisions[item.key] for item in items if decisions.get(item.key) in (ACCEPT, REJECT)}
    accepted = frozenset(key for key, decision in known.items() if decision == ACCEPT)
    walk = Walk(tuple(items), known, -1, accepted)
    return _onward(walk)


def decide(walk: Walk, decision: str) -> Walk:
    """The item here is decided, and the next one is shown. A failing one cannot be accepted: nothing happens."""
    if decision == ACCEPT and not walk.here.acceptable:
        return walk
    return _onward(_with(walk, [walk.here], decision))


def accept_alike(walk: Walk) -> Walk:
    """The item here is accepted, and every undecided one that moved the same way."""
    if not walk.here.acceptable:
        return walk
    return _onward(_with(walk, [walk.here, *alike(walk)], ACCEPT))


def alike(walk: Walk) -> list[Item]:
    """Other items that moved as the one here did, and that nobody has decided: a no of an earlier walk stays one."""
    here = walk.here
    undecided = (item for item in walk.items if item.key not in walk.seen and item.key not in walk.decisions)
    return [item for item in undecided if item.key != here.key and item.like(here)]


def back(walk: Walk) -> Walk:
    """To the item before this one, decided or not."""
    return replace(walk, at=max(walk.at - 1, 0))


def _with(walk: Walk, items: Sequence[Item], decision: str) -> Walk:
    keys = [item.key for item in items]
    decisions = {**walk.decisions, **dict.fromkeys(keys, decision)}
    return replace(walk, decisions=decisions, seen=walk.seen | set(keys))


def _onward(walk: Walk) -> Walk:
    """At the next item that was not decided on this walk: below, else from the top, else at the end."""
    open_items = [at for at, item in enumerate(walk.items) if item.key not in walk.seen]
    after = [at for at in open_items if at > walk.at]
    return replace(walk, at=(after or open_items or [len(walk.items)])[0])
