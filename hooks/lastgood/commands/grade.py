"""`lastgood grade`: grade captured traces against a folder of golden cases, and write the score document."""

from __future__ import annotations

import gc
import os
import sys

from lastgood.core.case_folder import read_case_folder
from lastgood.core.failure import Failure
from lastgood.core.grading import grade
from lastgood.core.judgement import FAIL, PASS, Judgement, verdict_of
from lastgood.core.scores import Score, document, dump_scores
from lastgood.core.suggest import meant
from lastgood.core.trace import completion_digest
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import WORDS
from lastgood.edge.files import json_files, output_schemas, write_file
from lastgood.edge.forks import forked, processors
from lastgood.edge.traces import read_share, read_traces, shares
from lastgood.errors import LastgoodError, Malformed
from lastgood.report.findings import Report, text
from lastgood.report.lines import case_line, summary
from lastgood.report.printable import shown_path

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping
    from typing import Any

    from lastgood.core.captured import Captured
    from lastgood.core.case import Case
    from lastgood.core.case_folder import CaseFolder

    # Id of the case, digest, and (stable string, explanation) of each failure; the latter empty for a retired case.
    Answer = tuple[str, str, tuple[tuple[str, str], ...]]

_SHOWN = 20  # failing cases; the document names them all
_SHARE = 1 << 19  # bytes of traces that a fork grades at a time
_WORTH_FORKS = 4  # shares
_BAR = 20  # columns
_COUNTED = 1000  # traces from one count on a terminal to the next


def run(options: Namespace) -> int:
    """Grade every active case; BROKEN when one fails. The document is written whole, or not at all."""
    # Nothing here makes cycles, and looking for them among 100,000 cases again and again takes a third of the time.
    gc.disable()
    try:
        return _run(options)
    finally:
        gc.enable()


def _run(options: Namespace) -> int:
    folder = read_case_folder(options.cases, json_files(options.cases))
    if folder.findings:
        report = Report("grade", options.cases, folder.findings)
        print(text(report), end="", file=sys.stderr)
        return report.verdict
    beside = (os.path.join(options.cases, "schemas"), os.path.join(options.cases, "..", "schemas"))
    schemas = output_schemas(folder.cases, (options.schemas, *beside))
    judgements = _grade(folder, options, schemas)
    scores = [Score(j.case.id, j.case.case_hash, tuple(map(str, j.failures)), j.digest) for j in judgements]
    found = document(scores, prompt_id=folder.prompt_id)
    if options.out:
        write_file(options.out, dump_scores(found))
    else:
        sys.stdout.write(dump_scores(found).decode("utf-8"))
    verdict = verdict_of(judgements, fail_on_diff=False)
    where = f", written to {shown_path(options.out)}" if options.out else ""
    lines = _failing(judgements)
    lines.append(f"{summary(judgements)}; suite_hash {found['suite_hash']}{where}")
    lines.append(f"lastgood grade: {WORDS[verdict]} ({verdict})")
    print("\n".join(lines), file=sys.stdout if options.out else sys.stderr)
    return verdict


def _grade(folder: CaseFolder, options: Namespace, schemas: Mapping[str, Any]) -> list[Judgement]:
    """One judgement a case, in suite order. Traces are let go one by one: there may be more than memory holds."""
    by_id = {case.id: case for case in folder.cases}
    graded: dict[str, Judgement] = {}
    for case_id, digest, failures in _watched(_answers(folder, by_id, options, schemas), len(by_id)):
        case = by_id.get(case_id)
        if case:
            found = tuple(Failure(*failure) for failure in failures)
            graded[case_id] = Judgement(case, FAIL if found else PASS, digest, "", found, None)
    return [graded.get(case.id) or _missing(case) for case in folder.cases]


def _answers(
    folder: CaseFolder, by_id: Mapping[str, Case], options: Namespace, schemas: Mapping[str, Any]
) -> Iterator[Answer]:
    """What each trace is worth, in the order of the file."""
    path, output = options.traces, options.output

    def answer(trace: Captured) -> Answer:
        case = by_id.get(trace.case_id)
        if case is None:
            return trace.case_id, "", ()
        failures = grade(case, trace.completion, schemas)
        digest = completion_digest(trace.completion, case.normalization, trace.raw)
        return trace.case_id, digest, tuple([(failure.kind_detail, failure.explanation) for failure in failures])

    done = 0
    if processors() > 1 and (count := shares(path, _SHARE)) >= _WORTH_FORKS:
        known, answered = by_id.keys() | folder.retired, set[str]()
        for found in forked(lambda nth: list(map(answer, read_share(path, nth, _SHARE, output))), count, processors()):
            ids = {case_id for case_id, _, _ in found or ()}
            if found is None or len(ids) < len(found) or not ids <= known or not answered.isdisjoint(ids):
                break  # to be read from the start, one by one, to tell what is wrong and on which line
            answered |= ids
            done += len(found)
            yield from found
        else:
            return
    seen: set[str] = set()
    for nth, trace in enumerate(read_traces(path, output)):
        _refuse_stray(trace, by_id, folder, seen, path)
        if nth >= done:
            yield answer(trace)


def _refuse_stray(
    trace: Captured, by_id: Mapping[str, Case], folder: CaseFolder, answered: set[str], path: str
) -> None:
    if trace.case_id in answered:
        raise Malformed(f"a second trace of case {trace.case_id!r}", path=path, pointer=trace.place)
    if trace.case_id not in by_id and trace.case_id not in folder.retired:
        known = meant(trace.case_id, by_id)
        raise LastgoodError(f"a trace of {trace.case_id!r}, no case here{known}", path=path, pointer=trace.place)
    answered.add(trace.case_id)


def _watched(answers: Iterator[Answer], total: int) -> Iterator[Answer]:
    """The same answers; on a terminal, with a bar of how many went by."""
    return _counted(answers, total) if sys.stderr.isatty() else answers


def _counted(answers: Iterator[Answer], total: int) -> Iterator[Answer]:
    line = ""
    try:
        for number, answer in enumerate(answers):
            if number and not number % _COUNTED:
                done = min(number * _BAR // total, _BAR)
                line = f"[{'#' * done}{'.' * (_BAR - done)}] {number:,} of {total:,} traces graded"
                print(line, end="\r", file=sys.stderr, flush=True)
            yield answer
    finally:
        print(" " * len(line), end="\r" if line else "", file=sys.stderr, flush=True)


def _missing(case: Case) -> Judgement:
    return Judgement(case, FAIL, "", "", (Failure("missing_trace", "expected a trace of this case, got none"),), None)


def _failing(judgements: list[Judgement]) -> list[str]:
    failing = [judgement for judgement in judgements if judgement.status == FAIL]
    more = len(failing) - _SHOWN
    return [*map(case_line, failing[:_SHOWN]), *([f"… and {more} more, named in the document"] if more > 0 else [])]
