"""What `lastgood doctor` prints: each complaint with the commands or lines that mend it."""

from __future__ import annotations

import json

from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD, OUT_OF_STEP, WORDS
from lastgood.report.findings import mending
from lastgood.report.printable import printable, shown_path
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastgood.core.hook_checkup import Complaint
    from lastgood.report.speller import Speller


def verdict_of(complaints: Sequence[Complaint]) -> int:
    """OUT_OF_STEP when something is to be mended: the set-up is not what the gate needs."""
    return OUT_OF_STEP if complaints else HELD


def text(complaints: Sequence[Complaint], notes: Sequence[str], spell: Speller) -> str:
    """For a terminal."""
    blocks = []
    following = [*(complaint.fix for complaint in complaints[1:]), ()]
    for complaint, next_fix in zip(complaints, following, strict=False):
        where = f"{shown_path(complaint.path)}: " if complaint.path else ""
        head = f"{where}{printable(complaint.message)} [{complaint.code}]"
        fix = () if complaint.fix == next_fix else complaint.fix  # what mends several stands below the last of them
        blocks.append("\n".join([head, *mending(fix, spell), *([""] if fix else [])]))
    verdict = verdict_of(complaints)
    what = f"{counted(len(complaints), 'thing')} to mend" if complaints else "nothing to mend"
    last = f"lastgood doctor: {WORDS[verdict]} ({verdict}): {what}"
    return "\n".join([*blocks, *(f"note: {printable(note)}" for note in notes), last]) + "\n"


def as_json(complaints: Sequence[Complaint], notes: Sequence[str]) -> str:
    """One JSON document."""
    verdict = verdict_of(complaints)
    rows = [{"code": c.code, "path": c.path, "message": c.message, "fix": list(c.fix)} for c in complaints]
    found = {"verdict": verdict, "word": WORDS[verdict], "complaints": rows, "notes": list(notes)}
    return json.dumps(found, indent=2) + "\n"
