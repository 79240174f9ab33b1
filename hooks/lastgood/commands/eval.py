"""`lastgood eval`: ask a completer every case, grade, compare; leaves a pending run."""

from __future__ import annotations

import sys
from contextlib import ExitStack

from lastgood.commands.asking import answers, to_ask
from lastgood.commands.survey import chosen, completer_of, unreadable, worktree_survey
from lastgood.core.judgement import DIFF, FAIL, NEW, verdict_of
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.core.verdict import CANNOT_TELL
from lastgood.edge import clock, git
from lastgood.edge.runs import Header, Journal
from lastgood.errors import LastgoodError
from lastgood.report.findings import Report, text
from lastgood.report.lines import beyond_replay, case_line, summary
from lastgood.report.printable import printable
from lastgood.report.speller import Speller
from lastgood.report.words import counted

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.commands.asking import Asked
    from lastgood.commands.survey import Survey
    from lastgood.core.case import Case
    from lastgood.core.config import Completer
    from lastgood.core.judgement import Judgement
    from lastgood.edge.completers import Answer


def run(options: Namespace) -> int:
    """Ask, print a line a case in suite order, sum up; what finished is kept even when interrupted."""
    found = worktree_survey(git.find_root())
    completer = completer_of(found.config, options.completer)
    if options.command_line:
        completer = replace(completer, command=tuple(options.command_line), replay="")
    prompts = chosen(found, options.prompt)
    blocked = unreadable(found, prompts, completer)
    if blocked:
        print(text(Report("eval", found.tree.name, tuple(blocked))), end="", file=sys.stderr)
        return CANNOT_TELL
    asked = select([to_ask(found, completer, audited) for audited in prompts], options.case)
    _announce(completer, asked)
    judgements = _ask(found, completer, asked, options.jobs)
    print("\n".join([*beyond_replay(one.replay.beyond for one in asked if one.replay), summary(judgements)]))
    step = _next(completer, asked, judgements)
    if step:
        print(f"next: {Speller.of(found.root)(step)}")
    return verdict_of(judgements, fail_on_diff=options.fail_on_diff)


def _next(completer: Completer, asked: list[Asked], judgements: list[Judgement]) -> str:
    """What to run after this, if anything."""
    statuses = {judgement.status for judgement in judgements}
    if completer.replay:  # nothing to look at: it was accepted once; what fails now has to be asked anew
        return f"lastgood eval -c {completer.replay}" if FAIL in statuses else ""
    due = statuses & {DIFF, NEW} or not all(_pinned(completer, one) for one in asked)
    return f"lastgood diff -c {completer.name}" if due else ""


def select(prompts: list[Asked], case_ids: list[str]) -> list[Asked]:
    """Only the cases asked for; LastgoodError when one of them is nowhere, or nothing is left to ask."""
    known = {case.id for asked in prompts for case in asked.cases}
    for case_id in case_ids:
        if case_id not in known:
            raise LastgoodError(f"no active case {case_id!r} (there are: {', '.join(sorted(known)) or 'none'})")
    empty = [asked.prompt_id for asked in prompts if not asked.cases]
    if empty and not case_ids:
        raise LastgoodError(f"no case to ask of {', '.join(empty)}: nothing would be checked", fix="lastgood check")
    wanted = set(case_ids) or known
    left = [replace(asked, cases=tuple(case for case in asked.cases if case.id in wanted)) for asked in prompts]
    left = [asked for asked in left if asked.cases]
    if not left:
        raise LastgoodError("no prompt to ask: nothing would be checked", fix="lastgood check")
    return left


def _pinned(completer: Completer, asked: Asked) -> bool:
    """Whether the baseline was taken of just this: else a migration is due, also when no completion moved."""
    chain = asked.audited.chain(completer.name)
    pin = (asked.audited.prompt_sha256, asked.audited.suite.suite_hash, asked.fingerprint)
    target = chain.tip.target if chain and chain.tip else None
    return target is not None and (target.prompt_sha256, target.suite_hash, target.completer) == pin


def _announce(completer: Completer, prompts: list[Asked]) -> None:
    for asked in prompts:
        chain = asked.audited.chain(completer.origin)
        now = asked.audited.prompt_sha256[:12]
        pinned = chain.tip.target.prompt_sha256[:12] if chain and chain.tip else ""
        state = (
            f"moved {pinned} → {now}" if pinned and pinned != now else f"{now} {'pinned' if pinned else 'no baseline'}"
        )
        parts = (
            f"{printable(asked.prompt_id)}: {state}",
            counted(len(asked.cases), "case"),
            f"completer {completer.name}",
        )
        print(", ".join(parts), flush=True)


def _ask(found: Survey, completer: Completer, prompts: list[Asked], jobs: int | None) -> list[Judgement]:
    judgements = []
    with ExitStack() as stack:
        journals = {}
        for asked in () if completer.replay else prompts:
            journals[asked.prompt_id] = Journal(found.root, _header(completer, asked))
            stack.callback(journals[asked.prompt_id].close)

        def keep(asked: Asked, case: Case, answer: Answer) -> None:
            if journals:  # a replay leaves no run: what it answers is accepted already
                journals[asked.prompt_id].add(case.id, case.version, case.case_hash, answer)

        for _, judgement in answers(found, completer, prompts, jobs=jobs, area="runs", keep=keep):
            print(case_line(judgement), flush=True)
            judgements.append(judgement)
    return judgements


def _header(completer: Completer, asked: Asked) -> Header:
    return Header(
        prompt_id=asked.prompt_id,
        completer=completer.name,
        prompt_sha256=asked.audited.prompt_sha256,
        suite_hash=asked.audited.suite.suite_hash,
        fingerprint=asked.fingerprint,
        command=completer.command,
        output=asked.output,
        started_at=clock.now(),
    )
