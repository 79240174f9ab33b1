"""What `eval` is about to do, prompt by prompt: the pending runs there are, and what is left to ask on top of them."""

from __future__ import annotations

import sys

from lastgood.commands.asking import refuse_unjudged, to_ask
from lastgood.commands.pending import stale
from lastgood.core.plan import plan
from lastgood.core.run import Header
from lastgood.core.shell import quoted
from lastgood.core.suggest import known_names
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.edge import clock
from lastgood.edge.completers.words import masked
from lastgood.edge.runs import Journal, UnreadableRun, read_run, set_aside
from lastgood.errors import LastgoodError, Refused
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from lastgood.commands.asking import Asked
    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.config import Completer
    from lastgood.core.plan import Plan
    from lastgood.core.run import Run
    from lastgood.edge.completers.words import Hidden


@value(frozen=True)
class Planned:
    """One prompt: the cases wanted of it, the pending run it has, and what is left to ask."""

    asked: Asked
    run: Run | None
    plan: Plan

    @property
    def prompt_id(self) -> str:
        return self.asked.prompt_id

    @property
    def changes(self) -> bool:
        """Whether the run has to be written: an answer is awaited, or it does not say yet what it is of."""
        if self.plan.to_ask or not self.run:
            return True
        header, before = self.plan.header, self.run.header
        return (before.pin, before.suite_hash) != (header.pin, header.suite_hash)

    def journal(self, root: str, hidden: Hidden) -> Journal:
        """Where its answers go."""
        command = tuple(masked(word, hidden) for word in self.plan.header.command)
        kept = (answer for answers in self.plan.kept.values() for answer in answers)
        return Journal(root, replace(self.plan.header, command=command), kept)


def planned(found: Survey, completer: Completer, prompts: Sequence[Audited], options: Namespace) -> list[Planned]:
    """The plan of one command; LastgoodError when a filter matches nothing, nothing is there to ask or to resume."""
    if options.resume:
        return _resumed(found, completer, prompts, options)
    rows = []
    for asked in select([to_ask(found, completer, audited) for audited in prompts], options.case):
        run = _readable(found.root, completer.name, asked.prompt_id, look_only=options.dry_run)
        header = _header(completer, asked, options)
        if run and run.header.pin == header.pin:
            header = replace(header, started_at=run.header.started_at, only=_owed(asked, run.header.only, header.only))
        rows.append(Planned(asked, run, plan(header, asked.cases, run, anew=options.all)))
    return rows


def _owed(asked: Asked, before: tuple[str, ...], now: tuple[str, ...]) -> tuple[str, ...]:
    """The cases that a run is of when more are asked on top of it; none: all of them. What it owes, it still owes."""
    active = {case_id for case_id, _ in asked.audited.suite.active}
    kept = tuple(case_id for case_id in before if case_id in active)
    return tuple(dict.fromkeys((*kept, *now))) if before and now else ()


def select(prompts: list[Asked], case_ids: Sequence[str]) -> list[Asked]:
    """Only the cases asked for; LastgoodError when one of them is nowhere, or nothing is left to ask."""
    known = {case.id for asked in prompts for case in asked.cases}
    for case_id in case_ids:
        if case_id not in known:
            raise LastgoodError(f"no active case {case_id!r} ({known_names(case_id, known)})", fix="lastgood status")
    empty = [asked.prompt_id for asked in prompts if not asked.cases]
    if empty and not case_ids:
        refuse_unjudged([asked for asked in prompts if not asked.cases])
        raise LastgoodError(f"no case to ask of {', '.join(empty)}: nothing would be checked", fix="lastgood check")
    wanted = set(case_ids) or known
    left = [replace(asked, cases=tuple(case for case in asked.cases if case.id in wanted)) for asked in prompts]
    left = [asked for asked in left if asked.cases]
    if not left:
        raise LastgoodError("no prompt to ask: nothing would be checked", fix="lastgood check")
    return left


def _readable(root: str, completer: str, prompt_id: str, *, look_only: bool) -> Run | None:
    try:
        return read_run(root, completer, prompt_id)
    except UnreadableRun as exc:
        kept = "" if look_only else "; it is kept beside it, as run.jsonl.unreadable"
        print(f"note: {printable(exc.path)}: {exc.what}; a new one takes its place{kept}", file=sys.stderr)
        if not look_only:
            set_aside(root, completer, prompt_id)
        return None


def _resumed(found: Survey, completer: Completer, prompts: Sequence[Audited], options: Namespace) -> list[Planned]:
    if options.case:
        raise LastgoodError("--resume goes on with the cases that the run was of; leave out -k")
    rows = []
    for audited in prompts:
        prompt_id = audited.prompt.prompt_id
        run = read_run(found.root, completer.name, prompt_id)
        if run is None and options.prompt:
            fix = f"lastgood eval -p {quoted(prompt_id)} -c {completer.name}"
            raise Refused(f"no run of {prompt_id} by {completer.name} to resume", fix=fix)
        if run is None:
            continue
        asked = to_ask(found, completer, audited)
        moved = next(iter(stale(asked, run)), "")
        if moved:
            fix = f"lastgood eval -p {quoted(prompt_id)} -c {completer.name}"
            raise Refused(f"the run of {prompt_id} cannot be resumed: {moved}", fix=fix)
        (asked,) = select([asked], run.header.only)
        header = replace(run.header, repeat=options.repeat or run.header.repeat)
        rows.append(Planned(asked, run, plan(header, asked.cases, run)))
    if not rows:
        raise Refused(f"no run of {completer.name} to resume", fix=f"lastgood eval -c {completer.name}")
    if not any(row.plan.to_ask for row in rows):
        fix = f"lastgood diff -c {completer.name}"
        raise Refused("nothing to resume: every case of the run is answered", fix=fix)
    return rows


def _header(completer: Completer, asked: Asked, options: Namespace) -> Header:
    return Header(
        prompt_id=asked.prompt_id,
        completer=completer.name,
        prompt_sha256=asked.audited.prompt_sha256,
        suite_hash=asked.audited.suite.suite_hash,
        fingerprint=asked.fingerprint,
        command=completer.command,
        output=asked.output,
        started_at=clock.now(),
        repeat=options.repeat or completer.repeat,
        only=tuple(options.case),
    )
