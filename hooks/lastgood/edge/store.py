"""Writes what `record` and `catalog` planned: all of it or nothing.

The plan is written first, whole; then each file beside and replaced; then the plan is removed. Stopped before the plan
stands, nothing happened; stopped later, `lastgood record --resume` finishes it.
"""

from __future__ import annotations

import os

from lastgood.core.layout import BASELINES, GOLDEN
from lastgood.core.sha256 import sha256_hex
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.folder import NAME, replace_file, run_folder, sweep_beside
from lastgood.errors import LastgoodError, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_PLAN = "record.json"
_RESUME = "lastgood record --resume"


def locked(root: str) -> Any:
    """A context in which no other lastgood writes to this repository; Refused when another one does."""
    from filelock import FileLock, Timeout

    lock = FileLock(os.path.join(run_folder(root), "record.lock"), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise Refused("another lastgood is recording here", fix="wait for it, then run this again") from None
    return lock


def interrupted(root: str) -> bool:
    """Whether a record was stopped between its plan and its last file."""
    return os.path.exists(os.path.join(root, NAME, _PLAN))


def refuse_interrupted(root: str) -> None:
    """Refused while an interrupted record waits to be finished."""
    if interrupted(root):
        raise Refused("a record was interrupted and is half written", fix=_RESUME)


def apply(root: str, files: Mapping[str, bytes | None]) -> None:
    """Write (or, for None, delete) every file. Call it inside `locked`."""
    import json

    refuse_interrupted(root)
    try:
        plan = [_step(root, path, data) for path, data in files.items()]
        replace_file(os.path.join(run_folder(root), _PLAN), json.dumps(plan).encode("ascii"))
    except OSError as exc:
        where = _where(root, exc)
        raise Refused(f"nothing was written: {exc.strerror}", path=where, fix=f"ls -ld {where}; df -h .") from None
    _carry_out(root, plan)


def resume(root: str) -> list[str]:
    """Finish an interrupted record; the paths it wrote. Call it inside `locked`."""
    plan = _read_plan(root)
    for step in plan:
        found = _read(os.path.join(root, step["path"]))
        if found not in (step["before"], step["after"]):
            raise Refused(
                "was changed after the record was interrupted, so it cannot be finished",
                path=step["path"],
                fix=f"git checkout HEAD -- {quoted(step['path'])} && {_RESUME}",
            )
    for step in plan:
        sweep_beside(os.path.join(root, step["path"]))
    _carry_out(root, plan)
    return [step["path"] for step in plan]


def _read_plan(root: str) -> list[dict[str, Any]]:
    import json

    with open(os.path.join(root, NAME, _PLAN), "rb") as file:
        data = file.read()
    try:
        plan: list[dict[str, Any]] = json.loads(data)
        if not isinstance(plan, list) or not plan:
            raise ValueError
        for step in plan:
            # It may have come with a clone: what it writes lies where `record` and `catalog` write, and nowhere else.
            if not step["path"].startswith((GOLDEN, BASELINES)) or ".." in step["path"].split("/"):
                raise ValueError
            if not {"before", "after", "data"} <= step.keys():
                raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError):
        raise LastgoodError(
            "the plan of the interrupted record is not readable",
            path=f"{NAME}/{_PLAN}",
            fix=f"rm {NAME}/{_PLAN} && git status",
        ) from None
    return plan


def _step(root: str, path: str, data: bytes | None) -> dict[str, Any]:
    import base64

    return {
        "path": path,
        "before": _read(os.path.join(root, path)),
        "after": None if data is None else sha256_hex(data),
        "data": None if data is None else base64.b64encode(data).decode("ascii"),
    }


def _read(path: str) -> str | None:
    try:
        with open(path, "rb") as file:
            return sha256_hex(file.read())
    except FileNotFoundError:
        return None


def _carry_out(root: str, plan: list[dict[str, Any]]) -> None:
    try:
        for step in plan:
            _write(os.path.join(root, step["path"]), step["data"])
        os.unlink(os.path.join(root, NAME, _PLAN))
    except OSError as exc:
        raise LastgoodError(f"half written: {exc.strerror}", path=_where(root, exc), fix=_RESUME) from None


def _where(root: str, exc: OSError) -> str:
    return os.path.relpath(exc.filename, root) if isinstance(exc.filename, str) else NAME


def _write(path: str, data: str | None) -> None:
    import base64

    if data is None:
        if os.path.lexists(path):
            os.unlink(path)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    replace_file(path, base64.b64decode(data))
