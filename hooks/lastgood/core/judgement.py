"""One answer, judged: is it still legal, and is it still the same?"""

from __future__ import annotations

from lastgood.core.failure import Failure
from lastgood.core.grading import grade
from lastgood.core.trace import completion_digest, read_completion
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.core.verdict import BROKEN, HELD, MOVED, gravest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

PASS, FAIL, DIFF, NEW, UNSTABLE = "PASS", "FAIL", "DIFF", "NEW", "UNSTABLE"
_VERDICTS = {PASS: HELD, FAIL: BROKEN, DIFF: MOVED, NEW: MOVED, UNSTABLE: MOVED}


@value(frozen=True)
class Judgement:
    """What the answers of one case are worth. `digest` and `previous` are 64 hex digits, or "" where there is none.

    `unequal` holds the further answers whose digest is another than the first one's.
    """

    case: Case
    status: str
    digest: str
    previous: str
    failures: tuple[Failure, ...]
    completion: Completion | None
    unequal: tuple[Judgement, ...] = ()

    @property
    def wobble(self) -> tuple[str, ...]:
        """The kinds of move between the answers of an unstable case."""
        from lastgood.core.moves import moves

        if self.completion is None:
            return ()
        others = [one.completion for one in self.unequal if one.completion]
        return tuple(dict.fromkeys(kind for other in others for kind in moves(self.completion, other)))


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


def judge_all(
    case: Case,
    answers: Sequence[tuple[str | None, str, str]],
    output: str,
    previous: str,
    schemas: Mapping[str, Any],
) -> Judgement:
    """Judge every answer of a case, each (raw, error, detail): one that fails fails it, unequal ones are unstable."""
    raw, error, detail = answers[0]
    first = judge(case, raw, (error, detail), output, previous, schemas)
    others = [
        judge(case, *_split(more), output, previous, schemas) for more in dict.fromkeys(answers) if more != answers[0]
    ]
    failed = next((one for one in (first, *others) if one.status == FAIL), None)
    unequal = {one.digest: one for one in others if one.digest != first.digest}
    if failed or not unequal:
        return failed or first
    return replace(first, status=UNSTABLE, unequal=tuple(unequal.values()))


def _split(answer: tuple[str | None, str, str]) -> tuple[str | None, tuple[str, str]]:
    return answer[0], answer[1:]


def verdict_of(judgements: Iterable[Judgement], *, fail_on_diff: bool) -> int:
    """BROKEN when one fails; MOVED when one moved, is new or unstable, where that counts; HELD otherwise."""
    found = gravest(_VERDICTS[judgement.status] for judgement in judgements)
    return HELD if found == MOVED and not fail_on_diff else found


def counts(judgements: Iterable[Judgement]) -> dict[str, int]:
    """Status → how many, every status named."""
    found = dict.fromkeys(_VERDICTS, 0)
    for judgement in judgements:
        found[judgement.status] += 1
    return found
