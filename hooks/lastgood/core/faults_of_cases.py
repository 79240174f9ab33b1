"""Faults of golden cases and their catalogs."""

from __future__ import annotations

from lastgood.core.catalog import ACTIVE, RETIRED
from lastgood.core.digest import joined_hash, value_hash
from lastgood.core.fault import NO_GUARDED, Fault, Ground, Guarded, Injected, json_file
from lastgood.core.layout import CATALOG, SCHEMAS, golden_folder
from lastgood.core.strict_json import resolve
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP

if TYPE_CHECKING:
    from typing import Any

    from lastgood.core.case import Case

_OTHER = "0" * 16  # a hash of nothing


def _edited(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({one.cases[0].path: _with_note(ground, one.cases[0])})
    return NO_GUARDED


def _misspelt(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        first = one.cases[0]
        found = ground.json_of(first.path)
        resolve(found, first.pointer).setdefault("expect", {})["requierd_keys"] = ["status"]
        return Injected({first.path: json_file(found)})
    return NO_GUARDED


def _dropped(ground: Ground) -> Injected | str:
    found = _of_form(ground, suite=True)
    return "no suite file with two active cases" if found is None else Injected(_without(ground, found[1]))


def _deleted(ground: Ground) -> Injected | str:
    found = _of_form(ground, suite=False)
    return "no case in a file of its own, beside another" if found is None else Injected({found[1].path: None})


def _doubled_key(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path = one.cases[0].path
        return Injected({path: ground.bytes_of(path).replace(b"{", b'{"prompt_id": "another",', 1)})
    return NO_GUARDED


def _markers(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path = one.cases[0].path
        data = ground.bytes_of(path)
        return Injected({path: b"<<<<<<< ours\n" + data + b"=======\n" + data + b">>>>>>> theirs\n"})
    return NO_GUARDED


def _schema_gone(ground: Ground) -> Injected | str:
    named = [case.output_schema for one in ground.guarded for case in one.cases if case.output_schema]
    return Injected({f"{SCHEMAS}{named[0]}.json": None}) if named else "no case names an output schema"


def _row_dropped(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path, found = _catalog(ground, one)
        found["cases"].remove(_row(found, one.cases[0]))
        return Injected({path: json_file(found)})
    return NO_GUARDED


def _row_rewritten(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path, found = _catalog(ground, one)
        _row(found, one.cases[0])["case_hash"] = _OTHER
        return Injected({path: json_file(found)})
    return NO_GUARDED


def _suite_hash(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path, found = _catalog(ground, one)
        return Injected({path: json_file({**found, "suite_hash": _OTHER})})
    return NO_GUARDED


def _no_catalog(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({_catalog(ground, one)[0]: None})
    return NO_GUARDED


def _all_retired(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path, found = _catalog(ground, one)
        for row in found["cases"]:
            if row["status"] == ACTIVE:
                row |= {"status": RETIRED, "reason": "lastgood prove"}
        return Injected({path: json_file({**found, "suite_hash": joined_hash([])})})
    return NO_GUARDED


def _forged(ground: Ground) -> Injected | str:
    """Coherent in itself: only what others have seen tells."""
    for one in ground.guarded:
        first = one.cases[0]
        path, found = _catalog(ground, one)
        hashes = [case.case_hash for case in one.cases]
        hashes[0] = _row(found, first)["case_hash"] = value_hash({**first.source, "notes": _NOTE})
        found["suite_hash"] = joined_hash(hashes)
        return Injected({path: json_file(found), first.path: _with_note(ground, first)})
    return NO_GUARDED


def _forgotten(ground: Ground) -> Injected | str:
    """Object and row gone: only what others have seen tells."""
    picked = _of_form(ground, suite=True) or _of_form(ground, suite=False)
    if picked is None:
        return "no prompt with two active cases"
    one, first = picked
    path, found = _catalog(ground, one)
    found["cases"].remove(_row(found, first))
    found["suite_hash"] = joined_hash(case.case_hash for case in one.cases if case is not first)
    return Injected({**_without(ground, first), path: json_file(found)})


_NOTE = "edited in place by lastgood prove"


def _with_note(ground: Ground, case: Case) -> bytes:
    found = ground.json_of(case.path)
    resolve(found, case.pointer)["notes"] = _NOTE
    return json_file(found)


def _of_form(ground: Ground, *, suite: bool) -> tuple[Guarded, Case] | None:
    """A case that can go, and leave its prompt (and its suite file) another."""
    for one in ground.guarded:
        for case in one.cases if len(one.cases) > 1 else ():
            others = sum(other.path == case.path for other in one.cases)
            if bool(case.pointer) is suite and (others > 1 or not suite):
                return one, case
    return None


def _without(ground: Ground, case: Case) -> dict[str, bytes | None]:
    if not case.pointer:
        return {case.path: None}
    found = ground.json_of(case.path)
    found["cases"].remove(resolve(found, case.pointer))
    return {case.path: json_file(found)}


def _catalog(ground: Ground, one: Guarded) -> tuple[str, Any]:
    path = golden_folder(one.prompt_id) + CATALOG
    return path, ground.json_of(path)


def _row(catalog: Any, case: Case) -> Any:
    return next(row for row in catalog["cases"] if (row["id"], row["version"]) == case.key)


FAULTS = (
    Fault("golden case edited in place", OUT_OF_STEP, "case-edited", _edited),
    Fault("assertion misspelt", CANNOT_TELL, "malformed", _misspelt),
    Fault("case dropped from its suite", OUT_OF_STEP, "case-lost", _dropped),
    Fault("case file deleted", OUT_OF_STEP, "case-lost", _deleted),
    Fault("duplicate key in a case", CANNOT_TELL, "malformed", _doubled_key),
    Fault("conflict markers in a case", CANNOT_TELL, "malformed", _markers),
    Fault("output schema deleted", CANNOT_TELL, "schema-missing", _schema_gone),
    Fault("catalog row dropped", OUT_OF_STEP, "case-unshipped", _row_dropped),
    Fault("catalog row rewritten", OUT_OF_STEP, "case-edited", _row_rewritten),
    Fault("suite_hash of a catalog edited", OUT_OF_STEP, "catalog-edited", _suite_hash),
    Fault("catalog deleted", OUT_OF_STEP, "no-catalog", _no_catalog),
    Fault("every case retired", CANNOT_TELL, "empty-suite", _all_retired),
    Fault("shipped case and its row rewritten together", OUT_OF_STEP, "row-rewritten", _forged),
    Fault("shipped case and its row dropped together", OUT_OF_STEP, "row-dropped", _forgotten),
)
