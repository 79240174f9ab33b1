"""Where imported cases go, beside what is there: nothing that is there is overwritten."""

from __future__ import annotations

from lastgood.core import facts as facts_of
from lastgood.core import strict_json
from lastgood.core.catalog import Catalog, dump_catalog
from lastgood.core.digest import value_hash
from lastgood.core.importing.drafts import Loss
from lastgood.core.layout import CATALOG, SCHEMAS, golden_folder
from lastgood.core.names import folded
from lastgood.core.shipping import ship
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lastgood.core.facts import CaseFact
    from lastgood.core.importing.drafts import Draft, Imported
    from lastgood.core.importing.native import Copy


@value(frozen=True)
class There:
    """What a repository holds: the prompt's cases as (path, case), its catalog, and the bytes at any path or None."""

    prompt_id: str
    cases: tuple[tuple[str, CaseFact], ...]
    catalog: Catalog | None
    shared: Mapping[tuple[str, int], str]
    at: Callable[[str], bytes | None]


@value(frozen=True)
class Placed:
    """What one prompt gets: files to write, cases that stand already, the new ones by id, and what was left out."""

    prompt_id: str
    files: Mapping[str, bytes]
    fresh: tuple[str, ...]
    standing: tuple[str, ...]
    losses: tuple[Loss, ...]


class _Place:
    def __init__(self, there: There) -> None:
        self._there = there
        self.files: dict[str, bytes] = {}
        self.fresh: list[str] = []
        self.standing: list[str] = []
        self._here = {case.case_id: (path, case) for path, case in there.cases}
        self._keys = {case.key: (path, case.case_hash) for path, case in there.cases}
        self._folded = {folded(case.case_id): case.case_id for _, case in there.cases}

    def why_not(self, case_id: str, version: int, case_hash: str) -> str:
        """Why a case cannot be added; "" when it can, or stands there already."""
        key = (case_id, version)
        if key in self._keys:
            path, hash_there = self._keys[key]
            return "" if hash_there == case_hash else f"{path} holds a case of that name which says otherwise: it stays"
        if case_id in self._here:
            path, other = self._here[case_id]
            return f"{path} holds version {other.version} of it: a new version is made by `lastgood catalog bump`"
        clash = self._folded.get(folded(case_id), case_id)
        return f"{clash!r} would be the same file on some disks" if clash != case_id else ""

    def stands(self, case_id: str, version: int, case_hash: str) -> bool:
        return self._keys.get((case_id, version), ("", ""))[1] == case_hash

    def add(self, path: str, data: bytes, cases: Sequence[tuple[str, int, str]]) -> None:
        self.files[path] = data
        for case_id, version, case_hash in cases:
            self._keys[case_id, version] = path, case_hash
            self._folded[folded(case_id)] = case_id
            self.fresh.append(case_id)

    def has(self, key: tuple[str, int]) -> bool:
        return key in self._keys

    def barred(self, path: str, data: bytes) -> str:
        """Why nothing can be written there, or "" when it is free."""
        held = self.files.get(path, self._there.at(path))
        return "" if held is None or held == data else f"{path} is there already and holds something else: it stays"


def place(there: There, imported: Imported) -> Placed:
    """Each case in a file of its own, the schemas that they name, and the catalog with a row for each."""
    placing, losses = _Place(there), list(imported.losses)
    for draft in imported.drafts:
        why = _one(placing, there, draft, imported.schemas)
        if why:
            losses.append(Loss(draft.path, draft.pointer, f"case {draft.case_id}", why))
    return _done(placing, there, losses, there.catalog)


def _one(placing: _Place, there: There, draft: Draft, schemas: Mapping[str, object]) -> str:
    case_hash = value_hash(draft.case)
    key = (draft.case_id, 1, case_hash)
    why = placing.why_not(*key)
    if why or placing.stands(*key):
        if not why:
            placing.standing.append(draft.case_id)
        return why
    path, data = f"{golden_folder(there.prompt_id)}{draft.case_id}.json", strict_json.dump(draft.case)
    needed = {}
    name = draft.case.get("expect", {}).get("output_schema")
    if name:
        needed[f"{SCHEMAS}{name}.json"] = strict_json.dump(schemas[name])
    for target, text in {path: data, **needed}.items():
        why = placing.barred(target, text)
        if why:
            return why
    placing.files |= {target: text for target, text in needed.items() if there.at(target) is None}
    placing.add(path, data, [key])
    return ""


def place_copies(there: There, copies: Sequence[Copy], catalog: Catalog | None, losses: Sequence[Loss]) -> Placed:
    """Files of golden cases, byte for byte; `catalog` is the one that came with them.

    It is kept where the prompt has none yet and all its cases came along; without it one version of each case is.
    """
    kept = None if there.catalog else catalog
    placing, lost = _Place(there), list(losses)
    shipped = {row.key for row in kept.rows} if kept else set()
    newest: dict[str, int] = {}
    for case in (case for copy in copies for case in copy.golden.cases):
        newest[case.id] = max(case.version, newest.get(case.id, 0))
    for copy in copies:
        keys = [(case.id, case.version, case.case_hash) for case in copy.golden.cases]
        if all(placing.stands(*key) for key in keys):
            placing.standing += [case_id for case_id, _, _ in keys]
            continue
        older = [key for key in keys if key[1] < newest[key[0]] and key[:2] not in shipped]
        reasons = [
            (key[0], f"version {newest[key[0]]} came too, and no catalog says that this is retired") for key in older
        ]
        reasons += [(key[0], placing.why_not(*key)) for key in keys]
        reasons += [
            (key[0], "stands in another file here, and this one holds more") for key in keys if placing.stands(*key)
        ]
        case_id, why = next(((case_id, why) for case_id, why in reasons if why), ("", ""))
        why = f"case {case_id}: {why}" if why else placing.barred(copy.target, copy.data)
        if why:
            lost.append(Loss(copy.source, "", copy.source.rpartition("/")[2], why))
        else:
            placing.add(copy.target, copy.data, keys)
    if not all(map(placing.has, shipped)):
        return place_copies(there, copies, None, losses)
    return _done(placing, there, lost, there.catalog or kept)


def _done(placing: _Place, there: There, losses: list[Loss], catalog: Catalog | None) -> Placed:
    files = dict(placing.files)
    if placing.fresh:
        path = golden_folder(there.prompt_id) + CATALOG
        files[path] = dump_catalog(_shipped(placing, there, catalog))
    return Placed(there.prompt_id, files, tuple(placing.fresh), tuple(placing.standing), tuple(losses))


def _shipped(placing: _Place, there: There, catalog: Catalog | None) -> Catalog:
    """The catalog with the new cases; what stood there and never shipped stays so."""
    rows = {row.key for row in catalog.rows} if catalog else set()
    cases = [(path, case) for path, case in there.cases if case.key in rows]
    for path, data in placing.files.items():
        if path.startswith(golden_folder(there.prompt_id)):
            fact = facts_of.read(facts_of.of_path(path), path, data)
            if not isinstance(fact, facts_of.GoldenFact):
                raise Refused(f"would not be readable: {fact.message}", path=path)
            cases += [(path, case) for case in fact.cases]
    in_order = [case for _, case in sorted(cases, key=lambda row: row[0])]
    return ship(there.prompt_id, catalog, in_order, there.shared, "")
