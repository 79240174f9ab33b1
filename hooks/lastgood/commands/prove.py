"""`lastgood prove`: break a copy of the repository in every known way; the gate has to say so each time."""

from __future__ import annotations

import os

from lastgood.commands.cases import active_cases, all_cases, schemas_for
from lastgood.commands.survey import survey
from lastgood.core.fault import Ground, Guarded
from lastgood.core.faults import FAULTS, LEAST, REHEARSED, Proof, judged, verdict_of
from lastgood.core.rehearsal import rehearsal
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD
from lastgood.edge import roots
from lastgood.edge.completers.command import find
from lastgood.edge.config import config_on_disk
from lastgood.edge.copied import Copy
from lastgood.edge.worktree import staged
from lastgood.errors import LastgoodError
from lastgood.report.proofs import line, summary

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from lastgood.commands.survey import Survey
    from lastgood.core.fault import Fault


def run(options: Namespace) -> int:
    """Print a line a fault as it was tried; the exit code says whether the gate is to be trusted."""
    root = roots.find_root()
    tree, found = staged(root, config_on_disk(root))
    ground = ground_of(survey(root, tree))
    command = _command(options.command_line, ground)
    copy = Copy(root, tree, found, ground.config.base)
    _holds(copy, command, "the repository is not in step to begin with, so no fault could be told from what is there")
    proofs = []
    for proof in _proofs(copy, command, ground):
        proofs.append(proof)
        print(line(proof), flush=True)
    _holds(copy, command, "the copy is not in step after all faults were taken back, so nothing is proven")
    verdict = verdict_of(proofs)
    print(summary(proofs, verdict, LEAST))
    return verdict


def ground_of(found: Survey) -> Ground:
    """The tree to break, and what of it is worth breaking."""
    config = found.config
    commit = config.completer(config.commit_completer)
    completer = commit.origin if commit else next(iter([*config.require, *(n for n, _ in found.layout.baselines)]), "")
    guarded = []
    for audited in found.prompts.values():
        chain = audited.chain(completer)
        cases = active_cases(audited, all_cases(found, audited)) if audited.suite.readable else []
        if chain and chain.tip and cases:
            guarded.append(Guarded(audited, chain, chain.tip, tuple(cases)))
    schemas = schemas_for(found, [case for one in guarded for case in one.cases]) if not found.findings else {}
    return Ground(found.tree, config, found.layout, completer, tuple(guarded), schemas)


def _command(given: Sequence[str] | None, ground: Ground) -> list[str]:
    """The gate to be proven: this lastgood's, or what stands after `--`."""
    words = tuple(given or ("lastgood", "gate" if ground.config.commit_completer else "check"))
    try:
        gate = find(words, ".", os.environ)
    except OSError as exc:
        raise LastgoodError(f"the gate cannot be started: {exc}", fix="lastgood prove -- COMMAND") from None
    return [gate.executable, *gate.argv[1:], "--format", "json"]


def _holds(copy: Copy, command: Sequence[str], why: str) -> None:
    for how in (True, False):
        ended = copy.run(command if how else [*command, "--all"], committing=how)
        if ended.code != HELD:
            what = ", ".join(ended.findings) or (ended.said.strip().splitlines() or ["no word"])[-1]
            raise LastgoodError(f"{why}: the gate gives {ended.code} ({what})", fix="lastgood status")


def _proofs(copy: Copy, command: Sequence[str], ground: Ground) -> Iterator[Proof]:
    for fault in FAULTS:
        yield _proof(copy, command, ground, fault, committing=True)
    why = _rehearse(copy, command, ground)
    if isinstance(why, str):
        yield from (Proof(fault.name, "", "", True, why) for fault in REHEARSED)
        return
    for fault in REHEARSED:
        yield _proof(copy, [*command, "--all"], why, fault, committing=False)


def _proof(copy: Copy, command: Sequence[str], ground: Ground, fault: Fault, *, committing: bool) -> Proof:
    injected = fault.inject(ground)
    if isinstance(injected, str):
        return Proof(fault.name, "", "", True, injected)
    copy.inject(injected)
    try:
        return judged(fault, injected, copy.run(command, committing=committing))
    finally:
        copy.revert()


def _rehearse(copy: Copy, command: Sequence[str], ground: Ground) -> Ground | str:
    """Let the copy stand on answers that are replayed, or say why that cannot be."""
    files = rehearsal(ground)
    if isinstance(files, str):
        return files
    copy.keep(files)
    ended = copy.run([*command, "--all"], committing=False)
    return ground if ended.code == HELD else f"what was accepted, said again, gives {ended.code}"
