"""`lastgood record`: make the pending run the baseline. Plan, show, ask, apply: all of it or nothing."""

from __future__ import annotations

import os

from lastgood.commands.pending import Pending, pending_runs, token_of
from lastgood.commands.scanned import refuse_secrets
from lastgood.commands.shown import show
from lastgood.commands.survey import chosen, completer_of, worktree_survey
from lastgood.commands.unstaged import left_out
from lastgood.core.acceptance import Signature, migrate, repin
from lastgood.core.guard import refusal
from lastgood.core.judgement import FAIL
from lastgood.core.layout import baseline_folder
from lastgood.core.migration import visible_reason
from lastgood.core.shell import quoted
from lastgood.core.staging import add, places_of
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, HELD
from lastgood.edge import clock, git, store, terminal
from lastgood.edge.runs import forget_run
from lastgood.errors import LastgoodError, Refused
from lastgood.report.moves import document
from lastgood.report.moves_text import text
from lastgood.report.paint import Paint
from lastgood.report.printable import printable, shown_path

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from lastgood.commands.survey import Survey
    from lastgood.core.verdict import Finding

# Findings that recording is the answer to. Any other of the same prompt has to be mended first.
_MENDED_BY_RECORDING = frozenset(
    {
        "no-baseline",
        "prompt-moved",
        "suite-moved",
        "suite-pin",
        "completer-moved",
        "baseline-missing",
        "baseline-stale",
        "baseline-obsolete",
        "normalization-moved",
    }
)


def run(options: Namespace) -> int:
    """Record; every refusal is an exception, and nothing was written."""
    why = refusal(os.environ)
    if why:
        raise Refused(f"recording is refused: {why}; a person accepts a completion, after reading it")
    root = git.find_root()
    with store.locked(root):
        if options.resume:
            return _resume(root)
        store.refuse_interrupted(root)
        found = worktree_survey(root)
        completer = completer_of(found.config, options.completer)
        pending = pending_runs(found, completer, chosen(found, options.prompt))
        for item in pending:
            _refuse_unfit(found, item, merge=options.merge)
        if all(item.change().empty for item in pending):
            return _nothing_new(found, pending)
        for item in pending:
            refuse_secrets(item.judgements)
        reason = visible_reason(options.reason)
        if not reason:
            raise Refused("a migration needs a reason", fix="lastgood record --reason 'why these answers may move'")
        _prove_read(root, pending, options.accept, options.prompt)
        _apply(found, pending, Signature(reason, clock.author(root), clock.now()))
    return HELD


def _resume(root: str) -> int:
    if not store.interrupted(root):
        raise LastgoodError("no record was interrupted here", fix="lastgood status")
    for path in store.resume(root):
        print(f"wrote {shown_path(path)}")
    return HELD


def _refuse_unfit(found: Survey, item: Pending, *, merge: bool) -> None:
    which = f"-p {quoted(item.prompt_id)} -c {item.completer.name}"
    if merge and len(item.parents) < 2:
        raise Refused(f"nothing to merge: the chain of {item.prompt_id} has one head", fix="lastgood status")
    mended = _MENDED_BY_RECORDING | ({"two-heads"} if merge else set())
    blocking = next((finding for finding in found.findings if _blocks(finding, item, mended)), None)
    if blocking:
        fix = blocking.fix[0] if blocking.fix else "lastgood status"
        raise Refused(f"cannot record: {blocking.message}", path=blocking.path, pointer=blocking.pointer, fix=fix)
    if item.stale:
        raise Refused(f"the run of {item.prompt_id} is stale: {item.stale[0]}", fix=f"lastgood eval {which}")
    if item.unanswered:
        names = ", ".join(case.id for case in item.unanswered)
        raise Refused(f"the run of {item.prompt_id} has no answer of: {names}", fix=f"lastgood eval {which}")
    failing = [judgement for judgement in item.judgements if judgement.status == FAIL]
    if failing:
        what = "; ".join(f"{j.case.id}: {', '.join(map(str, j.failures))}" for j in failing)
        raise Refused(f"a failing case is never recorded: {what}", fix=f"lastgood eval {which}")


def _blocks(finding: Finding, item: Pending, mended: frozenset[str]) -> bool:
    if finding.completer not in ("", item.completer.name):
        return False
    if not finding.prompt_id:
        return finding.code in ("unmerged", "completer-untracked", "completer-mode")
    ours = finding.prompt_id == item.prompt_id
    return ours and (finding.verdict == CANNOT_TELL or finding.code not in mended)


def _prove_read(root: str, pending: Sequence[Pending], accepted: str, prompts: Sequence[str]) -> None:
    """The token of exactly this run, or a yes at a terminal after its diff was shown."""
    token = token_of(pending)
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in prompts) + f" -c {pending[0].completer.name}"
    if accepted:
        if accepted != token:
            raise Refused(
                f"the token {accepted} is not of this run: it moved since, or another one was shown",
                fix=f"lastgood diff{which}",
            )
        return
    if not terminal.attended():
        raise Refused(
            "nothing shows that the diff was read: read it, and give the token that it ends with by --accept",
            fix=f"lastgood diff{which}",
        )
    print(text(document(show(root, pending), token), Paint(colour=terminal.coloured())), end="")
    try:
        answer = input("Make these the last good completions? [y/N] ")
    except EOFError:  # Ctrl-D is no yes
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        raise Refused("not accepted; the run stays pending", fix=f"lastgood diff{which}")


def _apply(found: Survey, pending: Sequence[Pending], signature: Signature) -> None:
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
    store.apply(found.root, files)
    for item in pending:
        forget_run(found.root, item.completer.name, item.prompt_id)
    for name in names:
        print(f"recorded {printable(name)}")
    _say_stage(found, pending)


def _nothing_new(found: Survey, pending: Sequence[Pending]) -> int:
    """No migration; but a suite's own `prompt_sha256` may still name other bytes than those that were accepted."""
    files = {path: data for item in pending for path, data in _repinned(found, item).items()}
    if files:
        store.apply(found.root, files)
    for item in pending:
        forget_run(found.root, item.completer.name, item.prompt_id)
    print("nothing to record: the baseline already holds exactly this")
    for path in files:
        print(f"wrote {shown_path(path)}: its prompt_sha256 is that of the prompt now")
    _say_stage(found, pending)
    return HELD


def _say_stage(found: Survey, pending: Sequence[Pending]) -> None:
    """What a commit of these prompts still misses, as a command."""
    places = [place for item in pending for place in places_of(item.asked.audited)]
    places += [baseline_folder(item.completer.name, item.prompt_id) for item in pending]
    command = add(places, left_out(found.root, places))
    if command:
        print(f"next: {printable(command)} && git commit")


def _repinned(found: Survey, item: Pending) -> dict[str, bytes | None]:
    """Suite files whose own `prompt_sha256` names other bytes of the prompt; layout and line endings stay."""
    audited = item.asked.audited
    files: dict[str, bytes | None] = {}
    for path, pinned in audited.suite.pins.items():
        if pinned != audited.prompt_sha256:
            with open(os.path.join(found.root, path), "rb") as file:
                files[path] = repin(file.read(), pinned, audited.prompt_sha256)
    return files
