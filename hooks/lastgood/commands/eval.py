"""`lastgood eval`: ask a completer every case that has no answer yet, grade, compare; leaves a pending run."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack

from lastgood.commands.accounts import Accounts, estimate
from lastgood.commands.asking import answers
from lastgood.commands.planned import planned
from lastgood.commands.progress import Progress
from lastgood.commands.survey import chosen, completer_of, unreadable, worktree_survey
from lastgood.core.judgement import DIFF, FAIL, NEW, UNSTABLE, verdict_of
from lastgood.core.model_name import alias_note
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.core.verdict import CANNOT_TELL, HELD
from lastgood.edge import roots
from lastgood.edge.completers import ask, words
from lastgood.edge.limits import allow_files
from lastgood.edge.runs import locked
from lastgood.errors import LastgoodError
from lastgood.report.asked import announcement
from lastgood.report.findings import Report, text
from lastgood.report.lines import beyond_replay, summary
from lastgood.report.printable import printable
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from lastgood.commands.asking import Asked, Asker
    from lastgood.commands.planned import Planned
    from lastgood.commands.survey import Survey
    from lastgood.core.case import Case
    from lastgood.core.config import Completer
    from lastgood.core.judgement import Judgement
    from lastgood.core.migration import Pin
    from lastgood.edge.completers import Answer
    from lastgood.edge.completers.words import Hidden


def run(options: Namespace) -> int:
    """Ask, print a line a case in suite order, sum up; what finished is kept even when interrupted."""
    found = worktree_survey(roots.find_root())
    completer = completer_of(found.config, options.completer)
    if options.command_line:
        completer = replace(completer, command=tuple(options.command_line), replay="")
    prompts = chosen(found, options.prompt)
    blocked = unreadable(found, prompts, completer)
    if blocked:
        print(text(Report("eval", found.tree.name, tuple(blocked))), end="", file=sys.stderr)
        return CANNOT_TELL
    with ExitStack() as stack:
        if not options.dry_run:
            allow_files(2 * len(prompts))  # a lock and a journal each
            for audited in prompts:
                stack.enter_context(locked(found.root, completer.name, audited.prompt.prompt_id))
        rows = planned(found, completer, prompts, options)
        for row in rows:
            target = _target(completer, row.asked)
            print(announcement(row.plan, target.prompt_sha256 if target else ""), flush=True)
        _note(alias_note(completer.name, completer.model))
        if options.dry_run:
            print(estimate(found.root, completer, [row.plan for row in rows]))
            return HELD
        judgements = _ask(found, completer, rows, _asker(stack, completer, options), options)
    beyond = beyond_replay(row.asked.replay.beyond for row in rows if row.asked.replay)
    print("\n".join([*beyond, summary(judgements)]))
    step = _next(completer, [row.asked for row in rows], judgements, options)
    if step:
        print(f"next: {Speller.of(found.root)(step)}")
    return verdict_of(judgements, fail_on_diff=options.fail_on_diff)


def _target(completer: Completer, asked: Asked) -> Pin | None:
    chain = asked.audited.chain(completer.origin)
    return chain.tip.target if chain and chain.tip else None


def _next(completer: Completer, asked: list[Asked], judgements: list[Judgement], options: Namespace) -> str:
    """What to run after this, if anything."""
    statuses = {judgement.status for judgement in judgements}
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in options.prompt)
    if completer.replay:  # nothing to look at: it was accepted once; what fails now has to be asked anew
        return f"lastgood eval{which} -c {completer.replay}" if FAIL in statuses else ""
    due = statuses & {DIFF, NEW, UNSTABLE} or not all(_pinned(completer, one) for one in asked)
    return f"lastgood diff{which} -c {completer.name}" if due else ""


def _pinned(completer: Completer, asked: Asked) -> bool:
    """Whether the baseline was taken of just this: else a migration is due, also when no completion moved."""
    pin = (asked.audited.prompt_sha256, asked.audited.suite.suite_hash, asked.fingerprint)
    target = _target(completer, asked)
    return target is not None and (target.prompt_sha256, target.suite_hash, target.completer) == pin


def _note(text: str) -> None:
    if text:
        print(f"note: {printable(text)}", flush=True)


def _asker(stack: ExitStack, completer: Completer, options: Namespace) -> Asker:
    """Who runs the completer: this process, or the executor that was named."""
    if bool(options.executor) != bool(options.scheduler):
        raise LastgoodError("--executor and --scheduler go together", fix="lastgood eval --help")
    if not options.executor:
        return ask
    if completer.protocol != "process":
        raise LastgoodError(
            f"the completer {completer.name!r} speaks protocol {completer.protocol}: only processes can be spread"
        )
    from lastgood.edge.completers.spread import dask_executor, spreading

    executor, working = stack.enter_context(dask_executor(options.scheduler))
    root = roots.find_root()
    resume = Speller.of(root)(_resume(completer, options, words.secrets(completer, os.environ)))
    return spreading(executor, working, lambda text: print(f"note: {text}", file=sys.stderr, flush=True), resume)


def _resume(completer: Completer, options: Namespace, hidden: Hidden) -> str:
    """The command that goes on where this one was interrupted, fit to be shown."""
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in options.prompt) + f" -c {completer.name}"
    if options.scheduler:
        which += f" --executor {options.executor} --scheduler {quoted(options.scheduler)}"
    command = [quoted(words.masked(word, hidden)) for word in options.command_line or ()]
    return " ".join([f"lastgood eval{which} --resume", *(["--", *command] if command else [])])


def _ask(
    found: Survey, completer: Completer, rows: Sequence[Planned], asker: Asker, options: Namespace
) -> list[Judgement]:
    judgements: list[Judgement] = []
    accounts = Accounts(found.root, completer)
    hidden = words.secrets(completer, os.environ)
    resume = Speller.of(found.root)(_resume(completer, options, hidden))
    with ExitStack() as stack:
        changed = [] if completer.replay else [row for row in rows if row.changes]  # a replay leaves no run
        journals = {row.prompt_id: stack.enter_context(row.journal(found.root, hidden)) for row in changed}
        progress = stack.enter_context(Progress(sum(row.plan.to_ask for row in rows), resume))

        def keep(asked: Asked, case: Case, answer: Answer) -> None:
            if not completer.replay:
                journals[asked.prompt_id].add(case.id, case.version, case.case_hash, answer)
            accounts.add(asked.prompt_id, answer.reported)
            progress.answered()

        plans = {row.prompt_id: row.plan for row in rows}
        asked = [row.asked for row in rows]
        coming = answers(found, completer, asked, jobs=options.jobs, area="runs", keep=keep, plans=plans, asker=asker)
        stack.callback(coming.close)
        for _, judgement in coming:
            progress.show(judgement)
            judgements.append(judgement)
    for row in rows:
        chain = row.asked.audited.chain(completer.name)
        for note in accounts.notes(row.plan, chain.tip.models if chain and chain.tip else ()):
            _note(note)
    print(accounts.took([row.plan for row in rows], progress.seconds))
    return judgements
