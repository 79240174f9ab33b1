"""What there is to read of pending runs: diffs by one git process, marks, and the answers that failed."""

from __future__ import annotations

import os
import shutil

from lastgood.commands.pending import raw
from lastgood.core.judgement import DIFF, FAIL, NEW, UNSTABLE
from lastgood.core.marks import marks
from lastgood.core.moves import moves
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.edge import runs
from lastgood.edge.folder import file_name, run_folder
from lastgood.edge.text_diff import MOST_LINES, unified
from lastgood.report.moves import Said, Shown, beginning, diffable, document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lastgood.commands.pending import Pending
    from lastgood.core.judgement import Judgement
    from lastgood.core.text_diff import TextDiff
    from lastgood.core.trace import Completion


def show(root: str, pending: Sequence[Pending], *, whole: bool = False) -> list[Shown]:
    """What `diff` shows. What is cut in it lies whole in a file that is named, unless all of it is asked for here."""
    diffs = _diffs(root, pending, whole=whole)
    return [
        Shown(
            prompt_id=item.prompt_id,
            completer=item.completer.name,
            source=item.source,
            target=item.run.header.prompt_sha256,
            judgements=item.judgements,
            kinds={
                j.case.id: moves(old, new) if j.status != UNSTABLE else j.wobble
                for j in _moved(item)
                for old, new in (_sides(item, j),)
                if old
            },
            marks={j.case.id: _marks(item, j) for j in _moved(item)},
            diffs=diffs[item.prompt_id],
            said={j.case.id: _said(root, item, j, whole=whole) for j in item.judgements if j.status == FAIL},
            unanswered=tuple(case.id for case in item.unanswered),
            stale=item.stale,
            obsolete=item.obsolete,
            lacking=tuple(case.id for case in item.lacking),
            note=item.note,
        )
        for item in pending
    ]


def moved_document(root: str, pending: Sequence[Pending], token: str, *, whole: bool = False) -> dict[str, Any]:
    """What `diff` tells; of a merge also against every other side, which no count and no token is of."""
    others = [other for item in pending for other in item.others()]
    against = [document(show(root, [other], whole=True), "")["prompts"][0] for other in others]
    found = document(show(root, pending, whole=whole), token)
    return {**found, "prompts": [*found["prompts"], *against]}


def _moved(item: Pending) -> list[Judgement]:
    return [judgement for judgement in item.judgements if judgement.status in (DIFF, NEW, UNSTABLE)]


def _sides(item: Pending, judgement: Judgement) -> tuple[Completion | None, Completion]:
    """The accepted completion and the new one; of an unstable case, its first answer and the first that differs."""
    now = judgement.completion
    assert now is not None
    if judgement.status != UNSTABLE:
        return item.before.get(judgement.case.id), now
    other = judgement.unequal[0].completion
    assert other is not None
    return now, other


def _marks(item: Pending, judgement: Judgement) -> tuple[str, ...]:
    assert judgement.completion
    case = judgement.case
    schema = item.asked.schemas.get(case.output_schema or "")
    return marks(case, item.before.get(case.id), judgement.completion, schema)


def _diffs(root: str, pending: Sequence[Pending], *, whole: bool) -> dict[str, dict[str, TextDiff]]:
    """Prompt id → case id → diff."""
    texts, keep = [], {}
    for item in pending:
        folder = _folder(root, item, "diffs")
        shutil.rmtree(folder, ignore_errors=True)  # of answers that this run may not hold any more
        for judgement in _moved(item):
            old, new = _sides(item, judgement)
            label = f"{item.prompt_id}\0{judgement.case.id}"
            texts.append((label, diffable(old) if old else "", diffable(new)))
            keep[label] = os.path.join(folder, f"{file_name(judgement.case.id)}.diff")
    found: dict[str, dict[str, TextDiff]] = {item.prompt_id: {} for item in pending}
    max_lines = None if whole else MOST_LINES
    diffs = unified(texts, scratch=run_folder(root, "tmp"), max_lines=max_lines, keep=None if whole else keep)
    for label, diff in diffs.items():
        prompt_id, _, case_id = label.partition("\0")
        found[prompt_id][case_id] = replace(diff, whole=os.path.relpath(diff.whole, root) if diff.whole else "")
    return found


def _said(root: str, item: Pending, judgement: Judgement, *, whole: bool) -> Said:
    """What the completer wrote for a case that failed; nothing where it wrote nothing."""
    completion = judgement.completion
    if completion is None:
        return Said(())
    text = raw(item, judgement) if completion.malformed else diffable(completion)
    if whole:
        return Said(tuple(text.split("\n")))
    path = os.path.join(_folder(root, item, "answers"), f"{file_name(judgement.case.id)}.txt")
    said = beginning(text, os.path.relpath(path, root))
    if said.whole:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
    return said


def _folder(root: str, item: Pending, name: str) -> str:
    return os.path.join(runs.folder_of(root, item.completer.name, item.prompt_id), name)
