"""What `lastgood prove` prints: a line a fault, and what all of them are worth."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import BROKEN, HELD, WORDS
from lastgood.report.printable import printable
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastgood.core.faults import Proof


def line(proof: Proof) -> str:
    """`ok   prompt edited alone: 2 prompt-moved`."""
    if proof.reason:
        return printable(f"n/a  {proof.name}: not applicable, {proof.reason}")
    if proof.proved:
        return printable(f"ok   {proof.name}: {proof.wanted}")
    return printable(f"FAIL {proof.name}: wanted {proof.wanted}, got {proof.got}")


def summary(proofs: Sequence[Proof], verdict: int, least: int) -> str:
    """The last line: the verdict, and how many faults it rests on."""
    tried = [proof for proof in proofs if not proof.reason]
    passed = sum(proof.proved for proof in tried)
    apart = len(proofs) - len(tried)
    counts = f"{passed} of {counted(len(tried), 'fault')} proved" + (f", {apart} not applicable" if apart else "")
    why = {HELD: "the gate goes red when it should", BROKEN: "the gate did not go red as it should"}.get(
        verdict, f"fewer than {least} faults could be tried, so nothing is proven"
    )
    return f"lastgood prove: {WORDS[verdict]} ({verdict}): {counts}: {why}"
