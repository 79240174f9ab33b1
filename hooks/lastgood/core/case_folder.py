"""A folder of golden cases outside any tree: what is asked of it, and whether that is what was shipped."""

from __future__ import annotations

from lastgood.core.case import read_golden
from lastgood.core.catalog import read_catalog
from lastgood.core.layout import CATALOG
from lastgood.core.names import colliding
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import OUT_OF_STEP, Finding
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lastgood.core.case import Case
    from lastgood.core.catalog import Catalog


@value(frozen=True)
class CaseFolder:
    """The active cases of a folder in suite order, the ids that are only retired, and where the catalog disagrees."""

    cases: tuple[Case, ...]
    retired: frozenset[str]
    findings: tuple[Finding, ...]

    @property
    def prompt_id(self) -> str:
        """The prompt of all its cases, "" when they are of several."""
        ids = {case.prompt_id for case in self.cases}
        return ids.pop() if len(ids) == 1 else ""


def read_case_folder(folder: str, files: Mapping[str, bytes]) -> CaseFolder:
    """The golden cases in `files` (path → bytes): case form and suite form, by path, then by position.

    A catalog among them says which are retired; without one all are active. Malformed when a file is, or when two
    active cases share an id; LastgoodError when no case is active: nothing would be checked.
    """
    catalog: tuple[Catalog, str] | None = None
    cases: list[Case] = []
    for path in sorted(files):
        if path.rpartition("/")[2] == CATALOG:
            catalog = read_catalog(path, files[path]), path
        else:
            cases += read_golden(path, files[path]).cases
    gone = {row.key for row in catalog[0].rows if not row.active} if catalog else set()
    active = tuple(case for case in cases if case.key not in gone)
    _refuse_doubles(cases, active)
    if not active:
        why = "every case here is retired" if cases else "holds no golden case (*.json; folders below are not read)"
        raise LastgoodError(f"{why}: nothing would be graded", path=folder, fix="--cases golden/PROMPT_ID")
    retired = {case_id for case_id, _ in gone} - {case.id for case in active}
    return CaseFolder(active, frozenset(retired), tuple(_edited(*catalog, cases)) if catalog else ())


def _refuse_doubles(cases: Sequence[Case], active: Sequence[Case]) -> None:
    seen: dict[tuple[str, int], Case] = {}
    asked: dict[str, Case] = {}
    for case in cases:
        if case.key in seen:
            what = f"case {case.id!r} version {case.version} is also in {seen[case.key].path}"
            raise Malformed(what, path=case.path, pointer=case.pointer)
        seen[case.key] = case
    for case in active:
        if case.id in asked:
            what = f"case {case.id!r} is active twice, also in {asked[case.id].path}, and a trace names no version"
            fix = f"lastgood catalog retire {case.id} --case-version {asked[case.id].version} --reason '…'"
            raise Malformed(what, path=case.path, pointer=case.pointer, fix=fix)
        asked[case.id] = case
    for left, right in colliding(case.id for case in cases):
        case = next(case for case in cases if case.id == right)
        raise Malformed(f"{right!r} and {left!r} are one file name on some systems", path=case.path)


def _edited(catalog: Catalog, path: str, cases: Sequence[Case]) -> Iterator[Finding]:
    by_key = {case.key: case for case in cases}
    for row in catalog.rows:
        case, name = by_key.get(row.key), f"case {row.case_id!r} version {row.version}"
        if case is None:
            yield Finding("case-lost", OUT_OF_STEP, path, f"{name} is shipped, but its object is not in this folder")
        elif case.case_hash != row.case_hash:
            hashes = f"case_hash {row.case_hash} → {case.case_hash}"
            fix = (f"lastgood catalog bump {row.case_id} --reason '…'  # your edit becomes a new version",)
            message = f"{name} was edited in place after it shipped ({hashes})"
            yield Finding("case-edited", OUT_OF_STEP, case.path, message, case.pointer, fix=fix)
