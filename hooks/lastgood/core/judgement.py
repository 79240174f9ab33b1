"""One answer, judged: is it still legal, and is it still the same?"""

from __future__ import annotations

from lastgood.core.failure import Failure
from lastgood.core.grading import grade
from lastgood.core.trace import completion_digest, read_completion
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import BROKEN, HELD, MOVED, gravest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

PASS, FAIL, DIFF, NEW = "PASS", "FAIL", "DIFF", "NEW"
_VERDICTS = {PASS: HELD, FAIL: BROKEN, DIFF: MOVED, NEW: MOVED}


@value(frozen=True)
class Judgement:
    """What one answer is worth. `digest` and `previous` are 64 hex digits, or "" where there is none."""

    case: Case
    status: str
    digest: str
    previous: str
    failures: tuple[Failure, ...]
    completion: Completion | None


def judge(
    case: Case, raw: str | None, error: tuple[str, str], output: str, previous: str, schemas: Mapping[str, Any]
) -> Judgement:
    """Grade what came back for `case` and compare it with the accepted digest (`previous`, "" for none).

    `raw` is None when the completer could not answer; `error` then holds (stable string, detail). `output` says how
    `raw` is read.
    """
    if raw is None:
        return Judgement(case, FAIL, "", previous, (Failure(*error),), None)
    completion = read_completion(raw, output)
    digest = completion_digest(completion, case.normalization, raw)
    failures = grade(case, completion, schemas)
    if failures:
        status = FAIL
    elif not previous:
        status = NEW
    else:
        status = PASS if digest == previous else DIFF
    return Judgement(case, status, digest, previous, failures, completion)


def verdict_of(judgements: Iterable[Judgement], *, fail_on_diff: bool) -> int:
    """BROKEN when one fails; MOVED when one moved or is new, where that counts; HELD otherwise."""
    found = gravest(_VERDICTS[judgement.status] for judgement in judgements)
    return HELD if found == MOVED and not fail_on_diff else found


def counts(judgements: Iterable[Judgement]) -> dict[str, int]:
    """Status → how many, every status named."""
    found = dict.fromkeys(_VERDICTS, 0)
    for judgement in judgements:
        found[judgement.status] += 1
    return found
