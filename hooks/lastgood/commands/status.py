"""`lastgood status`: where every prompt of the working tree stands, and what to run next."""

from __future__ import annotations

import json
import os

from lastgood.commands.pending import pending_run
from lastgood.commands.survey import chosen, worktree_survey
from lastgood.commands.unstaged import from_head, left_out
from lastgood.core.acceptance import MENDED_BY_RECORDING
from lastgood.core.completer import file_like
from lastgood.core.judgement import DIFF, FAIL, NEW, UNSTABLE, counts
from lastgood.core.model_name import alias_note
from lastgood.core.putting_back import is_lost
from lastgood.core.shell import quoted
from lastgood.core.staging import add, places_of
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, WORDS, gravest
from lastgood.edge import clock, roots, store
from lastgood.errors import LastgoodError
from lastgood.report.findings import in_words
from lastgood.report.printable import printable, shown_path
from lastgood.report.speller import Speller
from lastgood.report.words import ago, counted

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.chain_audit import Chain
    from lastgood.core.verdict import Finding


def run(options: Namespace) -> int:
    """Print the state; the exit code is the verdict of the working tree."""
    top = roots.find_top()
    if not roots.nearest(top) and not options.prompt and (names := roots.on_disk(top)):
        return _of_all(top, names, options)
    found = worktree_survey(roots.find_root())
    prompts = chosen(found, options.prompt)
    named = {*options.prompt, ""} if options.prompt else {finding.prompt_id for finding in found.findings}
    findings = from_head(found, [finding for finding in found.findings if finding.prompt_id in named])
    state = _state(found, prompts, findings)
    if options.json:
        print(json.dumps(state, indent=2))
    else:
        print(_text(found, state, findings), end="")
    return int(state["verdict"])


def _of_all(top: str, names: Sequence[str], options: Namespace) -> int:
    """Where there is no root but others further down or beside: each of them, in a line."""
    rows: list[dict[str, Any]] = []
    for name in names:
        try:
            found = worktree_survey(roots.stand(os.path.join(top, name), top))
        except LastgoodError as exc:
            rows.append({"root": name, "verdict": CANNOT_TELL, "error": in_words(exc)})
        else:
            rows.append({"root": name, **_state(found, chosen(found, []), found.findings)})
    roots.stand(top, top)
    verdict = gravest(row["verdict"] for row in rows)
    if options.json:
        print(json.dumps({"verdict": verdict, "roots": rows}, indent=2))
        return verdict
    width = max(len(shown_path(name)) for name in names)
    for row in rows:
        said = f"{WORDS[row['verdict']]} ({row['verdict']})"
        told = row.get("error") or ", ".join(
            [
                counted(len(row["prompts"]), "prompt"),
                *([counted(row["findings"], "finding")] if row["findings"] else []),
            ]
        )
        print(f"{shown_path(row['root']):<{width}}  {said}: {told}")
    first = next((row["root"] for row in rows if row["verdict"]), names[0])
    print(f"next: {Speller.of(os.path.join(top, first))('lastgood status')}")
    return verdict


def _state(found: Survey, prompts: Sequence[Audited], findings: Sequence[Finding]) -> dict[str, Any]:
    places = [place for audited in prompts for place in places_of(audited)]
    places += [found.config.path, *(path for completer in found.config.completers for path in file_like(completer))]
    left = left_out(found.root, places)
    return {
        "verdict": gravest(finding.verdict for finding in findings),
        "prompts": [_prompt(found, audited) for audited in prompts],
        "unguarded": list(found.layout.unguarded),
        "findings": len(findings),
        "interrupted_record": store.interrupted(found.root),
        "not_staged": sorted(left),
        "stage": add(places, left),
    }


def _prompt(found: Survey, audited: Audited) -> dict[str, Any]:
    suite = audited.suite
    rows = suite.catalog.rows if suite.catalog else ()
    return {
        "prompt_id": audited.prompt.prompt_id,
        "files": list(audited.prompt.files),
        "prompt_sha256": audited.prompt_sha256,
        "active": len(suite.active),
        "retired": sum(not row.active for row in rows),
        "suite_hash": suite.suite_hash,
        "baselines": [_chain(found, audited, chain) for chain in audited.chains],
    }


def _chain(found: Survey, audited: Audited, chain: Chain) -> dict[str, Any]:
    return {
        "completer": chain.completer,
        "head": chain.tip.name if chain.tip else "",
        "pinned": chain.tip.target.prompt_sha256 if chain.tip else "",
        "accepted": len(chain.baselines),
        "findings": [finding.code for finding in chain.findings],
        "pending": _pending(found, audited, chain),
        "note": _note(found, chain),
    }


def _note(found: Survey, chain: Chain) -> str:
    completer = found.config.completer(chain.completer)
    return alias_note(completer.name, completer.model) if completer else ""


