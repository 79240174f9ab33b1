"""Migrations: the append-only chain that moved a baseline from one pin to the next."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_PIN = ("prompt_sha256", "suite_hash", "completer", "baseline_hash")
_SLUG_LENGTH = 48
_BLANK = "\u115f\u1160\u3164\uffa0"  # letters by their class, and nothing to see


@value(frozen=True)
class Pin:
    """What a baseline was taken of, and the hash of what was taken."""

    prompt_sha256: str
    suite_hash: str
    completer: str
    baseline_hash: str

    def declared(self) -> dict[str, str]:
        """The pin as a migration holds it."""
        return {name: getattr(self, name) for name in _PIN}


@value(frozen=True)
class Migration:
    """One step of a chain, without its moves: what the audit needs of it. `source` is None on the first."""

    number: int
    slug: str
    hash: str
    parents: tuple[str, ...]
    prompt_id: str
    completer: str
    source: Pin | None
    target: Pin
    reason: str
    path: str
    models: tuple[str, ...] = ()  # what the answers said had made them

    @property
    def name(self) -> str:
        return migration_name(self.number, self.slug)

    @property
    def head_line(self) -> str:
        return f"{self.name} {self.hash}"


def migration_name(number: int, slug: str) -> str:
    """File name without suffix: `0002_shorter-refusals`."""
    return f"{number:04d}_{slug}"


def slugify(reason: str) -> str:
    """A file-name-safe short form of a reason; `moved` when nothing of it is usable."""
    words = "".join(char if char.isascii() and char.isalnum() else " " for char in reason.lower()).split()
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:_SLUG_LENGTH]
        if len(longer) > _SLUG_LENGTH:
            break
        slug = longer
    return slug or "moved"


def visible_reason(text: str) -> str:
    """A reason on one line; "" when nobody could read a word in it: dots, dashes, the `…` of a printed command."""
    words = " ".join(text.split())
    return words if any(char.isalnum() and char not in _BLANK for char in words) else ""


def read_migration(path: str, data: bytes) -> Migration:
    """Parse a migration file; Malformed with its JSON Pointer otherwise."""
    from lastgood.core import schema

    found = schema.read("migration", path, data)
    schema.whole(found["migration"], path, "/migration")
    return of_object(path, found)


def of_object(path: str, found: Mapping[str, Any]) -> Migration:
    """The migration that a parsed (and valid) object holds."""
    from lastgood.core.digest import value_hash

    def pin(declared: Mapping[str, str]) -> Pin:
        return Pin(*(declared[name] for name in _PIN))

    return Migration(
        number=found["migration"],
        slug=found["slug"],
        hash=value_hash(found),
        parents=tuple(found["parents"]),
        prompt_id=found["prompt_id"],
        completer=found["completer"],
        source=pin(found["from"]) if found["from"] else None,
        target=pin(found["to"]),
        reason=visible_reason(found["reason"]),
        path=path,
        models=tuple(found.get("models", ())),
    )


def heads(migrations: Iterable[Migration]) -> list[Migration]:
    """The migrations that no other has as a parent, oldest first; one, in a chain that is whole."""
    found = sorted(migrations, key=lambda migration: (migration.number, migration.name))
    parents = {parent for migration in found for parent in migration.parents}
    return [migration for migration in found if migration.hash not in parents]
