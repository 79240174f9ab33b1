"""The table of faults that `lastgood prove` injects, and what each outcome is worth."""

from __future__ import annotations

import json

from lastgood.core import faults_of_baselines, faults_of_cases, faults_of_completers, faults_of_prompts
from lastgood.core.faults_of_completers import REHEARSED
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import BROKEN, CANNOT_TELL, HELD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastgood.core.fault import Fault, Injected

__all__ = ["FAULTS", "REHEARSED", "Ended", "Proof", "judged", "verdict_of", "wanted"]

FAULTS: tuple[Fault, ...] = (
    *faults_of_prompts.FAULTS,
    *faults_of_cases.FAULTS,
    *faults_of_baselines.FAULTS,
    *faults_of_completers.FAULTS,
)

LEAST = 20  # of all faults: where fewer can be injected, nothing much is proven


@value(frozen=True)
class Ended:
    """How a run of the gate ended: exit code (None: it did not), standard output, all that it printed."""

    code: int | None
    out: str
    said: str

    @property
    def findings(self) -> tuple[str, ...]:
        """The codes of its findings, in order; none where its output is no report."""
        try:
            rows = json.loads(self.out)["findings"]
            return tuple(dict.fromkeys(str(row["code"]) for row in rows))
        except (ValueError, KeyError, TypeError, RecursionError):
            return ()


@value(frozen=True)
class Proof:
    """What came of one fault. `reason`: why it could not be injected, "" where it was."""

    name: str
    wanted: str
    got: str
    proved: bool
    reason: str = ""


def wanted(fault: Fault, injected: Injected) -> tuple[int, str]:
    """(exit code, code of a finding or text) that the gate has to give."""
    code, finding = injected.expect or (fault.verdict, fault.finding)
    return code, finding or fault.says


def judged(fault: Fault, injected: Injected, ended: Ended) -> Proof:
    """The gate proved itself when it gave the documented exit code for the documented reason."""
    code, why = wanted(fault, injected)
    told = why in ended.findings if injected.expect or fault.finding else why in ended.said
    got = "no end" if ended.code is None else str(ended.code)
    heard = " ".join([got, *ended.findings]) if ended.findings else got
    return Proof(fault.name, f"{code} {why}", heard, ended.code == code and told)


def verdict_of(proofs: Sequence[Proof]) -> int:
    """BROKEN where the gate did not say what it has to; CANNOT_TELL where too little was tried."""
    tried = [proof for proof in proofs if not proof.reason]
    if not all(proof.proved for proof in tried):
        return BROKEN
    return HELD if len(tried) >= LEAST else CANNOT_TELL
