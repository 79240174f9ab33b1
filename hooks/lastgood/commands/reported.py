"""The document of a report: pending runs, and what files and git know beside them."""

from __future__ import annotations

import os

from lastgood.commands.diff import next_step
from lastgood.commands.log import migrations_of
from lastgood.commands.pending import raw, token_of
from lastgood.commands.shown import show
from lastgood.core.baseline import read_completion_of
from lastgood.core.judgement import DIFF, FAIL, NEW, verdict_of
from lastgood.core.layout import baseline_folder, lay_out
from lastgood.core.text_diff import TextDiff
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.where import case_lines
from lastgood.edge.folder import run_folder
from lastgood.edge.past import completions_at, pinned_files
from lastgood.edge.text_diff import unified
from lastgood.errors import Malformed
from lastgood.report.document import FIRST, LOST, MOVED, SAME, Background, Evidence, extended
from lastgood.report.moves import diffable, document
from lastgood.report.plot import MOST_DRAWN

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from lastgood.commands.pending import Pending
    from lastgood.commands.survey import Survey
    from lastgood.core.judgement import Judgement
    from lastgood.core.trace import Completion
    from lastgood.report.speller import Speller

_NO_FILE = ("100644", "")  # mode and oid where only the names of a tree matter


def report_of(
    found: Survey, pending: Sequence[Pending], options: Namespace, spell: Speller, *, fail_on_diff: bool
) -> dict[str, Any]:
    """Everything there is to tell of these runs; `options` say which were asked for."""
    token = token_of(pending)
    moved = document(show(found.root, pending, whole=True), token)
    return extended(
        moved,
        [_background(found, item) for item in pending],
        repository=os.path.basename(os.path.abspath(found.root)),
        verdict=verdict_of((j for item in pending for j in item.judgements), fail_on_diff=fail_on_diff),
        after=next_step(spell, pending, token, options),
    )


def _background(found: Survey, item: Pending) -> Background:
    audited, header = item.asked.audited, item.run.header
    newest_first = migrations_of(found, item.prompt_id, item.completer.name)
    state, diff = _prompt_diff(found, item)
    answers = [j.completion for j in item.judgements if j.completion]
    return Background(
        path=audited.prompt.path,
        files=audited.prompt.files,
        started_at=header.started_at,
        suite_hash=header.suite_hash,
        fingerprint=header.fingerprint,
        state=state,
        diff=diff,
        history=tuple(sorted(newest_first, key=lambda row: row["migration"])),
        lengths=_lengths(found, item, [row["path"] for row in newest_first[:MOST_DRAWN]]),
        length=_median(answers),
        cases=_evidence(found, item),
    )


def _prompt_diff(found: Survey, item: Pending) -> tuple[str, TextDiff]:
    """What became of the prompt since it was pinned, and its own diff where both texts are known."""
    tip, prompt, target = item.parents[:1], item.asked.audited.prompt, item.run.header.prompt_sha256
    if not tip:
        return FIRST, TextDiff()
    pinned = tip[0].target.prompt_sha256
    if pinned == target:
        return SAME, TextDiff()

    def files_among(paths: Iterable[str]) -> Sequence[str]:
        held = lay_out(found.config, dict.fromkeys(paths, _NO_FILE), partial=True).prompts
        return held[prompt.prompt_id].files if prompt.prompt_id in held else ()

    before = pinned_files(found.root, pinned, prompt.files, tip[0].path, files_among, found.layout.parts)
    if before is None or item.asked.audited.prompt_sha256 != target:  # that text is nowhere any more
        return LOST, TextDiff()
    texts = _joined(before), _joined(found.tree.read(prompt.files))
    return MOVED, unified([("", *texts)], scratch=run_folder(found.root, "tmp"), max_lines=None)[""]


def _joined(files: Mapping[str, bytes]) -> str:
    """Files as one text, each below its path where there are several."""
    texts = {path: data.decode("utf-8", "replace") for path, data in sorted(files.items())}
    return next(iter(texts.values())) if len(texts) == 1 else "\n".join(f"==> {p}\n{text}" for p, text in texts.items())


def _lengths(found: Survey, item: Pending, paths: Sequence[str]) -> dict[str, int]:
    """Migration path → median length of the completions that it accepted, where they are known."""
    folder = baseline_folder(item.completer.name, item.prompt_id)
    read: dict[bytes, Completion] = {}  # most files are the same under many migrations
    lengths = {}
    for path, files in completions_at(found.root, folder, paths).items():
        try:
            read |= {data: read_completion_of(name, data) for name, data in files.items() if data not in read}
        except Malformed:  # of a form that was read once; it takes nothing from the rest of the report
            continue
        lengths[path] = _median([read[data] for data in files.values()])
    if item.chain and item.chain.tip:
        lengths[item.chain.tip.path] = _median(list(item.before.values()))
    return {path: length for path, length in lengths.items() if length is not None}


def _median(completions: Sequence[Completion]) -> int | None:
    lengths = sorted(len(completion.final_text) for completion in completions if not completion.malformed)
    return lengths[len(lengths) // 2] if lengths else None


def _evidence(found: Survey, item: Pending) -> dict[str, Evidence]:
    paths = sorted({j.case.path for j in item.judgements})
    texts = {path: data.decode("utf-8", "replace") for path, data in found.tree.read(paths).items()}
    lines = {path: case_lines(text) for path, text in texts.items()}
    diffs = _failed_diffs(found.root, item)
    return {j.case.id: _case(item, j, lines[j.case.path].get(j.case.pointer, 1), diffs) for j in item.judgements}


def _failed_diffs(root: str, item: Pending) -> dict[str, TextDiff]:
    """Case id → what became of the accepted answer, of those that fail now; `diff` shows only those that may move."""
    texts = [
        (j.case.id, diffable(old), _now(item, j))
        for j in item.judgements
        if j.status == FAIL and (old := item.before.get(j.case.id))
    ]
    return unified(texts, scratch=run_folder(root, "tmp"), max_lines=None)


def _now(item: Pending, judgement: Judgement) -> str:
    completion = judgement.completion
    if completion is None:
        return ""
    return raw(item, judgement) if completion.malformed else diffable(completion)


def _case(item: Pending, judgement: Judgement, line: int, diffs: Mapping[str, TextDiff]) -> Evidence:
    case = judgement.case
    return Evidence(
        path=case.path,
        line=line,
        input=case.input,
        seconds=sum(one.seconds for one in item.run.of(*case.key, case.case_hash)),
        old=item.before.get(case.id) if judgement.status in (DIFF, FAIL) else None,
        new=judgement.completion,
        raw=raw(item, judgement),
        diff=None if judgement.status in (DIFF, NEW) else diffs.get(case.id),
    )
