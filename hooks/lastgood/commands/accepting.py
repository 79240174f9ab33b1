"""Accepting judged runs: what refuses it, and what is written. The one way that `record` and `review` share."""

from __future__ import annotations

import os

from lastgood.commands.pending import Pending, pending_run, refuse_replay, token_of
from lastgood.commands.scanned import refuse_secrets
from lastgood.commands.shown import moved_document
from lastgood.commands.survey import chosen, completer_of, worktree_survey
from lastgood.commands.undoing import undo
from lastgood.commands.unstaged import from_head, left_out
from lastgood.core.acceptance import MENDED_BY_RECORDING, Signature, migrate, repin
from lastgood.core.completer import file_like
from lastgood.core.guard import refusal
from lastgood.core.judgement import FAIL, UNSTABLE
from lastgood.core.layout import baseline_folder
from lastgood.core.migration import visible_reason
from lastgood.core.shell import quoted
from lastgood.core.staging import add, places_of
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import CANNOT_TELL, HELD
from lastgood.edge import clock, store, terminal
from lastgood.edge.limits import allow_files
from lastgood.edge.runs import forget_run, locked
from lastgood.errors import LastgoodError, Refused
from lastgood.report.moves_text import text
from lastgood.report.paint import Paint
from lastgood.report.printable import printable, shown_path
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import ExitStack

    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.config import Completer
    from lastgood.core.verdict import Finding


@value(frozen=True)
class Wish:
    """What is to be accepted, why, and the token that proves it was read ("": ask, at a terminal)."""

    completer: str
    prompts: tuple[str, ...]
    reason: str
    accept: str = ""
    merge: bool = False
    restore: int | None = None


def refuse_machine() -> None:
    """Refused in CI and in hooks: there is no override."""
    why = refusal(os.environ)
    if why:
        raise Refused(f"recording is refused: {why}; a person accepts a completion, after reading it")


def accept(root: str, wish: Wish, stack: ExitStack) -> int:
    """Record; every refusal is an exception, and nothing was written. Call it inside `store.locked`.

    Until `stack` ends, no evaluation of these prompts can begin.
    """
    store.refuse_interrupted(root)
    found = worktree_survey(root)
    completer = completer_of(found.config, wish.completer)
    refuse_replay(completer)
    prompts = chosen(found, wish.prompts)
    allow_files(len(prompts))
    for audited in prompts:  # what is accepted must not change under the reader's eyes
        stack.enter_context(locked(root, completer.name, audited.prompt.prompt_id))
    pending = _wanted(found, completer, wish)
    if wish.merge and not any(len(item.parents) > 1 for item in pending):
        names = ", ".join(audited.prompt.prompt_id for audited in prompts)
        raise Refused(f"nothing to merge: the chain of {names} has one head", fix="lastgood status")
    for item in pending:
        refuse_unfit(found, item, merge=wish.merge)
        refuse_failing(item)
    if all(item.change().empty for item in pending):
        _nothing_new(found, pending, keep=wish.restore is not None)
        _say_stage(found, completer.name, chosen(found, wish.prompts))
        return HELD
    for item in pending:
        refuse_secrets(item.judgements)
    reason = visible_reason(wish.reason)
    if not reason:
        given = f" --accept {quoted(wish.accept)}" if wish.accept else ""
        given = f"{_which(wish, completer)}{' --merge' * wish.merge}{given}"
        raise Refused("a migration needs a reason", fix=f"lastgood record{given} --reason '…'")
    _prove_read(root, pending, wish)
    _apply(found, pending, Signature(reason, clock.author(root), clock.now()), keep=wish.restore is not None)
    return HELD


def _wanted(found: Survey, completer: Completer, wish: Wish) -> list[Pending]:
    """The runs to accept. None where all of it was accepted already; LastgoodError where nothing was asked yet."""
    prompts = chosen(found, wish.prompts)
    if wish.restore is not None:
        from lastgood.commands.restoring import restored

        return restored(found, completer, prompts, wish.restore)
    runs = [pending_run(found, completer, audited) for audited in prompts]
    pending = [item for item in runs if item]
    if not pending and not all(_in_step(found, completer, audited) for audited in prompts):
        raise LastgoodError(f"no pending run of {completer.name}", fix=f"lastgood eval -c {completer.name}")
    return pending


def _in_step(found: Survey, completer: Completer, audited: Audited) -> bool:
    """Whether the baseline of a prompt is exactly of what the tree holds now."""
    prompt_id = audited.prompt.prompt_id
    of_it = [f for f in found.findings if f.prompt_id == prompt_id and f.completer in ("", completer.name)]
    chain = audited.chain(completer.name)
    return not of_it and chain is not None and chain.tip is not None


