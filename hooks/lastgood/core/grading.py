"""Grading: a case's assertions applied to a completion. Pure: no network, no clock, no other model."""

from __future__ import annotations

from lastgood.core import assertions, expect
from lastgood.core.failure import Failure
from lastgood.core.reading import Text
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

__all__ = ["Failure", "grade"]


def grade(case: Case, completion: Completion, schemas: Mapping[str, Any]) -> tuple[Failure, ...]:
    """What of the case the completion breaks, in a fixed order; empty when all of it holds.

    `schemas`: name → JSON Schema, parsed. Never raises, whatever the completion.
    """
    found = [*_failures(case, completion, schemas)]
    # Once each: expect and assertions may ask for the same.
    return tuple({failure.kind_detail: failure for failure in found}.values()) if found else ()


def _failures(case: Case, completion: Completion, schemas: Mapping[str, Any]) -> Iterator[Failure]:
    if completion.malformed:
        yield Failure(completion.malformed, f"expected a readable completion: {completion.detail}")
        return
    calls = completion.tool_calls
    if case.assertions and calls is None:
        yield Failure("malformed_trace", "expected a trace, as this case has assertions, got plain text")
        return
    if calls is not None:
        yield from assertions.failures(case, completion)
        if case.tools is not None:
            yield from assertions.outside(case.tools, calls)
    text = Text(completion.final_text, completion.turns)
    if case.expect:
        yield from expect.failures(case.expect, text, schemas)
    if case.assertions:
        yield from expect.failures(case.assertions, text, schemas)
