"""Going back: the completions that an earlier migration accepted, found in git and judged by the cases of now."""

from __future__ import annotations

from lastgood.commands.asking import to_ask
from lastgood.commands.pending import Pending, accepted_before
from lastgood.core.baseline import baseline_hash, read_baseline, read_completion_of
from lastgood.core.grading import grade
from lastgood.core.judgement import DIFF, FAIL, NEW, PASS, Judgement
from lastgood.core.layout import HEAD, baseline_folder
from lastgood.core.run import Header, Recorded, Run
from lastgood.core.sha256 import SHORT
from lastgood.core.shell import quoted
from lastgood.core.trace import completion_digest
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge import history
from lastgood.errors import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lastgood.commands.asking import Asked
    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.case import Case
    from lastgood.core.chain_audit import Chain
    from lastgood.core.config import Completer
    from lastgood.core.migration import Migration
    from lastgood.core.trace import Completion


def restored(found: Survey, completer: Completer, prompts: Sequence[Audited], number: int) -> list[Pending]:
    """What migration `number` accepted, as if it had just been answered; Refused where it cannot be."""
    having = [audited for audited in prompts if _numbered(audited.chain(completer.name), number)]
    if not having:
        raise Refused(f"no migration {number} of {completer.name} here", fix=f"lastgood log -c {completer.name}")
    if len(having) > 1:
        names = ", ".join(audited.prompt.prompt_id for audited in having)
        raise Refused(f"several prompts have a migration {number} ({names}): name one", fix="add -p PROMPT")
    asked = to_ask(found, completer, having[0])
    chain = having[0].chain(completer.name)
    assert chain is not None
    migrations = _numbered(chain, number)
    if len(migrations) > 1:
        names = ", ".join(migration.name for migration in migrations)
        raise Refused(f"{asked.prompt_id} has several migrations {number}: {names}", fix="lastgood status")
    _refuse_other_pin(found.root, asked, migrations[0], found.layout.parts)
    return [_pending(found, completer, asked, chain, migrations[0])]


def _numbered(chain: Chain | None, number: int) -> list[Migration]:
    return [migration for migration in chain.migrations if migration.number == number] if chain else []


def _refuse_other_pin(root: str, asked: Asked, migration: Migration, parts: Mapping[str, str]) -> None:
    prompt, now, then = asked.audited.prompt, asked.audited.prompt_sha256, migration.target.prompt_sha256
    if now != then:
        state = history.prompt_state(root, prompt.files, then, parts)
        files = " ".join(map(quoted, prompt.files))
        back = (
            f"git checkout {state[0][:SHORT]} -- {files}" if state else "bring that prompt back; git does not hold it"
        )
        what = f"the prompt {prompt.prompt_id} is {now[:SHORT]} now, and migration {migration.number} is of"
        raise Refused(f"{what} {then[:SHORT]}", fix=back)
    if asked.fingerprint != migration.target.completer:
        raise Refused(
            f"the completer is {asked.fingerprint} now, and migration {migration.number} is of "
            f"{migration.target.completer}: its answers are another one's",
            fix=f"lastgood eval -p {quoted(prompt.prompt_id)} -c {migration.completer}",
        )


def _pending(found: Survey, completer: Completer, asked: Asked, chain: Chain, migration: Migration) -> Pending:
    accepted = _accepted(found.root, asked, migration)
    missing = [case.id for case in asked.cases if case.id not in accepted]
    if missing:
        raise Refused(
            f"migration {migration.number} holds no answer of: {', '.join(missing)}",
            fix=f"lastgood eval -p {quoted(asked.prompt_id)} -c {completer.name}",
        )
    answers: dict[tuple[str, int], tuple[Recorded, ...]] = {
        case.key: (Recorded(case.id, case.version, case.case_hash, accepted[case.id][0].decode("utf-8"), "", "", 0.0),)
        for case in asked.cases
    }
    audited = asked.audited
    header = Header(
        *(asked.prompt_id, completer.name, audited.prompt_sha256, audited.suite.suite_hash, asked.fingerprint),
        command=completer.command,
        output=asked.output,
        started_at="",
    )
    before = accepted_before(found, completer, asked.prompt_id, chain)
    return Pending(
        asked=asked,
        completer=completer,
        run=Run(header, answers),
        chain=chain,
        judgements=tuple(_judged(asked, case, accepted[case.id][1]) for case in asked.cases),
        unanswered=(),
        stale=(),
        before=before,
        obsolete=tuple(sorted(set(before) - {case.id for case in asked.cases})),
        lacking=(),
        models=migration.models,
    )


def _accepted(root: str, asked: Asked, migration: Migration) -> dict[str, tuple[bytes, Completion]]:
    """Case id → file and completion of the baseline as `migration` left it, known by its hash."""
    folder = baseline_folder(migration.completer, asked.prompt_id)
    head = f"{migration.head_line}\n".encode("ascii")
    for commit, held in history.states(root, [folder + HEAD]):
        if held.get(folder + HEAD) != head:
            continue
        files = history.folder_at(root, commit, folder)
        paths = {folder + name: data for name, data in files.items() if name.endswith(".json")}
        try:
            read = [read_baseline(path, data) for path, data in paths.items()]
        except Malformed:  # another commit may hold it whole
            continue
        if baseline_hash(one.triple for one in read) == migration.target.baseline_hash:
            return {
                one.case_id: (data, read_completion_of(path, data))
                for one, (path, data) in zip(read, paths.items(), strict=True)
            }
    raise Refused(
        f"git's history does not hold what migration {migration.number} of {asked.prompt_id} accepted",
        fix="git fetch --unshallow  # where this clone is shallow; else lastgood eval",
    )


def _judged(asked: Asked, case: Case, completion: Completion) -> Judgement:
    digest, previous = completion_digest(completion, case.normalization, ""), asked.accepted.get(case.id, "")
    failures = grade(case, completion, asked.schemas)
    status = FAIL if failures else NEW if not previous else PASS if digest == previous else DIFF
    return Judgement(case, status, digest, previous, failures, completion)
