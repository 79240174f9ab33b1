"""Accepted completions as answers: what is graded anew when a case or the grader changed, and no model is asked."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.baseline import read_baseline, read_completion_of
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from lastgood.core.case import Case


def recorded_output(output: str) -> str:
    """How a replayed completion is read, when what it was recorded of was read as `output`."""
    return "text" if output == "text" else "trace"


def replayed(path: str, data: bytes, payload: dict[str, Any], cases: Iterable[Case]) -> str:
    """The completion in a baseline file, as text that is read as `recorded_output` says; it has the same digest.

    LastgoodError when it cannot stand for an answer to `payload`: it was edited by hand, or accepted for another input.
    `cases`: every golden case of the prompt, the retired ones too, since one of them is what it was accepted for.
    """
    baseline = read_baseline(path, data)
    if baseline.digest != baseline.declared_digest:
        raise LastgoodError("was edited by hand, so nobody accepted it", path=path)
    asked = next((case for case in cases if case.case_hash == baseline.case_hash), None)
    if asked is None:
        raise LastgoodError("was accepted for a case that is not in the tree any more", path=path)
    if not strict_json.same(asked.input, payload):
        raise LastgoodError(f"was accepted for another input: that of version {asked.version}", path=path)
    completion = read_completion_of(path, data)
    if completion.tool_calls is None:
        return completion.final_text
    import json

    found = {"tool_calls": list(completion.tool_calls), "final_text": completion.final_text}
    return json.dumps(found, ensure_ascii=False)
