"""Grading: a case's assertions applied to a completion. Pure: no network, no clock, no other model."""

from __future__ import annotations

from lastgood.core import assertions, expect
from lastgood.core.failure import Failure
from lastgood.core.reading import Text
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

__all__ = ["Failure", "grade"]


def grade(case: Case, completion: Completion, schemas: Mapping[str, Any]) -> tuple[Failure, ...]:
    """What of the case the completion breaks, in a fixed order; empty when all of it holds.

    `schemas`: name → JSON Schema, parsed. Never raises, whatever the completion.
    """
    if completion.malformed:
        return (Failure(completion.malformed, f"expected a readable completion: {completion.detail}"),)
    found: list[Failure] = []
    if completion.tool_calls is not None:
        found += assertions.failures(case, completion)
    elif case.assertions:
        return (Failure("malformed_trace", "expected a trace, as this case has assertions, got plain text"),)
    text = Text(completion.final_text, completion.turns)
    if case.expect:
        found += expect.failures(case.expect, text, schemas)
    if case.assertions:
        found += expect.failures(case.assertions, text, schemas)
    # Once each: expect and assertions may ask for the same.
    return tuple({failure.kind_detail: failure for failure in found}.values()) if found else ()
