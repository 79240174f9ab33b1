"""Completions that came with an import: put into the pending run, where a person looks at them and records them."""

from __future__ import annotations

import json
import os

from lastgood.commands.asking import to_ask
from lastgood.commands.survey import as_error, chosen, completer_of, unreadable, worktree_survey
from lastgood.core.importing.drafts import Loss
from lastgood.core.run import Header, Recorded
from lastgood.core.usage import Reported
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge import clock
from lastgood.edge.completers import words
from lastgood.edge.runs import Journal, UnreadableRun, locked, read_run
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastgood.commands.asking import Asked
    from lastgood.commands.survey import Survey
    from lastgood.core.config import Completer
    from lastgood.core.importing.drafts import Said


@value(frozen=True)
class Forward:
    """Completions of one prompt that go into the pending run of `completer`: case id → the text and the model."""

    prompt_id: str
    completer: str
    texts: Mapping[str, tuple[str, str]]


def planned(
    found: Survey, name: str, prompt_id: str, said: Mapping[str, Said], places: Mapping[str, str]
) -> tuple[Forward | None, tuple[Loss, ...]]:
    """What can be put forward of `said` (case id → completion), and what cannot; `places` is case id → source file.

    What is accepted or pending already is neither: it stays, and importing it again changes nothing.
    """
    why, completer, done = _who(found, name, prompt_id)
    output = completer.output_for(prompt_id) if completer else ""
    losses, texts = [], {}
    for case_id, one in said.items():
        if case_id in done:
            continue
        reason = why or _unsayable(one, output, completer.name if completer else "")
        if reason:
            losses.append(Loss(places.get(case_id, ""), "", f"completion of {case_id}", reason))
        else:
            texts[case_id] = (_text(one, output), one.model)
    return (Forward(prompt_id, completer.name, texts) if texts and completer else None), tuple(losses)


def _who(found: Survey, name: str, prompt_id: str) -> tuple[str, Completer | None, set[str]]:
    """(why nothing can be put forward, the completer, the cases that have a baseline or an answer already)."""
    try:
        completer = completer_of(found.config, name)
    except LastgoodError as exc:
        if name:
            raise
        return f"{exc.what}, so there is no run to put it into", None, set()
    if completer.replay:
        return f"{completer.name} only replays {completer.replay}: name another with -c", completer, set()
    blocked = unreadable(found, [found.prompts[prompt_id]], completer)
    if blocked:
        return f"the cases here cannot be asked as they are: {blocked[0].path} {blocked[0].message}", completer, set()
    chain = found.prompts[prompt_id].chain(completer.name)
    done = set(chain.baselines) if chain else set()
    try:
        run = read_run(found.root, completer.name, prompt_id)
    except UnreadableRun:
        return "the pending run there is not readable: lastgood eval", completer, done
    if run:
        done |= {case_id for case_id, _ in run.answers}
        return f"{completer.name} has a pending run of this prompt already: record that first", completer, done
    return "", completer, done


def _unsayable(one: Said, output: str, completer: str) -> str:
    if output not in ("text", "trace"):
        return f"{completer} is read as {output}, a vendor's own document, and this is none"
    if output == "text" and one.tool_calls:
        return f'{completer} is read as text, and this made calls: set output = "trace", then import anew'
    return ""


def _text(one: Said, output: str) -> str:
    if output == "text":
        return one.final_text
    return json.dumps({"tool_calls": list(one.tool_calls or ()), "final_text": one.final_text}, ensure_ascii=False)


def put(root: str, forward: Forward) -> None:
    """Write the pending run, of the tree as it is after the import; LastgoodError when that cannot be asked."""
    found = worktree_survey(root)
    completer = completer_of(found.config, forward.completer)
    (audited,) = chosen(found, [forward.prompt_id])
    for finding in unreadable(found, [audited], completer):
        raise as_error(finding)
    asked = to_ask(found, completer, audited)
    hidden = words.secrets(completer, os.environ)
    with locked(root, completer.name, forward.prompt_id):
        kept = [
            Recorded(case.id, case.version, case.case_hash, words.masked(text, hidden), "", "", 0.0, _reported(model))
            for case in asked.cases
            for text, model in [forward.texts.get(case.id, ("", ""))]
            if case.id in forward.texts
        ]
        command = tuple(words.masked(word, hidden) for word in completer.command)
        Journal(root, _header(asked, completer, command), kept).close()


def _header(asked: Asked, completer: Completer, command: tuple[str, ...]) -> Header:
    return Header(
        prompt_id=asked.prompt_id,
        completer=completer.name,
        prompt_sha256=asked.audited.prompt_sha256,
        suite_hash=asked.audited.suite.suite_hash,
        fingerprint=asked.fingerprint,
        command=command,
        output=asked.output,
        started_at=clock.now(),
        repeat=completer.repeat,
    )


def _reported(model: str) -> Reported:
    return Reported(model=model[:200] if model.isprintable() else "")