def refuse_unfit(found: Survey, item: Pending, *, merge: bool = False) -> None:
    """Refused when this run cannot be accepted as the tree is now, whatever a person thinks of its answers."""
    which = f"-p {quoted(item.prompt_id)} -c {item.completer.name}"
    mended = MENDED_BY_RECORDING | ({"two-heads"} if merge else set())
    ours = from_head(found, [finding for finding in found.findings if finding.prompt_id in ("", item.prompt_id)])
    blocking = next((finding for finding in ours if _blocks(finding, item, mended)), None)
    if blocking:
        fix = blocking.fix[0] if blocking.fix else "lastgood status"
        fix = f"lastgood record --merge {which} --reason '…'" if blocking.code == "two-heads" else fix
        raise Refused(f"cannot record: {blocking.message}", path=blocking.path, pointer=blocking.pointer, fix=fix)
    if item.stale:
        raise Refused(f"the run of {item.prompt_id} is stale: {item.stale[0]}", fix=f"lastgood eval {which}")
    if item.unanswered:
        names = ", ".join(case.id for case in item.unanswered)
        raise Refused(f"the run of {item.prompt_id} has no answer of: {names}", fix=f"lastgood eval {which}")
    if item.lacking:
        names = ", ".join(case.id for case in item.lacking)
        raise Refused(
            f"a completion is accepted when {item.completer.repeat} answers are equal; fewer were asked of: {names}",
            fix=f"lastgood eval {which}",
        )
    unstable = [judgement for judgement in item.judgements if judgement.status == UNSTABLE]
    if unstable:
        what = "; ".join(f"{j.case.id} ({', '.join(j.wobble)})" for j in unstable)
        raise Refused(f"an unstable case is never recorded, its answers differ: {what}", fix=f"lastgood diff {which}")


def refuse_failing(item: Pending) -> None:
    """Refused when a case fails."""
    failing = [judgement for judgement in item.judgements if judgement.status == FAIL]
    if failing:
        what = "; ".join(f"{j.case.id}: {', '.join(map(str, j.failures))}" for j in failing)
        which = f"-p {quoted(item.prompt_id)} -c {item.completer.name}"
        raise Refused(f"a failing case is never recorded: {what}", fix=f"lastgood eval {which}")


def _blocks(finding: Finding, item: Pending, mended: frozenset[str]) -> bool:
    if finding.completer not in ("", item.completer.name):
        return False
    if not finding.prompt_id:
        return finding.code in ("unmerged", "completer-untracked", "completer-mode")
    ours = finding.prompt_id == item.prompt_id
    return ours and (finding.verdict == CANNOT_TELL or finding.code not in mended)


def _prove_read(root: str, pending: Sequence[Pending], wish: Wish) -> None:
    """The token of exactly this run, or a yes at a terminal after its diff was shown."""
    token = token_of(pending)
    which = _which(wish, pending[0].completer)
    if wish.accept:
        if wish.accept != token:
            raise Refused(
                f"the token {wish.accept} is not of this run: it moved since, or another one was shown",
                fix=f"lastgood diff{which}",
            )
        return
    if not terminal.attended():
        raise Refused(
            "nothing shows that the diff was read: read it, and record with the token that it ends with",
            fix=f"lastgood diff{which}",
        )
    print(text(moved_document(root, pending, token), Paint(colour=terminal.coloured())), end="")
    try:
        answer = input("Make these the last good completions? [y/N] ")
    except EOFError:  # Ctrl-D is no yes
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise Refused("not accepted; the run stays pending", fix=f"lastgood diff{which}")


def _which(wish: Wish, completer: Completer) -> str:
    """What is to be recorded, as options of `diff` and `record`."""
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in wish.prompts) + f" -c {completer.name}"
    return which + (f" --restore {wish.restore}" if wish.restore else "")


def _apply(found: Survey, pending: Sequence[Pending], signature: Signature, *, keep: bool) -> None:
    files: dict[str, bytes | None] = {}
    names = []
    for item in pending:
        change = item.change()
        files |= _repinned(found, item)
        if change.empty:
            continue
        name, planned = migrate(change, signature)
        names.append(f"{item.completer.name}/{item.prompt_id}: {name}")
        files |= planned
    back = undo(Speller.of(found.root), found.root, files)
    store.apply(found.root, files)
    _forget(found, pending, keep=keep)
    for name in names:
        print(f"recorded {printable(name)}")
    _say_stage(found, pending[0].completer.name, [item.asked.audited for item in pending])
    print(printable(back))


def _nothing_new(found: Survey, pending: Sequence[Pending], *, keep: bool) -> None:
    """No migration; but a suite's own `prompt_sha256` may still name other bytes than those that were accepted."""
    files = {path: data for item in pending for path, data in _repinned(found, item).items()}
    if files:
        store.apply(found.root, files)
    _forget(found, pending, keep=keep)
    print("nothing to record: the baseline already holds exactly this")
    for path in files:
        print(f"wrote {shown_path(path)}: its prompt_sha256 is that of the prompt now")


def _say_stage(found: Survey, completer: str, prompts: Iterable[Audited]) -> None:
    """What a commit of these prompts still misses, as a command."""
    prompts = list(prompts)
    places = [place for audited in prompts for place in places_of(audited)]
    places += [baseline_folder(completer, audited.prompt.prompt_id) for audited in prompts]
    asked = found.config.completer(completer)
    places += [found.config.path, *(file_like(asked) if asked else ())]  # the migration names them as they are now
    command = add(places, left_out(found.root, places))
    if command:
        print(f"next: {printable(Speller.of(found.root)(command))} && git commit")


def _forget(found: Survey, pending: Sequence[Pending], *, keep: bool) -> None:
    """A run that was accepted is no longer pending; one that was passed over for an earlier answer still is."""
    for item in () if keep else pending:
        forget_run(found.root, item.completer.name, item.prompt_id)


def _repinned(found: Survey, item: Pending) -> dict[str, bytes | None]:
    """Suite files whose own `prompt_sha256` names other bytes of the prompt; layout and line endings stay."""
    audited = item.asked.audited
    files: dict[str, bytes | None] = {}
    for path, pinned in audited.suite.pins.items():
        if pinned != audited.prompt_sha256:
            with open(os.path.join(found.root, path), "rb") as file:
                files[path] = repin(file.read(), pinned, audited.prompt_sha256)
    return files
