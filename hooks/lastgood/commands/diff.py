"""`lastgood diff`: the pending run against the baseline, and the token that stands for exactly what was shown."""

from __future__ import annotations

import json

from lastgood.commands.pending import Pending, pending_runs, token_of
from lastgood.commands.survey import chosen, completer_of, worktree_survey
from lastgood.core.judgement import DIFF, FAIL, NEW, UNSTABLE, verdict_of
from lastgood.core.moves import moves
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import git
from lastgood.edge.folder import run_folder
from lastgood.edge.text_diff import MOST_LINES, unified
from lastgood.report.moves import Shown, diffable, document, text
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from lastgood.core.judgement import Judgement
    from lastgood.core.trace import Completion


def run(options: Namespace) -> int:
    """Show what moved; the exit code is 1 when a case fails, else 0: a move that is read is no failure."""
    found = worktree_survey(git.find_root())
    completer = completer_of(found.config, options.completer)
    pending = pending_runs(found, completer, chosen(found, options.prompt))
    shown = show(found.root, pending, whole=options.format == "json")
    token = token_of(pending)
    if options.format == "json":
        print(json.dumps(document(shown, token), indent=2))
    else:
        print(text(shown, token), end="")
        print(_next(Speller.of(found.root), pending, token, options.prompt))
    return verdict_of((j for item in pending for j in item.judgements), fail_on_diff=False)


def show(root: str, pending: Sequence[Pending], *, whole: bool = False) -> list[Shown]:
    """What there is to read of pending runs; all diffs by one git process."""
    pairs = {
        (item.prompt_id, j.case.id): _sides(item, j)
        for item in pending
        for j in item.judgements
        if j.status in (DIFF, NEW, UNSTABLE) and j.completion
    }
    texts = [
        (f"{prompt_id}\0{case_id}", diffable(old) if old else "", diffable(new))
        for (prompt_id, case_id), (old, new) in pairs.items()
    ]
    diffs = unified(texts, scratch=run_folder(root, "tmp"), max_lines=None if whole else MOST_LINES)
    return [
        Shown(
            prompt_id=item.prompt_id,
            completer=item.completer.name,
            source=item.chain.tip.target.prompt_sha256 if item.chain and item.chain.tip else "",
            target=item.run.header.prompt_sha256,
            judgements=item.judgements,
            kinds={
                case_id: moves(old, new)
                for (prompt_id, case_id), (old, new) in pairs.items()
                if prompt_id == item.prompt_id and old
            },
            diffs={
                case_id: diffs[f"{prompt_id}\0{case_id}"] for prompt_id, case_id in pairs if prompt_id == item.prompt_id
            },
            unanswered=tuple(case.id for case in item.unanswered),
            stale=item.stale,
            obsolete=item.obsolete,
            lacking=tuple(case.id for case in item.lacking),
            note=item.note,
        )
        for item in pending
    ]


def _sides(item: Pending, judgement: Judgement) -> tuple[Completion | None, Completion]:
    """The accepted completion and the new one; of an unstable case, its first answer and the first that differs."""
    now = judgement.completion
    assert now is not None
    if judgement.status != UNSTABLE:
        return item.before.get(judgement.case.id), now
    other = judgement.unequal[0].completion
    assert other is not None
    return now, other


def _next(spell: Speller, pending: Sequence[Pending], token: str, prompts: Sequence[str]) -> str:
    completer = pending[0].completer.name
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in prompts) + f" -c {completer}"
    if not all(item.recordable for item in pending):
        failing = any(found.status == FAIL for item in pending for found in item.judgements)
        return f"next: {'mend what fails, then ' if failing else ''}{spell(f'lastgood eval{which}')}"
    if all(item.change().empty for item in pending):
        return "nothing to accept: this is what was accepted last"
    return f"accept: {spell(f'lastgood record{which} --accept {token}')} " + spell_reason(spell)


def spell_reason(spell: Speller) -> str:
    """How the reason is given on this repository's command line."""
    return "REASON='…'" if spell.make else "--reason '…'"
