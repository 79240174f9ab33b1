"""`lastgood pair`: one prompt, one suite file, a one-file baseline; no git and no configuration."""

from __future__ import annotations

import os
import sys
from contextlib import closing

from lastgood.commands.scanned import refuse_secrets
from lastgood.core.config import Completer
from lastgood.core.guard import refusal
from lastgood.core.judgement import DIFF, FAIL, NEW, counts, judge, verdict_of
from lastgood.core.pairing import other_prompt, out_of_step, read_pair_baseline, read_suite, recorded
from lastgood.core.prompt import content_sha256
from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import BROKEN, HELD, gravest
from lastgood.edge.completers import Request, ask
from lastgood.edge.files import output_schemas, read_file, snapshot, write_file
from lastgood.errors import LastgoodError, Refused
from lastgood.report.findings import Report, text
from lastgood.report.lines import summary
from lastgood.report.pair import pair_line
from lastgood.report.printable import printable, shown_path

if TYPE_CHECKING:
    from argparse import Namespace

    from lastgood.core.case import Golden
    from lastgood.core.judgement import Judgement
    from lastgood.core.pairing import PairBaseline
    from lastgood.core.verdict import Finding


def run(options: Namespace) -> int:
    """Ask every case, print a line each, compare; with --record, accept what came back when all of it holds."""
    command = _command(options)
    why = refusal(os.environ) if options.record else ""
    if why:
        raise Refused(f"recording is refused: {why}; a person accepts a completion, after reading it")
    golden = read_suite(options.golden, read_file(options.golden))
    prompt = _prompt(options.prompt)
    prompt_sha256 = sha256_hex(prompt)
    if golden.prompt_sha256 != prompt_sha256:
        print(f"prompt_hash_mismatch expected={printable(str(golden.prompt_sha256))} got={prompt_sha256}")
        return _say(options.golden, (other_prompt(golden, options.prompt, prompt_sha256),))
    baseline = _baseline(options.baseline)
    settings = {} if options.jobs is None else {"jobs": options.jobs}
    completer = Completer("pair", command, output=options.output, timeout_s=options.timeout, **settings)
    with snapshot(options.prompt, prompt) as file:
        judgements = _ask(completer, golden, file, prompt_sha256, baseline, options.schemas)
    print(summary(judgements))
    findings = out_of_step(baseline, golden.cases, prompt_sha256)
    if options.record:
        return _record(baseline, prompt_sha256, judgements, findings)
    verdict = verdict_of(judgements, fail_on_diff=options.fail_on_diff)
    return gravest([verdict, _say(options.baseline, findings)]) if findings else verdict


def _say(looked_at: str, findings: tuple[Finding, ...]) -> int:
    report = Report("pair", looked_at, findings)
    print(text(report), end="", file=sys.stderr)
    return report.verdict


def _command(options: Namespace) -> tuple[str, ...]:
    words = options.cmd or []
    if options.command_line:  # `--cmd -- tool`, or a `--` that is the tool's own: `--cmd npx tool -- --flag`
        words = [*words, "--", *options.command_line] if words else options.command_line
    if not words:
        raise LastgoodError("no command to ask", fix="name it last: -- python3 stub_complete.py")
    return tuple(words)


def _prompt(path: str) -> bytes:
    data = read_file(path)
    if content_sha256(data) != sha256_hex(data):
        raise LastgoodError("only the LFS pointer of this prompt is here", path=path, fix="git lfs pull")
    return data


def _baseline(path: str) -> PairBaseline:
    there = os.path.lexists(path)
    baseline = read_pair_baseline(path, read_file(path) if there else b"")
    if not baseline.accepted:
        print(f"{shown_path(path)} {'holds no completion yet' if there else 'is not there yet'}: every case is new")
    return baseline


def _ask(
    completer: Completer, golden: Golden, file: str, prompt_sha256: str, baseline: PairBaseline, schema_folder: str
) -> list[Judgement]:
    """Judge as answers come, print in suite order."""
    here = os.path.dirname(golden.path)
    folders = (schema_folder, os.path.join(here, "schemas"), os.path.join(here, "..", "schemas"))
    schemas = output_schemas(golden.cases, folders)
    requests = [
        Request(case.id, golden.prompt_id, case.input, file, prompt_sha256, tools=case.tools) for case in golden.cases
    ]
    waiting: dict[int, tuple[Judgement, int]] = {}
    judgements: list[Judgement] = []
    with closing(ask(completer, requests, cwd=os.getcwd(), environ=os.environ)) as coming:
        for answer in coming:
            case, error = golden.cases[answer.index], (answer.error, answer.detail)
            judgement = judge(case, answer.output, error, completer.output, baseline.digest_of(case), schemas)
            waiting[answer.index] = judgement, len(answer.output or "")
            while len(judgements) in waiting:
                judgement, length = waiting.pop(len(judgements))
                print(pair_line(judgement, length, baseline.kinds_of(judgement)), flush=True)
                judgements.append(judgement)
    return judgements


def _record(
    baseline: PairBaseline, prompt_sha256: str, judgements: list[Judgement], findings: tuple[Finding, ...]
) -> int:
    """All of it or nothing: a failing case is never recorded, and neither is a secret."""
    found, name = counts(judgements), shown_path(baseline.path)
    if found[FAIL]:
        print(f"nothing recorded: a failing case is never the last good one; {name} is as it was", file=sys.stderr)
        return BROKEN
    refuse_secrets(judgements)
    data = recorded(baseline, prompt_sha256, judgements)
    if os.path.lexists(baseline.path) and read_file(baseline.path) == data:
        print(f"nothing to record: {name} already holds exactly this")
        return HELD
    for finding in findings:
        print(f"replaced: {finding.message}")
    write_file(baseline.path, data)
    gone = len(set(baseline.accepted) - {judgement.case.id for judgement in judgements})
    print(f"recorded {name}: {found[DIFF]} moved, {found[NEW]} new, {gone} gone, {found['PASS']} as before")
    return HELD
