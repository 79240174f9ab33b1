"""Pending runs against a surveyed working tree: what `diff` shows and `record` accepts are one value."""

from __future__ import annotations

from lastgood.commands.asking import to_ask
from lastgood.commands.merged import sides_of
from lastgood.commands.survey import as_error
from lastgood.core.acceptance import change
from lastgood.core.baseline import read_completion_of
from lastgood.core.digest import value_hash
from lastgood.core.judgement import FAIL, UNSTABLE
from lastgood.core.layout import baseline_folder
from lastgood.core.migration import heads
from lastgood.core.model_name import changed_note
from lastgood.core.sha256 import sha256_hex
from lastgood.core.usage import models_of
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.core.verdict import CANNOT_TELL
from lastgood.edge.runs import read_run
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lastgood.commands.asking import Asked
    from lastgood.commands.merged import Side
    from lastgood.commands.survey import Survey
    from lastgood.core.acceptance import Change
    from lastgood.core.audit import Audited
    from lastgood.core.baseline import Baseline
    from lastgood.core.case import Case
    from lastgood.core.chain_audit import Chain
    from lastgood.core.config import Completer
    from lastgood.core.judgement import Judgement
    from lastgood.core.migration import Migration
    from lastgood.core.run import Run
    from lastgood.core.trace import Completion


@value(frozen=True)
class Pending:
    """One prompt's run, judged by the cases and the baseline of the tree as it is now.

    `stale` says what moved since the run was taken; `unanswered` are cases it holds no answer of, `lacking` those of
    fewer answers than the completer must give; `before` the accepted completions by case id; `obsolete` the ids that
    no active case has any more; `models` what the answers say made them. `sides` are the heads of a chain that a merge
    forked; `before` and the judgements are then against the first.
    """

    asked: Asked
    completer: Completer
    run: Run
    chain: Chain | None
    judgements: tuple[Judgement, ...]
    unanswered: tuple[Case, ...]
    stale: tuple[str, ...]
    before: dict[str, Completion]
    obsolete: tuple[str, ...]
    lacking: tuple[Case, ...]
    models: tuple[str, ...]
    sides: tuple[Side, ...] = ()

    @property
    def prompt_id(self) -> str:
        return self.asked.prompt_id

    @property
    def recordable(self) -> bool:
        kept_out = any(found.status in (FAIL, UNSTABLE) for found in self.judgements)
        return not (self.stale or self.unanswered or self.lacking or kept_out)

    @property
    def note(self) -> str:
        """That another model answered than the one that was accepted, or which side of a merge this is; "" when not."""
        if self.sides:
            names = " and ".join(side.head.name for side in self.sides)
            held = "" if self.sides[0].baselines is not None else ", whose completions no commit here holds"
            return f"merges {names}; this is against {self.sides[0].head.name}{held}"
        tip = self.chain.tip if self.chain else None
        return changed_note(self.prompt_id, tip.models if tip else (), self.models)

    @property
    def source(self) -> str:
        """The hash of the prompt that the accepted completions are of; "" where none are."""
        tip = self.sides[0].head if self.sides else self.chain.tip if self.chain else None
        return tip.target.prompt_sha256 if tip else ""

    @property
    def parents(self) -> list[Migration]:
        """What the next migration follows: the tip, nothing yet, or the heads of a chain that a merge forked."""
        if self.sides:
            return [side.head for side in self.sides]
        if not self.chain or self.chain.tip:
            return [self.chain.tip] if self.chain and self.chain.tip else []
        return heads(self.chain.migrations)

    def others(self) -> list[Pending]:
        """The same run against each of the other sides of a merge, as far as git holds what they accepted."""
        turned = [(side, *(other for other in self.sides if other != side)) for side in self.sides[1:]]
        return [_against(self, sides) for sides in turned if sides[0].baselines is not None]

    def change(self) -> Change:
        """How the baseline would move; only of a run that is recordable."""
        audited, header = self.asked.audited, self.run.header
        pin = (audited.prompt_sha256, audited.suite.suite_hash, header.fingerprint)
        baselines = _baselines(self)
        return change(
            self.prompt_id,
            self.completer.name,
            pin,
            self.judgements,
            baselines,
            self.before,
            self.parents,
            self.models,
            present=self.chain.baselines if self.chain else {},
        )


def pending_runs(found: Survey, completer: Completer, prompts: Iterable[Audited]) -> list[Pending]:
    """The pending runs of `completer`; LastgoodError when there is none at all."""
    refuse_replay(completer)
    runs = [pending_run(found, completer, audited) for audited in prompts]
    pending = [item for item in runs if item]
    if not pending:
        raise LastgoodError(f"no pending run of {completer.name}", fix=f"lastgood eval -c {completer.name}")
    return pending


def refuse_replay(completer: Completer) -> None:
    """What a replay answers was accepted once; there is nothing to look at."""
    if completer.replay:
        what = f"{completer.name} replays {completer.replay}: what it answers is accepted already"
        raise LastgoodError(what, fix=f"lastgood eval -c {completer.replay}")


