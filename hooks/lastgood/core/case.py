"""Golden cases: parsed once, everything unknown or unsound refused, frozen."""

from __future__ import annotations

from lastgood.core.digest import DEFAULT_NORMALIZATION, Normalization, value_hash
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any


@value(frozen=True)
class Case:
    """One golden case.

    `case_hash`: of the whole object, 16 hex digits. `tools`: None when any tool may be called. `normalization`: the
    case's own, else its suite's, else white space. `pointer`: where in the file at `path`. `source`: the whole object.
    """

    id: str
    version: int
    prompt_id: str
    case_hash: str
    input: dict[str, Any]
    tools: tuple[str, ...] | None
    expect: dict[str, Any]
    assertions: dict[str, Any]
    normalization: Normalization
    path: str
    pointer: str
    source: dict[str, Any]

    @property
    def key(self) -> tuple[str, int]:
        """What names one case forever."""
        return self.id, self.version

    @property
    def output_schema(self) -> str | None:
        """Name of the JSON Schema its text must satisfy, if any."""
        found: str | None = self.expect.get("output_schema") or self.assertions.get("output_schema")
        return found


@value(frozen=True)
class Golden:
    """One file of golden cases: a single case (form `case`) or many of one prompt (form `suite`)."""

    path: str
    form: str
    prompt_id: str
    prompt_sha256: str | None
    cases: tuple[Case, ...]


def read_golden(path: str, data: bytes) -> Golden:
    """Parse one file of golden cases; Malformed, with path and JSON Pointer, when anything is unknown or unsound."""
    from lastgood.core import nesting, schema

    try:
        found = nesting.loads(data)
    except Malformed as exc:
        raise Malformed(exc.what, path=path, pointer=exc.pointer, fix=exc.fix) from None
    form = "suite" if isinstance(found, dict) and "cases" in found else "case"
    schema.check(form, found, path=path)
    _sound(path, form, found)
    return golden_of(path, found)


def golden_of(path: str, found: Any) -> Golden:
    """The golden cases in a parsed value that is known to be sound: `read_golden` accepted these very bytes."""
    form = "suite" if "cases" in found else "case"
    default = _normalization(found, DEFAULT_NORMALIZATION) if form == "suite" else DEFAULT_NORMALIZATION
    prompt_id, objects = found["prompt_id"], _objects(form, found)
    cases = tuple([_case(path, pointer, case, prompt_id, default) for pointer, case in objects])
    return Golden(path, form, prompt_id, found.get("prompt_sha256"), cases)


def _objects(form: str, found: Any) -> list[tuple[str, Any]]:
    return [(f"/cases/{nth}", case) for nth, case in enumerate(found["cases"])] if form == "suite" else [("", found)]


def _sound(path: str, form: str, found: Any) -> None:
    from lastgood.core import soundness

    objects = _objects(form, found)
    faults = [
        *(soundness.of_normalization(found, "") if form == "suite" else ()),
        *(fault for pointer, case in objects for fault in soundness.of_case(case, pointer)),
        *soundness.of_names(objects),
    ]
    if faults:
        pointer, what = faults[0]
        raise Malformed(what, path=path, pointer=pointer)


def _normalization(declaring: Any, default: Normalization) -> Normalization:
    return Normalization.of(declaring["normalize"]) if "normalize" in declaring else default


def _case(path: str, pointer: str, found: Any, prompt_id: str, default: Normalization) -> Case:
    tools = found.get("tools")
    return Case(  # in the order declared: a suite may hold a hundred thousand
        found["id"],
        found.get("version", 1),
        prompt_id,
        value_hash(found),
        found["input"],
        None if tools is None else tuple(tools),
        found.get("expect", {}),
        found.get("assertions", {}),
        _normalization(found, default),
        path,
        pointer,
        found,
    )
