"""Findings as people and programs read them: text, JSON, GitHub annotations. All projections of the same values."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, fields_of, value
from lastgood.core.verdict import WORDS, gravest
from lastgood.report.printable import printable, shown_path
from lastgood.report.speller import Speller
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lastgood.core.verdict import Finding
    from lastgood.errors import LastgoodError


@value(frozen=True)
class Report:
    """What a checking command says: its name, what it looked at, findings, and notes that change no verdict.

    `below`: the way from the top of the repository to the root whose paths these are, with its slash.
    """

    command: str
    looked_at: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    below: str = ""

    @property
    def verdict(self) -> int:
        return gravest(finding.verdict for finding in self.findings)


def text(report: Report, *, spell: Speller | None = None, verdict: int | None = None) -> str:
    """For a terminal or an editor's git panel: fits a screen, no colour codes.

    `verdict`: of more than this report says, where others were printed before.
    """
    spell = spell or Speller()
    shown = report.findings[:_SHOWN]
    following = [*(finding.fix for finding in shown[1:]), ()]
    blocks = [
        _block(finding, () if finding.fix == next_fix else finding.fix, spell)  # one list of commands, below the last
        for finding, next_fix in zip(shown, following, strict=False)
    ]
    if not _fits(blocks):  # then only the first are whole, with their commands
        blocks = _fitting([_block(finding, finding.fix, spell) for finding in shown])
    if len(report.findings) > _SHOWN:
        more = f"… and {counted(len(report.findings) - _SHOWN, 'more finding')}: lastgood check --format json"
        blocks[-1] += f"\n{more}"  # below what is brief already: a blank row each would not fit
    notes = [f"note: {printable(note)}" for note in report.notes]
    verdict = report.verdict if verdict is None else verdict
    count = len(report.findings)
    found = f"{counted(count, 'finding')} in " if count else ""
    last = f"lastgood {report.command}: {WORDS[verdict]} ({verdict}): {found}{report.looked_at}"
    return "\n".join([*("\n".join([block, ""]) for block in blocks), *notes, last]) + "\n"


_SHOWN = 12
_ROWS = 24  # of a screen; the last one and the cursor's among them


def _fits(blocks: list[str]) -> bool:
    return sum(block.count("\n") + 2 for block in blocks) + 2 <= _ROWS


def _fitting(blocks: list[str]) -> list[str]:
    """The blocks; those behind the first few by their first line only, where all would fill more than a screen."""
    if _fits(blocks):
        return blocks
    heights = [block.count("\n") + 2 for block in blocks]
    whole, room = 1, _ROWS - heights[0] - 4 - len(blocks)
    while whole < len(blocks) and heights[whole] <= room:
        room -= heights[whole]
        whole += 1
    brief = [block.partition("\n")[0] for block in blocks[whole:]]
    return [*blocks[:whole], *(["\n".join(brief)] if brief else [])]


def _block(finding: Finding, fix: Sequence[str], spell: Speller) -> str:
    where = shown_path(spell.down + finding.path) + (f" {printable(finding.pointer)}" if finding.pointer else "")
    lines = [f"{where}: {printable(finding.message)}"]
    width = max((len(label) for label, _ in finding.details), default=0)
    lines += [f"  {label:<{width}}  {printable(shown)}" for label, shown in finding.details]
    return "\n".join([*lines, *mending(fix, spell)])


def mending(fix: Sequence[str], spell: Speller) -> list[str]:
    """The commands that mend it, one below the other; what no shell can run is called what to do."""
    label = "run" if fix and fix[0].partition(" ")[0] in _PROGRAMS else "do "
    return [f"  {'   ' if index else label}  {printable(spell(command))}" for index, command in enumerate(fix)]


_PROGRAMS = (
    "lastgood",
    "git",
    "make",
    "pip",
    "cp",
    "chmod",
    "rm",
    "df",
    "ls",
    "echo",
    "mkdir",
    "printf",
    "pre-commit",
    "prek",
)


def as_json(report: Report) -> str:
    """One JSON document."""
    import json

    return json.dumps(document(report), indent=2) + "\n"


def document(report: Report) -> dict[str, Any]:
    """The document that every other form is a projection of."""
    names = ("code", "verdict", "path", "message", "pointer", "details", "fix", "prompt_id", "completer")
    return {
        "command": report.command,
        "looked_at": report.looked_at,
        "verdict": report.verdict,
        "word": WORDS[report.verdict],
        "root": report.below.rstrip("/"),
        "findings": [dict(zip(names, fields_of(finding), strict=True)) for finding in report.findings],
        "notes": list(report.notes),
    }


def github(report: Report, *, verdict: int | None = None) -> str:
    """GitHub workflow commands, one annotation a finding, then the last line of the text form."""
    lines = [_annotation(finding, report.below) for finding in report.findings]
    lines += [workflow_command("notice", note, title="lastgood") for note in report.notes]
    return "\n".join([*lines, text(report, verdict=verdict).splitlines()[-1]]) + "\n"


def _annotation(finding: Finding, below: str) -> str:
    where = f" ({finding.pointer})" if finding.pointer else ""
    details = "".join(f"\n{label}: {shown}" for label, shown in finding.details)
    fix = "".join(f"\nrun: {command}" for command in finding.fix)
    message = finding.message + where + details + fix
    return workflow_command("error", message, file=below + finding.path, title=f"lastgood {finding.code}")


def workflow_command(level: str, message: str, **properties: str) -> str:
    """One annotation for a GitHub runner; nothing in message or properties can end it or start another."""
    told = ",".join(f"{name}={_escape_property(text)}" for name, text in properties.items())
    return f"::{level} {told}::{_escape(message)}"


def _escape(found: str, signs: str = "%\r\n") -> str:
    """As the runner reads it; what it does not decode, and a terminal would act on, is escaped as everywhere."""
    return printable("".join(f"%{ord(sign):02X}" if sign in signs else sign for sign in found))


def _escape_property(found: str) -> str:
    return _escape(found, "%\r\n:,")


FORMATS: dict[str, Any] = {"text": text, "json": as_json, "github": github}


def in_words(exc: LastgoodError) -> str:
    """An error inside somebody else's sentence: what and where."""
    return sentence(exc.what, exc.path, exc.pointer, "").removeprefix("lastgood: ")


def sentence(what: str, path: str, pointer: str, fix: str, spell: Speller | None = None) -> str:
    """An error on one line, and the command that mends it, as people type it where they are."""
    spell = spell or Speller()
    where = f"{shown_path(spell.place(path))}{' ' + printable(pointer) if pointer else ''}: " if path else ""
    return "\n".join([f"lastgood: {where}{printable(what)}", *mending([fix] if fix else [], spell)])
