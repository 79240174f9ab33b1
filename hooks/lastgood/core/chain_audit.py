"""The baseline half of the audit: migrations, HEAD and accepted completions of one (completer, prompt) pair."""

from __future__ import annotations

from lastgood.core.baseline import Baseline, baseline_hash
from lastgood.core.facts import Bad, HeadFact
from lastgood.core.layout import HEAD, RESTORE, baseline_folder, golden_folder
from lastgood.core.migration import Migration, heads
from lastgood.core.sha256 import SHORT
from lastgood.core.shell import quoted
from lastgood.core.suite_audit import malformed
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import OUT_OF_STEP, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from lastgood.core.facts import CaseFact
    from lastgood.core.layout import Prompt
    from lastgood.core.suite_audit import Suite


@value(frozen=True)
class Chain:
    """One baseline as the tree holds it. `tip` is None when there is none, or the chain is not whole."""

    completer: str
    tip: Migration | None
    migrations: tuple[Migration, ...]
    baselines: dict[str, Baseline]  # by case id
    findings: tuple[Finding, ...]


class _Audit:
    """Collects the findings of one chain: every finding is of the same prompt and completer."""

    def __init__(self, prompt: Prompt, completer: str, suite: Suite) -> None:
        self.prompt = prompt
        self.suite = suite
        self.completer = completer
        self.folder = baseline_folder(completer, prompt.prompt_id)
        self.findings: list[Finding] = []

    def say(
        self,
        code: str,
        path: str,
        message: str,
        *,
        details: tuple[tuple[str, str], ...] = (),
        fix: tuple[str, ...] = (),
        verdict: int = OUT_OF_STEP,
    ) -> None:
        self.findings.append(
            Finding(
                code,
                verdict,
                path,
                message,
                "",
                details,
                fix,
                prompt_id=self.prompt.prompt_id,
                completer=self.completer,
            )
        )

    def accept(self, how: str = "") -> tuple[str, ...]:
        """The commands that make a new migration of this chain, and stage all that has to go with it."""
        which = f"-p {quoted(self.prompt.prompt_id)} -c {self.completer}"
        return (
            f"lastgood eval {which}",
            f"lastgood diff {which}",
            f"lastgood record {how}{which} --reason '…'",
            f"git add {' '.join(map(quoted, [*self.prompt.files, golden_folder(self.prompt.prompt_id), self.folder]))}",
        )

    def restore(self) -> tuple[str, ...]:
        """Back to what HEAD holds: unlike a checkout of the folder, it also takes away what HEAD does not hold."""
        return (RESTORE + quoted(self.folder),)


def audit_chain(
    prompt: Prompt, completer: str, now: str, suite: Suite, fingerprint: str | None, files: Mapping[str, Any]
) -> Chain:
    """Hold one chain against the prompt's hash `now`, its suite, and the completer's `fingerprint` (None: unknown)."""
    audit = _Audit(prompt, completer, suite)
    migrations = tuple(
        sorted((f for f in files.values() if isinstance(f, Migration)), key=lambda m: (m.number, m.slug))
    )
    forked = len(heads(migrations)) > 1
    audit.findings.extend(
        malformed(path, fact, prompt.prompt_id, completer)
        for path, fact in files.items()
        if isinstance(fact, Bad) and not (forked and path == audit.folder + HEAD)  # `record --merge` writes it anew
    )
    baselines = {path: fact for path, fact in files.items() if isinstance(fact, Baseline)}
    by_case = {fact.case_id: fact for path, fact in baselines.items() if path == f"{audit.folder}{fact.case_id}.json"}
    if not files:
        _missing(audit, now)
        return Chain(completer, None, (), {}, tuple(audit.findings))
    tip = None
    if not audit.findings:
        tip = _tip(audit, migrations, files.get(audit.folder + HEAD))
    if tip:
        as_accepted = _files(audit, baselines, tip)
        if fingerprint is None:
            audit.say(
                "completer-unknown",
                audit.folder + HEAD,
                f"a baseline of the completer {completer!r}, which is not configured, or replays another",
                fix=(f"configure [completers.{completer}]", f"or git rm -r {quoted(audit.folder)}"),
            )
        _pin(audit, tip, now, suite, fingerprint)
        moved = any(f.code in ("suite-moved", "prompt-moved") for f in audit.findings)
        if as_accepted and suite.readable and not moved:
            _cases(audit, suite.active_cases(), by_case)
    return Chain(completer, tip, migrations, by_case, tuple(audit.findings))


def _missing(audit: _Audit, now: str) -> None:
    audit.say(
        "no-baseline",
        audit.prompt.path,
        f"no baseline of {audit.completer!r}: nobody has accepted what this prompt answers",
        details=(("prompt", audit.prompt.prompt_id), ("now", now[:SHORT]), ("missing", audit.folder)),
        fix=audit.accept(),
    )


def _tip(audit: _Audit, migrations: tuple[Migration, ...], head: Any) -> Migration | None:
    """The newest migration, when chain and HEAD agree about it; findings say why not otherwise."""
    before = len(audit.findings)
    if not migrations:
        audit.say(
            "no-migration",
            audit.folder + "migrations/",
            "accepted completions without a migration that accepted them",
            fix=audit.restore(),
        )
        return None
    _links(audit, migrations)
    if len(audit.findings) > before:
        return None
    ends = heads(migrations)
    if len(ends) > 1:
        names = " and ".join(end.name for end in ends)
        fix = audit.accept("--merge ")
        audit.say("two-heads", ends[-1].path, f"two migrations follow the same one: {names}", fix=fix)
    elif not isinstance(head, HeadFact):
        audit.say("head-missing", audit.folder + HEAD, "is missing; it names the newest migration", fix=audit.restore())
    elif head.line != ends[0].head_line:
        audit.say(
            "head-mismatch",
            audit.folder + HEAD,
            f"names {head.line!r}, but the newest migration is {ends[0].head_line!r}",
            fix=audit.restore(),
        )
    return ends[0] if len(audit.findings) == before else None


