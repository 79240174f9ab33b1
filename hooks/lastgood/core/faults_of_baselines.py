"""Faults of accepted completions and of the chain that accepted them."""

from __future__ import annotations

from lastgood.core.digest import value_hash
from lastgood.core.fault import NO_EDITABLE, NO_GUARDED, Fault, Ground, Guarded, Injected, editable, json_file
from lastgood.core.layout import HEAD, MIGRATIONS, baseline_folder
from lastgood.core.migration import migration_name
from lastgood.core.prompt import file_sha256, prompt_sha256
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import OUT_OF_STEP

if TYPE_CHECKING:
    from typing import Any


def _edited(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        path = _baseline(ground, one)
        found = ground.json_of(path)
        found["text" if "text" in found else "final_text"].append("edited by hand")
        return Injected({path: json_file(found)})
    return NO_GUARDED


def _deleted(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({_baseline(ground, one): None})
    return NO_GUARDED


def _all_gone(ground: Ground) -> Injected | str:
    if ground.completer not in ground.config.require:
        return f"no baseline of {ground.completer or 'any completer'} is required"
    for one in ground.guarded:
        return Injected(dict.fromkeys(ground.layout.baselines[ground.completer, one.prompt_id]))
    return NO_GUARDED


def _migration_edited(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        found = ground.json_of(one.tip.path)
        return Injected({one.tip.path: json_file({**found, "reason": f"{found['reason']}, or so"})})
    return NO_GUARDED


def _migration_deleted(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        left = {0: "no-migration", 1: "head-mismatch"}.get(len(one.tip.parents), "two-heads")
        return Injected({one.tip.path: None}, expect=(OUT_OF_STEP, left))
    return NO_GUARDED


def _second_head(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        other = {**ground.json_of(one.tip.path), "slug": "second-head-of-lastgood-prove"}
        name = migration_name(one.tip.number, other["slug"])
        return Injected({f"{_folder(ground, one)}{MIGRATIONS}/{name}.json": json_file(other)})
    return NO_GUARDED


def _head_edited(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({_folder(ground, one) + HEAD: f"{one.tip.name} {'0' * 16}\n".encode()})
    return NO_GUARDED


def _head_deleted(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected({_folder(ground, one) + HEAD: None})
    return NO_GUARDED


def _no_reason(ground: Ground) -> Injected | str:
    for one in ground.guarded:
        return Injected(rewritten(ground, one, {"reason": ""}))
    return NO_GUARDED


def _forged(ground: Ground) -> Injected | str:
    """The prompt edited, and the migration that accepted it made to say so: only what others have seen tells."""
    found = editable(ground)
    if found is None:
        return NO_EDITABLE
    one, edited = found
    held = {path: ground.bytes_of(path) for path in one.audited.prompt.files}
    held[edited] += b"\nAnswer at length.\n"
    now = prompt_sha256({path: file_sha256(path, data, ground.layout.parts) for path, data in held.items()})
    pin = {**ground.json_of(one.tip.path)["to"], "prompt_sha256": now}
    return Injected({edited: held[edited], **rewritten(ground, one, {"to": pin})})


def rewritten(ground: Ground, one: Guarded, changes: dict[str, Any]) -> dict[str, bytes | None]:
    """The newest migration with some keys changed, and the HEAD that names it: a chain that is whole again."""
    found = {**ground.json_of(one.tip.path), **changes}
    head = f"{one.tip.name} {value_hash(found)}\n".encode()
    return {one.tip.path: json_file(found), _folder(ground, one) + HEAD: head}


def _folder(ground: Ground, one: Guarded) -> str:
    return baseline_folder(ground.completer, one.prompt_id)


def _baseline(ground: Ground, one: Guarded) -> str:
    return f"{_folder(ground, one)}{one.cases[0].id}.json"


FAULTS = (
    Fault("accepted completion edited", OUT_OF_STEP, "baseline-edited", _edited),
    Fault("accepted completion deleted", OUT_OF_STEP, "baseline-mismatch", _deleted),
    Fault("whole baseline deleted", OUT_OF_STEP, "no-baseline", _all_gone),
    Fault("migration edited", OUT_OF_STEP, "head-mismatch", _migration_edited),
    Fault("migration deleted", OUT_OF_STEP, "head-mismatch", _migration_deleted),
    Fault("second head", OUT_OF_STEP, "two-heads", _second_head),
    Fault("HEAD edited", OUT_OF_STEP, "head-mismatch", _head_edited),
    Fault("HEAD deleted", OUT_OF_STEP, "head-missing", _head_deleted),
    Fault("reason emptied", OUT_OF_STEP, "no-reason", _no_reason),
    Fault("prompt edited and its migration forged", OUT_OF_STEP, "migration-edited", _forged),
)
