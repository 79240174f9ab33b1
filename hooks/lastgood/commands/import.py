"""`lastgood import`: what other tools keep, as golden cases and pending completions. Plan, show, ask, write."""  # noqa: N999  # a command's own word

from __future__ import annotations

import os

from lastgood.commands import import_answers, import_sources
from lastgood.commands.agreeing import agree
from lastgood.commands.shipped import shared_rows
from lastgood.commands.survey import as_error, worktree_survey
from lastgood.core import strict_json
from lastgood.core.importing.drafts import Imported, Loss
from lastgood.core.importing.placing import Placed, There, place, place_copies
from lastgood.core.layout import SCHEMAS
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.core.verdict import CANNOT_TELL, HELD, OUT_OF_STEP
from lastgood.edge import imports, roots, store
from lastgood.edge.secrets import suspects
from lastgood.report.imported import next_steps, shown
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.commands.import_answers import Forward
    from lastgood.commands.import_sources import Source
    from lastgood.commands.survey import Survey
    from lastgood.core.importing.drafts import Said


@value(frozen=True)
class Plan:
    """Everything one import would do."""

    placed: tuple[Placed, ...]
    files: dict[str, bytes]
    forward: tuple[Forward, ...]
    losses: tuple[Loss, ...]

    @property
    def code(self) -> int:
        """0 where all of it is said, 2 where a part was left out, 4 where nothing could be said."""
        if not any(one.fresh or one.standing for one in self.placed):
            return CANNOT_TELL
        return OUT_OF_STEP if any(not loss.aside for loss in self.losses) else HELD


def run(options: Namespace) -> int:
    """Write what can be said, after a yes; list what cannot."""
    root = roots.find_root()
    with store.locked(root):
        store.refuse_interrupted(root)
        found = worktree_survey(root)
        plan = _plan(found, import_sources.read(found, options), options.completer)
        texts = {one.prompt_id: len(one.texts) for one in plan.forward}
        print(shown(plan.placed, plan.files, plan.losses, texts, plan.code), end="")
        if not (plan.files or plan.forward) or options.dry_run:
            return plan.code
        imports.refuse_outside(root, plan.files)
        agree(yes=options.yes, fix=_again(options))
        if plan.files:
            store.apply(root, plan.files)
    for forward in plan.forward:
        import_answers.put(root, forward)
    names = [one.prompt_id for one in plan.placed if one.fresh or one.prompt_id in texts]
    spell = Speller.of(root)
    completers = {one.prompt_id: one.completer for one in plan.forward}
    print(next_steps(names, completers, len(plan.files), spell), end="")
    return plan.code


def _again(options: Namespace) -> str:
    words = [f"lastgood import {options.kind} {quoted(options.path)}"]
    words += [f"{flag} {quoted(name)}" for flag, name in (("-p", options.prompt), ("-c", options.completer)) if name]
    return " ".join([*words, "--yes"])


def _plan(found: Survey, source: Source, completer: str) -> Plan:
    placed: list[Placed] = []
    losses = list(source.losses)
    files: dict[str, bytes] = {}
    forward: list[Forward] = []
    for prompt_id in [*source.imported, *source.copies]:
        there = _there(found, prompt_id)
        if prompt_id in source.imported:
            kept = _without_secrets(source.imported[prompt_id])
            said = {draft.case_id: draft.said for draft in kept.drafts if draft.said}
            places = {draft.case_id: draft.path for draft in kept.drafts}
            one = place(there, kept)
        else:
            said = {case_id: text for (owner, case_id), text in source.said.items() if owner == prompt_id}
            places = {case.id: copy.source for copy in source.copies[prompt_id] for case in copy.golden.cases}
            one = place_copies(there, source.copies[prompt_id], source.catalogs.get(prompt_id), ())
            one, more = _with_schemas(found, one, source)
            losses += more
        ours = {*one.fresh, *one.standing}
        of_ours: dict[str, Said] = {case_id: text for case_id, text in said.items() if case_id in ours}
        going, unsaid = import_answers.planned(found, completer, prompt_id, of_ours, places)
        forward += [going] if going else []
        placed.append(one)
        files |= one.files
        losses += [*one.losses, *unsaid]
    return Plan(tuple(placed), files, tuple(forward), tuple(losses))


def _there(found: Survey, prompt_id: str) -> There:
    suite = found.prompts[prompt_id].suite
    for finding in suite.findings:
        if finding.verdict == CANNOT_TELL and finding.code not in ("schema-missing", "empty-suite"):
            raise as_error(finding)
    return There(
        prompt_id, suite.cases, suite.catalog, shared_rows(found, prompt_id), lambda at: imports.on_disk(found.root, at)
    )


def _without_secrets(imported: Imported) -> Imported:
    """Without the cases that seem to hold a secret: git would keep it for ever."""
    texts = {draft.case_id: strict_json.dump(draft.case).decode("utf-8") for draft in imported.drafts}
    held = dict(suspects(texts))
    lost = [
        Loss(draft.path, draft.pointer, f"case {draft.case_id}", f"seems to hold a secret ({held[draft.case_id]})")
        for draft in imported.drafts
        if draft.case_id in held
    ]
    kept = tuple(draft for draft in imported.drafts if draft.case_id not in held)
    return replace(imported, drafts=kept, losses=(*imported.losses, *lost))


def _with_schemas(found: Survey, placed: Placed, source: Source) -> tuple[Placed, list[Loss]]:
    """The output schemas that copied cases name, from `schemas/` beside them; what is nowhere is told."""
    named: dict[str, str] = {}
    for copy in source.copies[placed.prompt_id]:
        if copy.target in placed.files:
            named |= {case.output_schema: copy.source for case in copy.golden.cases if case.output_schema}
    came = {os.path.basename(path).removesuffix(".json"): data for path, data in source.schemas.items()}
    files, losses = dict(placed.files), []
    for name, path in named.items():
        target = f"{SCHEMAS}{name}.json"
        held = imports.on_disk(found.root, target)
        if held is None and name in came:
            files[target] = came[name]
        elif held is None:
            losses.append(Loss(path, "", f"output_schema {name}", f"is not there: {target} is yours to write"))
    return replace(placed, files=files), losses
