"""`lastgood stub`: run the commit completer on what the commit can affect, grade, compare."""

from __future__ import annotations

import os
import sys

from lastgood.commands.asking import answers, to_ask
from lastgood.commands.check import Options
from lastgood.commands.judged import judged_tree, pushed_ref
from lastgood.commands.survey import survey, unreadable
from lastgood.core.judgement import PASS, verdict_of
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, HELD, WORDS, gravest
from lastgood.edge import git
from lastgood.errors import LastgoodError
from lastgood.report.findings import Report, text
from lastgood.report.lines import case_line, summary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.commands.asking import Asked
    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.case import Case
    from lastgood.core.config import Completer
    from lastgood.core.judgement import Judgement
    from lastgood.edge.completers import Answer

__all__ = ["Options", "run"]


def run(options: Options) -> int:
    """Judge the same tree as `check`; a moved completion is exit 3 here, always."""
    root = git.find_root()
    return judge_stub(survey(root, judged_tree(root, options.to_ref)), options)


def judge_stub(found: Survey, options: Options) -> int:
    """Ask the commit completer the affected prompts of a surveyed tree, print, and return the verdict."""
    completer = _commit_completer(found)
    affected, why = _affected(found, completer, options)
    blocked = unreadable(found, affected)
    if blocked:
        print(text(Report("stub", found.tree.name, tuple(blocked))), end="", file=sys.stderr)
        return CANNOT_TELL
    asked = [asked for asked in (to_ask(found, completer, audited) for audited in affected) if asked.cases]
    if not asked:
        if affected:
            raise LastgoodError("no case to ask: nothing would be checked", fix="lastgood catalog ship")
        print(f"lastgood stub: {WORDS[HELD]} ({HELD}): {why}")
        return HELD
    judgements = _ask(found, completer, asked)
    verdict = gravest([verdict_of(judgements, fail_on_diff=True), _silence(judgements)])
    shown = [judgement for judgement in judgements if judgement.status != PASS]
    lines = [*map(case_line, shown), f"lastgood stub: {WORDS[verdict]} ({verdict}): {why}, {summary(judgements)}"]
    print("\n".join(lines), file=sys.stderr if verdict else sys.stdout)
    return verdict


def _commit_completer(found: Survey) -> Completer:
    completer = found.config.completer(found.config.commit_completer)
    if completer is None:
        raise LastgoodError("commit_completer is not set: no completer to run at a commit", path=found.config.path)
    return completer


def _affected(found: Survey, completer: Completer, options: Options) -> tuple[list[Audited], str]:
    """The prompts that the commit being made can affect; all of them when no commit is being made."""
    everything = list(found.prompts.values())
    if not os.environ.get("GIT_INDEX_FILE") or options.all or pushed_ref(options.to_ref):
        return everything, f"all {len(everything)} prompts of {found.tree.name}"
    changed = git.changed_since_head(found.root)
    if changed is None or found.config.path in changed or changed & set(_files_of(found, completer)):
        return everything, f"all {len(everything)} prompts of {found.tree.name}"
    hit = [audited for audited in everything if changed & _paths(found, completer, audited)]
    return hit, f"{len(hit)} of {len(everything)} prompts are affected by this commit"


def _files_of(found: Survey, completer: Completer) -> Iterable[str]:
    from lastgood.core.completer import named_files

    return named_files(completer, found.tree.entries)


def _paths(found: Survey, completer: Completer, audited: Audited) -> set[str]:
    prompt = audited.prompt
    golden = found.layout.golden.get(prompt.prompt_id, ())
    baseline = found.layout.baselines.get((completer.name, prompt.prompt_id), ())
    return {*prompt.files, *golden, *baseline, *found.layout.schemas}


def _ask(found: Survey, completer: Completer, asked: list[Asked]) -> list[Judgement]:
    def keep(_asked: Asked, _case: Case, _answer: Answer) -> None:
        """A commit leaves no run behind."""

    judgements = []
    coming = answers(found, completer, asked, jobs=None, keep=keep)
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
