"""Verdicts, their exit codes, and findings: the results of every command."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterable

HELD = 0  # all invariants hold, nothing moved
BROKEN = 1  # an assertion failed, or a completer could not answer
OUT_OF_STEP = 2  # hashes, catalog, baseline files or migration chain do not match
MOVED = 3  # everything legal, but not the same
CANNOT_TELL = 4  # usage, malformed files, git errors, nothing to check
INTERRUPTED = 130

WORDS = {
    HELD: "held",
    BROKEN: "broken",
    OUT_OF_STEP: "out of step",
    MOVED: "moved",
    CANNOT_TELL: "cannot tell",
    INTERRUPTED: "interrupted",
}

# The gravest first. Not the greatest number: "cannot tell" hides nothing, "moved" never hides "broken".
_PRECEDENCE = (INTERRUPTED, CANNOT_TELL, OUT_OF_STEP, BROKEN, MOVED, HELD)


def gravest(verdicts: Iterable[int]) -> int:
    """The one exit code of several verdicts; HELD when there are none."""
    found = set(verdicts)
    return next((code for code in _PRECEDENCE if code in found), HELD)


@value(frozen=True)
class Finding:
    """One thing wrong.

    `code` is a stable slug (`prompt-moved`), `verdict` what it means, `path` a repository path, `pointer` a JSON
    Pointer inside it, `message` one sentence, `details` label and text pairs shown below it, `fix` the commands that
    mend it, in order.
    """

    code: str
    verdict: int
    path: str
    message: str
    pointer: str = ""
    details: tuple[tuple[str, str], ...] = ()
    fix: tuple[str, ...] = ()
    prompt_id: str = ""
    completer: str = ""
