"""`lastgood stub`: run the commit completer on what the commit can affect, grade, compare."""

from __future__ import annotations

import os
import sys

from lastgood.commands.asking import answers, as_in_tree, refuse_unjudged, to_ask
from lastgood.commands.each import each
from lastgood.commands.judged import pushed_ref
from lastgood.commands.look import Look
from lastgood.commands.survey import unreadable
from lastgood.core.judgement import FAIL, PASS, verdict_of
from lastgood.core.scope import affected as affected_by
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, HELD, WORDS, gravest
from lastgood.edge import trees
from lastgood.errors import LastgoodError
from lastgood.report.findings import Report, text
from lastgood.report.lines import beyond_replay, case_line, summary
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from lastgood.commands.asking import Asked
    from lastgood.commands.options import Options
    from lastgood.commands.survey import Survey
    from lastgood.core.case import Case
    from lastgood.core.config import Completer
    from lastgood.core.judgement import Judgement
    from lastgood.edge.completers import Answer

_SHOWN = 12  # cases that moved or failed; the rest is counted, for the message has to fit a screen


def run(options: Options) -> int:
    """Judge the same tree as `check`; a moved completion is exit 3 here, always."""
    return each(options, "stub", lambda options, root: judge_stub(Look(options, root), options))


def judge_stub(look: Look, options: Options) -> int:
    """Ask the commit completer what a commit can affect of the tree looked at, print, and return the verdict."""
    config = look.survey.config
    completer = config.completer(config.commit_completer)
    if completer is None:
        raise LastgoodError("commit_completer is not set: no completer to run at a commit", path=config.path)
    found, affected = look.of(_scope(look, options))
    count = len(look.sizes())
    why = f"{counted(count, 'prompt')} of {found.tree.name}"
    if len(affected) < count:
        why = f"{len(affected)} of {counted(count, 'prompt')} affected by this commit"
    blocked = unreadable(found, affected, completer)
    if blocked:
        print(text(Report("stub", found.tree.name, tuple(blocked))), end="", file=sys.stderr)
        return CANNOT_TELL
    every = [to_ask(found, completer, audited) for audited in affected]
    notes = beyond_replay(one.replay.beyond for one in every if one.replay)
    asked = [one for one in every if one.cases]
    if not asked:
        refuse_unjudged(every)
        if affected or not count:
            raise LastgoodError("no case to ask: nothing would be checked", fix="lastgood catalog ship")
        print(f"lastgood stub: {WORDS[HELD]} ({HELD}): {why}", file=_stream(HELD, options))
        return HELD
    judgements = _ask(found, completer, asked)
    verdict = gravest([verdict_of(judgements, fail_on_diff=True), _silence(judgements)])
    shown = sorted((j for j in judgements if j.status != PASS), key=lambda j: j.status != FAIL)
    more = [f"… and {len(shown) - _SHOWN} more: lastgood eval"] if len(shown) > _SHOWN else []
    last = f"lastgood stub: {WORDS[verdict]} ({verdict}): {why}, {summary(judgements)}"
    lines = [*map(case_line, shown[:_SHOWN]), *more, *notes, last]
    print("\n".join(lines), file=_stream(verdict, options))
    return verdict


def _stream(verdict: int, options: Options) -> TextIO:
    """Complaints go to stderr, as git's and pre-commit's do; stdout is the report's own where a program reads it."""
    return sys.stderr if verdict or options.format != "text" else sys.stdout


def _scope(look: Look, options: Options) -> frozenset[str] | None:
    """The prompts that the commit being made can affect; None for all of them, as when no commit is being made."""
    if not os.environ.get("GIT_INDEX_FILE") or options.all or pushed_ref(options.to_ref):
        return None
    changed = trees.changed_since_head(look.root)
    return None if changed is None else affected_by(look.survey.config, changed, look.sizes())


def _ask(found: Survey, completer: Completer, asked: list[Asked]) -> list[Judgement]:
    def keep(_asked: Asked, _case: Case, _answer: Answer) -> None:
        """A commit leaves no run behind."""

    judgements = []
    staged, more = as_in_tree(found, completer)
    environ = {**os.environ, **more}
    coming = answers(found, staged, asked, jobs=None, area="commit", environ=environ, keep=keep)
    for _, judgement in coming:
        judgements.append(judgement)
        if _silence([judgement]):  # a commit must not wait for every case of a completer that hangs
            coming.close()
            break
    return judgements


def _silence(judgements: Iterable[Judgement]) -> int:
    """A stub that never answers judged nothing: at a commit that is "cannot tell", where `eval` fails the case."""
    silent = any(str(failure).startswith("completer_timeout") for j in judgements for failure in j.failures)
    return CANNOT_TELL if silent else HELD
