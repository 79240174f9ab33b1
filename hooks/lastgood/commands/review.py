"""`lastgood review`: one move after another, accepted, rejected or skipped; then recorded as `record` does."""

from __future__ import annotations

from contextlib import ExitStack

from lastgood.commands.accepting import Wish, accept, refuse_machine, refuse_unfit
from lastgood.commands.pending import Pending, pending_runs, token_of
from lastgood.commands.reviewing import Session
from lastgood.commands.scanned import refuse_secrets
from lastgood.commands.survey import chosen, completer_of, worktree_survey
from lastgood.core.judgement import FAIL
from lastgood.core.migration import visible_reason
from lastgood.core.review import ACCEPT, REJECT
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import BROKEN, CANNOT_TELL, HELD, MOVED, gravest
from lastgood.edge import roots, store, terminal
from lastgood.edge.keys import Keys
from lastgood.errors import LastgoodError, Refused
from lastgood.report.findings import sentence
from lastgood.report.paint import Paint
from lastgood.report.printable import printable
from lastgood.report.review import summary
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from lastgood.commands.survey import Survey
    from lastgood.core.review import Walk


def run(options: Namespace) -> int:
    """0 when all of it is recorded, 3 when something legal is left, 1 when a case fails, 4 when it is refused."""
    refuse_machine()
    if not terminal.attended():
        fix = "lastgood diff"
        raise Refused("a review needs a terminal; elsewhere, read the diff and record it by its token", fix=fix)
    root = roots.find_root()
    store.refuse_interrupted(root)
    found = worktree_survey(root)
    completer = completer_of(found.config, options.completer)
    runs = pending_runs(found, completer, chosen(found, options.prompt))
    pending = [item for item in runs if not (item.recordable and item.change().empty)]
    if not pending:
        print("nothing to review: this is what was accepted last")
        return HELD
    fit, refusals = _sorted_out(found, pending)
    if not fit:
        raise refusals[0]
    session = Session(found, fit, Paint(colour=terminal.coloured()))
    with Keys() as keys:
        ended = session.run(keys)
    spell = Speller.of(found.root)
    for refusal in refusals:  # now, where no screen wipes it away
        print(sentence(refusal.what, refusal.path, refusal.pointer, refusal.fix, spell))
    left = [CANNOT_TELL] if refusals else []
    return gravest([*left, _finish(found, fit, session.walk, ended=ended)])


def _sorted_out(found: Survey, pending: Sequence[Pending]) -> tuple[list[Pending], list[LastgoodError]]:
    """Runs that can be recorded once they are accepted, and why the others cannot."""
    fit, refusals = [], []
    for item in pending:
        try:
            refuse_unfit(found, item)
            refuse_secrets(item.judgements)
            fit.append(item)
        except LastgoodError as refusal:
            refusals.append(refusal)
    return fit, refusals


def _finish(found: Survey, pending: Sequence[Pending], walk: Walk, *, ended: bool) -> int:
    spell = Speller.of(found.root)
    print(summary(walk))
    left = [item for item in pending if not _accepted(item, walk)]
    ready = [item for item in pending if _accepted(item, walk)] if ended else []
    for item in left if ended else ():
        print("\n".join(_not_recorded(item, walk, spell)))
    if not ended:
        which = f" -c {pending[0].completer.name}"
        print(f"decisions are kept; next: {spell(f'lastgood review{which}')}")
    verdicts = [_verdict(item) for item in (left if ended else pending)]
    if ready:
        verdicts.append(_record(found, ready, spell))
    return gravest(verdicts)


def _verdict(item: Pending) -> int:
    return BROKEN if any(judgement.status == FAIL for judgement in item.judgements) else MOVED


def _accepted(item: Pending, walk: Walk) -> bool:
    """Whether every move of a run was accepted, and nothing of it fails."""
    ours = [one for one in walk.items if one.key[0] == item.prompt_id]
    return item.recordable and all(walk.decisions.get(one.key) == ACCEPT for one in ours)


def _not_recorded(item: Pending, walk: Walk, spell: Speller) -> list[str]:
    name = printable(item.prompt_id)
    failing = {judgement.case.id for judgement in item.judgements if judgement.status == FAIL}
    ours = [one.key for one in walk.items if one.key[0] == item.prompt_id]
    rejected = [case_id for key in ours if (case_id := key[1]) and walk.decisions.get(key) == REJECT]
    open_ones = [key[1] for key in ours if walk.decisions.get(key) not in (ACCEPT, REJECT) and key[1] not in failing]
    lists = (("fails", sorted(failing)), ("rejected", rejected), ("skipped", open_ones))
    lines = [f"{name} is not recorded: a baseline is at one pin, so all its answers are accepted or none"]
    lines += [f"  {word}: {', '.join(map(printable, ids))}" for word, ids in lists if ids]
    which = f"-p {quoted(item.prompt_id)} -c {item.completer.name}"
    if failing or rejected:
        files = " ".join(map(quoted, item.asked.audited.prompt.files))
        lines.append(f"  next: edit {printable(files)}, then {spell(f'lastgood eval {which}')}")
    else:
        lines.append(f"  next: {spell(f'lastgood review {which}')}")
    return lines


def _record(found: Survey, ready: Sequence[Pending], spell: Speller) -> int:
    """By the token of what was shown: when anything moved meanwhile, it is refused."""
    for item in ready:
        change = item.change()
        parts = [(len(change.moved), "moved"), (len(change.added), "new"), (len(change.removed), "gone")]
        told = ", ".join(f"{count} {word}" for count, word in parts if count) or "no completion moved, its pin does"
        print(f"{printable(item.prompt_id)}: {told}")
    completer = ready[0].completer.name
    token = token_of(ready)
    reason = _reason()
    if not reason:
        print(f"not recorded; decisions are kept, next: {spell(f'lastgood review -c {completer}')}")
        return MOVED
    with ExitStack() as stack:
        stack.enter_context(store.locked(found.root))
        return accept(found.root, Wish(completer, tuple(item.prompt_id for item in ready), reason, token), stack)


def _reason() -> str:
    """Why the moves are accepted; "" when the person leaves that for later."""
    while True:
        try:
            reason = visible_reason(input("Why may they move? "))
        except EOFError:
            print()
            return ""
        if reason:
            return reason
        print("a migration needs a reason, and that is none (Ctrl-D: later)")