def _links(audit: _Audit, migrations: tuple[Migration, ...]) -> None:
    by_hash = {migration.hash: migration for migration in migrations}
    for migration in migrations:
        path = migration.path
        parents = [by_hash[parent] for parent in migration.parents if parent in by_hash]
        if (migration.prompt_id, migration.completer) != (audit.prompt.prompt_id, audit.completer):
            whose = f"{migration.completer}/{migration.prompt_id}"
            audit.say("migration-foreign", path, f"is a migration of {whose}", fix=audit.restore())
        elif not path.endswith(f"/{migration.name}.json"):
            audit.say("migration-renamed", path, f"calls itself {migration.name}", fix=audit.restore())
        elif len(parents) != len(migration.parents):
            audit.say(
                "parent-missing",
                path,
                "follows a migration that is not in the tree: it was edited, removed, or not staged",
                fix=audit.restore(),
            )
        elif migration.number != max((parent.number for parent in parents), default=0) + 1:
            audit.say("migration-number", path, f"has the number {migration.number} out of turn", fix=audit.restore())
        elif (migration.source is None) != (not parents) or (
            parents and migration.source not in [parent.target for parent in parents]
        ):
            audit.say(
                "pin-broken", path, "starts from another pin than the one its parent ends at", fix=audit.restore()
            )
        elif not migration.reason:
            audit.say(
                "no-reason",
                path,
                "was accepted without a reason",
                fix=audit.restore(),
            )


def _files(audit: _Audit, baselines: Mapping[str, Baseline], tip: Migration) -> bool:
    """Whether every baseline file is what its own lines say, and all together what the tip accepted."""
    edited = False
    for path, baseline in baselines.items():
        if baseline.declared_digest != baseline.digest:
            edited = True
            audit.say(
                "baseline-edited",
                path,
                "was edited by hand: its lines do not give its digest",
                details=(("it says", baseline.declared_digest[:SHORT]), ("lines give", baseline.digest[:SHORT])),
                fix=(RESTORE + quoted(path),),
            )
        elif path != f"{audit.folder}{baseline.case_id}.json":
            edited = True
            audit.say("baseline-renamed", path, f"holds the case {baseline.case_id!r}", fix=audit.restore())
    found = baseline_hash(baseline.triple for baseline in baselines.values())
    if found != tip.target.baseline_hash and not edited:
        audit.say(
            "baseline-mismatch",
            audit.folder,
            f"the completions here are not those that {tip.name} accepted: one was edited, lost or added",
            details=(("accepted", tip.target.baseline_hash), ("found", found)),
            fix=audit.restore(),
        )
    return found == tip.target.baseline_hash and not edited


def _pin(audit: _Audit, tip: Migration, now: str, suite: Suite, fingerprint: str | None) -> None:
    pinned = tip.target
    if pinned.prompt_sha256 != now:
        audit.say(
            "prompt-moved",
            audit.prompt.path,
            "the prompt moved, its baseline did not",
            details=(
                ("prompt", audit.prompt.prompt_id),
                ("pinned", f"{pinned.prompt_sha256[:SHORT]}  by {tip.name}"),
                ("now", now[:SHORT]),
                ("missing", f"a migration in {audit.folder} to {now[:SHORT]}"),
            ),
            fix=audit.accept(),
        )
    if suite.readable and pinned.suite_hash != suite.suite_hash:
        audit.say(
            "suite-moved",
            audit.folder + HEAD,
            "the golden cases moved, the baseline did not",
            details=(("pinned", pinned.suite_hash), ("now", suite.suite_hash)),
            fix=audit.accept(),
        )
    if fingerprint is not None and pinned.completer != fingerprint:
        audit.say(
            "completer-moved",
            audit.folder + HEAD,
            f"the completer {audit.completer!r} moved (its command, model, parameters or files), the baseline did not",
            details=(("pinned", pinned.completer), ("now", fingerprint)),
            fix=audit.accept(),
        )


def _cases(audit: _Audit, cases: Iterable[CaseFact], baselines: Mapping[str, Baseline]) -> None:
    """One accepted completion for every active case, of that very case, under its normalization."""
    wanted = {case.case_id: case for case in cases}
    for case_id, case in wanted.items():
        baseline = baselines.get(case_id)
        path = f"{audit.folder}{case_id}.json"
        if baseline is None:
            audit.say("baseline-missing", path, f"case {case_id!r} has no accepted completion", fix=audit.accept())
        elif (baseline.case_hash, baseline.version) != (case.case_hash, case.version):
            audit.say(
                "baseline-stale", path, f"was accepted for another version of case {case_id!r}", fix=audit.accept()
            )
        elif baseline.normalize != case.normalize:
            audit.say(
                "normalization-moved",
                path,
                f"was accepted under the normalization {baseline.normalize}, the case now says {case.normalize}",
                fix=audit.accept(),
            )
    for case_id in sorted(set(baselines) - set(wanted)):
        path = f"{audit.folder}{case_id}.json"
        audit.say("baseline-obsolete", path, f"no active case {case_id!r} has this baseline", fix=audit.accept())
