"""The catalog: the shipped cases of a prompt, one row each, never rewritten."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

ACTIVE, RETIRED = "active", "retired"


@value(frozen=True)
class Row:
    """One shipped case. A retired row keeps its object in the tree, and says why and what replaced it."""

    case_id: str
    version: int
    case_hash: str
    status: str = ACTIVE
    reason: str = ""
    replaced_by: str = ""

    @property
    def key(self) -> tuple[str, int]:
        return self.case_id, self.version

    @property
    def active(self) -> bool:
        return self.status == ACTIVE


@value(frozen=True)
class Catalog:
    """What one catalog.json says."""

    prompt_id: str
    suite_hash: str
    rows: tuple[Row, ...]


def read_catalog(path: str, data: bytes) -> Catalog:
    """Parse a catalog.json; Malformed with its JSON Pointer otherwise."""
    from lastgood.core import schema
    from lastgood.errors import Malformed

    found = schema.read("catalog", path, data)
    rows = tuple(
        Row(
            row["id"],
            row["version"],
            row["case_hash"],
            row["status"],
            row.get("reason", ""),
            row.get("replaced_by", ""),
        )
        for row in found["cases"]
    )
    seen: set[tuple[str, int]] = set()
    for position, row in enumerate(rows):
        schema.whole(row.version, path, f"/cases/{position}/version")
        if row.key in seen:
            raise Malformed(
                f"lists {row.case_id!r} version {row.version} twice", path=path, pointer=f"/cases/{position}"
            )
        seen.add(row.key)
    return Catalog(found["prompt_id"], found["suite_hash"], rows)


def dump_catalog(catalog: Catalog) -> bytes:
    """The bytes of a catalog.json: rows sorted by id and version, so that the same cases give the same file."""
    from lastgood.core import strict_json

    return strict_json.dump(
        {
            "prompt_id": catalog.prompt_id,
            "suite_hash": catalog.suite_hash,
            "cases": [_row_object(row) for row in sorted(catalog.rows, key=lambda row: row.key)],
        }
    )


def _row_object(row: Row) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": row.case_id,
        "version": row.version,
        "case_hash": row.case_hash,
        "status": row.status,
    }
    if row.reason:
        found["reason"] = row.reason
    if row.replaced_by:
        found["replaced_by"] = row.replaced_by
    return found


def suite_hash(rows: Sequence[Row], order: Iterable[tuple[str, int]]) -> str:
    """Hash of the active rows' case hashes, in `order`: (id, version) by path, then by position in the file."""
    from lastgood.core.digest import joined_hash

    hashes = {row.key: row.case_hash for row in rows if row.active}
    return joined_hash(hashes[key] for key in order if key in hashes)
