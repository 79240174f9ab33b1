"""`lastgood diff`: the pending run against the baseline, and the token that stands for exactly what was shown."""

from __future__ import annotations

import json

from lastgood.commands.pending import Pending, pending_runs, token_of
from lastgood.commands.restoring import restored
from lastgood.commands.shown import moved_document
from lastgood.commands.survey import chosen, completer_of, worktree_survey
from lastgood.core.judgement import FAIL, verdict_of
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import roots
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def run(options: Namespace) -> int:
    """Show what moved; the exit code is 1 when a case fails, else 0: a move that is read is no failure."""
    found = worktree_survey(roots.find_root())
    completer = completer_of(found.config, options.completer)
    prompts = chosen(found, options.prompt)
    if options.restore is None:
        pending = pending_runs(found, completer, prompts)
    else:
        pending = restored(found, completer, prompts, options.restore)
    token = token_of(pending)
    moved = moved_document(found.root, pending, token, whole=options.format == "json")
    after = next_step(Speller.of(found.root), pending, token, options)
    if options.format == "json":
        print(json.dumps(moved, indent=2))
    elif options.format == "markdown":
        from lastgood.report.moves_markdown import markdown

        print(markdown(moved, after), end="")
    else:
        from lastgood.edge.terminal import coloured
        from lastgood.report.moves_text import text
        from lastgood.report.paint import Paint

        print(text(moved, Paint(colour=coloured())), end="")
        print(after)
    return verdict_of((j for item in pending for j in item.judgements), fail_on_diff=False)


def next_step(spell: Speller, pending: Sequence[Pending], token: str, options: Namespace) -> str:
    """What to type after reading the diff of these runs."""
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in options.prompt) + f" -c {pending[0].completer.name}"
    if not all(item.recordable for item in pending):
        failing = any(found.status == FAIL for item in pending for found in item.judgements)
        return f"next: {'mend what fails, then ' if failing else ''}{spell(f'lastgood eval{which}')}"
    if all(item.change().empty for item in pending):
        return "nothing to accept: this is what was accepted last"
    back = f" --restore {options.restore}" if options.restore else ""
    back += " --merge" * any(len(item.parents) > 1 for item in pending)
    command = f"lastgood record{which}{back} --accept {token} --reason '…'"
    return f"accept: {spell(command)}"
