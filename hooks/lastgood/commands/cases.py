"""The cases of a surveyed prompt, read whole: what grading needs beyond what the audit looks at."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.case import golden_of
from lastgood.core.layout import CATALOG, SCHEMAS
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.case import Case


def all_cases(found: Survey, audited: Audited) -> list[Case]:
    """Every case, in suite order, retired ones and older versions too."""
    paths = [path for path in found.layout.golden.get(audited.prompt.prompt_id, ()) if not path.endswith("/" + CATALOG)]
    kept = found.golden
    blobs = found.tree.read(path for path in paths if path not in kept)
    # The audit has validated these bytes: doing it again would cost a commit more than asking its cases.
    read = {path: golden_of(path, strict_json.loads(data)) for path, data in blobs.items()}
    return [case for path in sorted(paths) for case in (kept.get(path) or read[path]).cases]


def active_cases(audited: Audited, cases: Iterable[Case]) -> list[Case]:
    """Those of `cases` that are asked."""
    active = set(audited.suite.active)
    return [case for case in cases if (case.id, case.version) in active]


def schemas_for(found: Survey, cases: Iterable[Case]) -> dict[str, Any]:
    """Name → parsed JSON Schema, of those that `cases` name."""
    names = sorted({case.output_schema for case in cases if case.output_schema})
    blobs = found.tree.read(f"{SCHEMAS}{name}.json" for name in names)
    return {name: strict_json.loads(blobs[f"{SCHEMAS}{name}.json"]) for name in names}
