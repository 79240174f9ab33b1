"""Accepted completions as answers: what is graded anew when a case or the grader changed, and no model is asked."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from lastgood.core.baseline import Baseline
    from lastgood.core.case import Case
    from lastgood.core.trace import Completion


# What of a run is graded and no part of a baseline: an assertion that looks there cannot be held against a replay.
_LOOKS_BEYOND: dict[str, Callable[[Any], bool]] = {
    "calls": lambda wanted: bool(wanted.get("ignore_failed")),
    "identifiers": lambda wanted: "tool_results" in wanted.get("from", ("tool_results",)),
    **dict.fromkeys(("forbidden", "forbid_patterns", "require_patterns"), lambda wanted: isinstance(wanted, dict)),
}


def gradable(case: Case) -> tuple[Case, tuple[str, ...]]:
    """The case without the assertions that look at tool results or earlier turns, and the names of those."""
    wanted = case.assertions
    beyond = tuple(name for name in wanted if name in _LOOKS_BEYOND and _LOOKS_BEYOND[name](wanted[name]))
    if not beyond:
        return case, ()
    return replace(case, assertions={name: wanted[name] for name in wanted if name not in beyond}), beyond


def judges_nothing(case: Case) -> bool:
    """Whether no assertion of `case` looks at what a baseline keeps: a replay of it would pass unseen."""
    left, beyond = gradable(case)
    return bool(beyond) and not left.assertions and not left.expect


def recorded_output(output: str) -> str:
    """How a replayed completion is read, when what it was recorded of was read as `output`."""
    return "text" if output == "text" else "trace"


def replayed(
    baseline: Baseline,
    completion: Completion,
    payload: dict[str, Any],
    cases: Mapping[str, Case],
    *,
    output: str | None = None,
) -> str:
    """The accepted completion as text that is read as `recorded_output` says; it has the same digest.

    `baseline` and `completion` are what one file says. LastgoodError when it cannot stand for an answer to `payload`:
    edited by hand, accepted for another input, or read otherwise than `output` (None: either way). `cases`, by
    their hash: every golden case of the prompt, the retired ones too, since one of them is what it was accepted for.
    """
    if baseline.digest != baseline.declared_digest:
        raise LastgoodError("was edited by hand, so nobody accepted it")
    asked = cases.get(baseline.case_hash)
    if asked is None:
        raise LastgoodError("was accepted for a case that is not in the tree any more")
    if not strict_json.same(asked.input, payload):
        raise LastgoodError(f"was accepted for another input: that of version {asked.version}")
    kind = "text" if completion.tool_calls is None else "trace"
    if output not in (None, kind):
        raise LastgoodError(f"was accepted as a {kind}, and answers are now read as {output}")
    if completion.tool_calls is None:
        return completion.final_text
    import json

    found = {"tool_calls": list(completion.tool_calls), "final_text": completion.final_text}
    return json.dumps(found, ensure_ascii=False)
