"""Golden-case migrations: rows are added or retired, never rewritten or dropped, once others share them."""

from __future__ import annotations

from lastgood.core.catalog import RETIRED, Catalog, Row, suite_hash
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lastgood.core.facts import CaseFact


def ship(
    prompt_id: str,
    catalog: Catalog | None,
    cases: Sequence[CaseFact],
    shared: Mapping[tuple[str, int], str],
    reason: str,
) -> Catalog:
    """The catalog with a row for every case of `cases` (in suite order).

    `shared` holds the rows (key → case hash) that others have: those never change. An older active version of a case
    that gets a newer one is retired, for `reason`.
    """
    found = {case.key: case for case in cases}
    rows = [_kept(row, found, shared, prompt_id) for row in (catalog.rows if catalog else ())]
    by_key = {row.key: row for row in rows if row}
    for case in cases:
        by_key.setdefault(case.key, Row(case.case_id, case.version, case.case_hash))
    newest = {row.case_id: row.version for row in sorted(by_key.values(), key=lambda row: row.version) if row.active}
    for key, row in by_key.items():
        if row.active and row.version < newest[row.case_id]:
            _need_reason(reason, f"{row.case_id!r} version {row.version} is retired by version {newest[row.case_id]}")
            by_key[key] = replace(row, status=RETIRED, reason=reason, replaced_by=row.case_id)
    return _catalog(prompt_id, list(by_key.values()), cases)


def _kept(
    row: Row, found: Mapping[tuple[str, int], CaseFact], shared: Mapping[tuple[str, int], str], prompt_id: str
) -> Row | None:
    case = found.get(row.key)
    if case and case.case_hash == row.case_hash:
        return row
    if shared.get(row.key) == row.case_hash:
        what = "was edited in place" if case else "is not in the tree any more"
        raise Refused(
            f"case {row.case_id!r} version {row.version} has shipped and {what}; a changed contract is a new version",
            path=f"golden/{prompt_id}/",
            fix=_mend(row, prompt_id),
        )
    return replace(row, case_hash=case.case_hash) if case else None


def _mend(row: Row, prompt_id: str) -> str:
    which = f"{quoted(row.case_id)} -p {quoted(prompt_id)}"
    if row.active:
        return f"lastgood catalog bump {which} --reason '…'"
    return f"lastgood catalog restore {which} --case-version {row.version}"  # nothing follows what is retired


def retire(catalog: Catalog, row: Row, cases: Sequence[CaseFact], reason: str, replaced_by: str) -> Catalog:
    """The catalog with one row retired."""
    _need_reason(reason, f"{row.case_id!r} version {row.version} is retired")
    if not row.active:
        raise Refused(f"case {row.case_id!r} version {row.version} is retired already")
    retired = replace(row, status=RETIRED, reason=reason, replaced_by=replaced_by)
    rows = [retired if other.key == row.key else other for other in catalog.rows]
    return _catalog(catalog.prompt_id, rows, cases)


def _need_reason(reason: str, what: str) -> None:
    if not reason:
        raise Refused(f"{what}, and that needs a reason", fix="add --reason 'why the contract changed'")


def _catalog(prompt_id: str, rows: Sequence[Row], cases: Sequence[CaseFact]) -> Catalog:
    return Catalog(prompt_id, suite_hash(rows, (case.key for case in cases)), tuple(rows))