def _pending(found: Survey, audited: Audited, chain: Chain) -> dict[str, Any] | None:
    completer = found.config.completer(chain.completer)
    readable = all(finding.verdict != CANNOT_TELL for finding in audited.suite.findings)
    asks = completer is not None and not completer.replay
    item = pending_run(found, completer, audited) if completer and asks and readable else None
    if item is None:
        return None
    tally = counts(item.judgements)
    return {
        "started_at": item.run.header.started_at,
        "answered": len(item.judgements),
        "stale": bool(item.stale),
        "moved": tally[DIFF],
        "new": tally[NEW],
        "failed": tally[FAIL],
        "unstable": tally[UNSTABLE],
        "accepts_something": not item.stale and (not item.recordable or not item.change().empty),
    }


def _text(found: Survey, state: dict[str, Any], findings: Sequence[Finding]) -> str:
    spell = Speller.of(found.root)
    blocks = [_block(prompt) for prompt in state["prompts"]]
    if state["unguarded"]:
        blocks.append(f"unguarded: {', '.join(map(shown_path, state['unguarded']))}\n")
    last = f"{WORDS[state['verdict']]} ({state['verdict']})"
    if state["not_staged"] and not findings:
        last += f" on disk; {counted(len(state['not_staged']), 'file')} not staged, so a commit may not hold the same"
    return "\n".join([*blocks, "\n".join([last, *_next(state, findings, spell)])]) + "\n"


def _block(prompt: dict[str, Any]) -> str:
    lines = [f"{printable(prompt['prompt_id'])}  ({', '.join(map(shown_path, prompt['files']))})"]
    lines.append(f"  prompt  {prompt['prompt_sha256'][:12]}")
    retired = f", {prompt['retired']} retired" if prompt["retired"] else ""
    lines.append(f"  cases   {prompt['active']} active{retired}, suite {prompt['suite_hash']}")
    width = max((len(chain["completer"]) for chain in prompt["baselines"]), default=0)
    for chain in prompt["baselines"]:
        lines.append(f"  {chain['completer']:<{max(width, 6)}}  {_standing(chain)}")
        if chain["pending"]:
            lines.append(f"  {'':<{max(width, 6)}}  {_waiting(prompt, chain['pending'])}")
        if chain["note"]:
            lines.append(f"  {'':<{max(width, 6)}}  note: {printable(chain['note'])}")
    return "\n".join(lines) + "\n"


def _standing(chain: dict[str, Any]) -> str:
    if not chain["head"]:
        return ", ".join(dict.fromkeys(chain["findings"])) or "no baseline"
    state = ", ".join(dict.fromkeys(chain["findings"])) or "in step"
    return f"{chain['head']}, {chain['accepted']} accepted: {state}"


def _waiting(prompt: dict[str, Any], pending: dict[str, Any]) -> str:
    parts = [f"{pending['answered']} of {prompt['active']} answered"]
    parts += [f"{pending[name]} {name}" for name in ("moved", "new", "failed", "unstable") if pending[name]]
    stale = "; stale, something moved since" if pending["stale"] else ""
    when = ago(clock.seconds_since(pending["started_at"]))
    name = f"pending run, {when}" if stale or pending["accepts_something"] else f"nothing to record, run {when}"
    return f"{name}: {', '.join(parts)}{stale}"


def _next(state: dict[str, Any], findings: Sequence[Finding], spell: Speller) -> list[str]:
    if state["interrupted_record"]:
        return ["a record was interrupted", f"next: {spell('lastgood record --resume')}"]
    lines = [_line(finding) for finding in findings[:_SHOWN]]
    if len(findings) > len(lines):
        lines.append(f"  … and {len(findings) - len(lines)} more: {spell('lastgood check')}")
    first = {f.prompt_id: f for f in reversed(findings) if f.code not in MENDED_BY_RECORDING or is_lost(f)}
    waiting = [
        (prompt["prompt_id"], chain["completer"], chain["pending"]["failed"])
        for prompt in state["prompts"]
        for chain in prompt["baselines"]
        if chain["pending"] and chain["pending"]["accepts_something"] and prompt["prompt_id"] not in first
    ]
    if waiting:
        prompt_id, completer, failed = waiting[0]
        command = spell(f"lastgood diff -p {quoted(prompt_id)} -c {completer}")
        return [*lines, f"next: {command}{', then mend what fails' if failed else ''}"]
    fix = next((fix for finding in (*first.values(), *findings) for fix in finding.fix), "")
    if fix or state["stage"]:
        lines.append(f"next: {printable(spell(fix or state['stage']))}")
    return lines


_SHOWN = 8


def _line(finding: Finding) -> str:
    whose = f" (completer {finding.completer})" if finding.completer else ""
    return f"  {shown_path(finding.path)}: {printable(finding.message)}{whose}"
