"""A pending run: what it was taken of, and every answer it holds so far. Values; edge/runs keeps them in a file."""

from __future__ import annotations

from lastgood.core.usage import NOTHING, Reported
from lastgood.core.value import value


@value(frozen=True)
class Header:
    """What a run was taken of. `started_at` is UTC, ISO 8601 with Z.

    `repeat` is how many answers a case was to have, `only` the cases that were asked for (none: all of them): what an
    interrupted run still owes.
    """

    prompt_id: str
    completer: str
    prompt_sha256: str
    suite_hash: str
    fingerprint: str
    command: tuple[str, ...]
    output: str
    started_at: str
    repeat: int = 1
    only: tuple[str, ...] = ()

    @property
    def pin(self) -> tuple[str, str, str]:
        """What an answer depends on, beside its case: prompt, completer, and how its output is read."""
        return self.prompt_sha256, self.fingerprint, self.output


@value(frozen=True)
class Recorded:
    """One answer as the journal keeps it: the exact text, or the error."""

    case_id: str
    version: int
    case_hash: str
    output: str | None
    error: str
    detail: str
    seconds: float
    reported: Reported = NOTHING


@value(frozen=True)
class Run:
    """A pending run; `answers` by (case id, version), in the order they came."""

    header: Header
    answers: dict[tuple[str, int], tuple[Recorded, ...]]

    def of(self, case_id: str, version: int, case_hash: str) -> tuple[Recorded, ...]:
        """The answers of a case as it is now."""
        return tuple(one for one in self.answers.get((case_id, version), ()) if one.case_hash == case_hash)
