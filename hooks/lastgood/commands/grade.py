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
from lastgood.edge.traces import read_traces
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

_SHOWN = 20  # failing cases; the document names them all
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
    judgements = _grade(folder, options.traces, options.output, schemas)
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


def _grade(folder: CaseFolder, traces: str, output: str, schemas: Mapping[str, Any]) -> list[Judgement]:
    """One judgement a case, in suite order. Traces are let go one by one: there may be more than memory holds."""
    by_id = {case.id: case for case in folder.cases}
    graded: dict[str, Judgement] = {}
    answered: set[str] = set()
    for trace in _watched(read_traces(traces, output), len(by_id)):
        case = by_id.get(trace.case_id)
        if trace.case_id in answered:
            raise Malformed(f"a second trace of case {trace.case_id!r}", path=traces, pointer=trace.place)
        if case is None and trace.case_id not in folder.retired:
            known = meant(trace.case_id, by_id)
            raise LastgoodError(f"a trace of {trace.case_id!r}, no case here{known}", path=traces, pointer=trace.place)
        answered.add(trace.case_id)
        if case:
            failures = grade(case, trace.completion, schemas)
            digest = completion_digest(trace.completion, case.normalization, trace.raw)
            graded[case.id] = Judgement(case, FAIL if failures else PASS, digest, "", failures, None)
    return [graded.get(case.id) or _missing(case) for case in folder.cases]


def _watched(traces: Iterator[Captured], total: int) -> Iterator[Captured]:
    """The same traces; on a terminal, counted as they go by."""
    return _counted(traces, total) if sys.stderr.isatty() else traces


def _counted(traces: Iterator[Captured], total: int) -> Iterator[Captured]:
    line = ""
    try:
        for number, trace in enumerate(traces):
            if number and not number % _COUNTED:
                line = f"{number:,} of {total:,} traces graded"
                print(line, end="\r", file=sys.stderr, flush=True)
            yield trace
    finally:
        print(" " * len(line), end="\r" if line else "", file=sys.stderr, flush=True)


def _missing(case: Case) -> Judgement:
    return Judgement(case, FAIL, "", "", (Failure("missing_trace", "expected a trace of this case, got none"),), None)


def _failing(judgements: list[Judgement]) -> list[str]:
    failing = [judgement for judgement in judgements if judgement.status == FAIL]
    more = len(failing) - _SHOWN
    return [*map(case_line, failing[:_SHOWN]), *([f"… and {more} more, named in the document"] if more > 0 else [])]