def pending_run(found: Survey, completer: Completer, audited: Audited) -> Pending | None:
    """The pending run of one prompt, judged; None when there is none, LastgoodError when its cases cannot be read."""
    run = read_run(found.root, completer.name, audited.prompt.prompt_id)
    if run is None:
        return None
    for finding in audited.findings:
        # A broken baseline is made anew by the next record; one of a newer format must not be taken for none.
        if finding.verdict == CANNOT_TELL and (finding in audited.suite.findings or finding.code == "newer-format"):
            raise as_error(finding)
    asked = to_ask(found, completer, audited)
    answered = [(case, run.of(case.id, case.version, case.case_hash)) for case in asked.cases]
    kept = [(case, answers) for case, answers in answered if answers]
    chain = audited.chain(completer.name)
    before = accepted_before(found, completer, asked.prompt_id, chain)
    done = {case.id for case, _ in kept}
    item = Pending(
        asked=asked,
        completer=completer,
        run=run,
        chain=chain,
        judgements=tuple(asked.judge(case, answers) for case, answers in kept),
        unanswered=tuple(case for case in asked.cases if case.id not in done),
        stale=tuple(stale(asked, run)),
        before=before,
        obsolete=tuple(sorted(set(before) - {case.id for case in asked.cases})),
        lacking=tuple(case for case, answers in kept if len(answers) < completer.repeat),
        models=models_of(answer.reported for _, answers in kept for answer in answers),
    )
    return _against(item, sides_of(found.root, asked.prompt_id, chain))


def _against(item: Pending, sides: tuple[Side, ...]) -> Pending:
    """The run judged by what the first of these sides accepted; as it is where there are none, or git holds nothing."""
    if not sides or sides[0].baselines is None or sides[0].completions is None:
        return replace(item, sides=sides)
    accepted = {case_id: baseline.digest for case_id, baseline in sides[0].baselines.items()}
    asked, before = replace(item.asked, accepted=accepted), sides[0].completions
    judged = [(j.case, item.run.of(j.case.id, j.case.version, j.case.case_hash)) for j in item.judgements]
    return replace(
        item,
        asked=asked,
        judgements=tuple(asked.judge(case, answers) for case, answers in judged),
        before=before,
        obsolete=tuple(sorted(set(before) - {case.id for case in asked.cases})),
        sides=sides,
    )


def accepted_before(found: Survey, completer: Completer, prompt_id: str, chain: Chain | None) -> dict[str, Completion]:
    """Case id → the completion that its baseline holds in the tree."""
    folder = baseline_folder(completer.name, prompt_id)
    accepted = [f"{folder}{case_id}.json" for case_id in (chain.baselines if chain else ())]
    blobs = found.tree.read(path for path in accepted if path in found.tree)
    return {path[len(folder) : -len(".json")]: read_completion_of(path, data) for path, data in blobs.items()}


def stale(asked: Asked, run: Run) -> Iterable[str]:
    """What moved since a run was taken, one phrase each."""
    header, audited = run.header, asked.audited
    for what, then, now in (
        ("the prompt", header.prompt_sha256[:12], audited.prompt_sha256[:12]),
        ("the golden cases", header.suite_hash, audited.suite.suite_hash),
        ("the completer", header.fingerprint, asked.fingerprint),
        ("how its output is read", header.output, asked.output),
    ):
        if then != now:
            yield f"{what} moved since the run ({then} → {now})"


def token_of(pending: Sequence[Pending]) -> str:
    """12 hex digits that stand for exactly what `diff` showed of these runs: pins, old state, every byte answered."""
    shown = [
        {
            "completer": item.completer.name,
            "prompt_id": item.prompt_id,
            "pin": [item.run.header.prompt_sha256, item.run.header.suite_hash, item.run.header.fingerprint],
            "parents": [parent.hash for parent in item.parents],
            "before": sorted((case_id, baseline.digest) for case_id, baseline in _baselines(item).items()),
            "answers": [[j.case.id, j.case.case_hash, j.digest, *_hashes(item, j)] for j in item.judgements],
        }
        for item in pending
    ]
    return sha256_hex(value_hash(shown).encode("ascii"))[:12]


def _baselines(item: Pending) -> dict[str, Baseline]:
    if item.sides and item.sides[0].baselines is not None:
        return item.sides[0].baselines
    return item.chain.baselines if item.chain else {}


def raws(item: Pending, judgement: Judgement) -> list[str]:
    """Everything that the completer wrote for a case, or why it could not, in the order it came."""
    case = judgement.case
    answers = item.run.of(case.id, case.version, case.case_hash)
    return [one.error if one.output is None else one.output for one in answers]


def raw(item: Pending, judgement: Judgement) -> str:
    """The answer that a judgement is of: of several, the first that is judged so."""
    case = judgement.case
    for one in item.run.of(case.id, case.version, case.case_hash):
        if item.asked.judge(case, [one]).digest == judgement.digest:
            return one.error if one.output is None else one.output
    return ""


def _hashes(item: Pending, judgement: Judgement) -> list[str]:
    return [sha256_hex(text.encode("utf-8", "surrogatepass")) for text in raws(item, judgement)]
