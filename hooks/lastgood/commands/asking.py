"""Asking a completer the cases of a surveyed tree: for `eval`, which keeps a journal, and for `stub`."""

from __future__ import annotations

import os

from lastgood.commands.cases import active_cases, all_cases, schemas_for
from lastgood.commands.merged import baselines_of
from lastgood.commands.survey import identity
from lastgood.core.completer import named_files, named_words
from lastgood.core.judgement import judge_all
from lastgood.core.prompt import content_sha256
from lastgood.core.sha256 import sha256_hex
from lastgood.core.shell import quoted
from lastgood.core.tree import NO_FILES
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.edge.completers import Request, ask
from lastgood.edge.runs import write_snapshot
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping
    from typing import Any

    from lastgood.commands.replaying import Replay
    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.case import Case
    from lastgood.core.config import Completer
    from lastgood.core.judgement import Judgement
    from lastgood.core.plan import Plan
    from lastgood.core.run import Recorded
    from lastgood.edge.completers import Answer

    Asker = Callable[..., Generator[Answer, None, None]]


@value(frozen=True)
class Asked:
    """One prompt to be asked: its cases in suite order, what grades them, and what was accepted before."""

    audited: Audited
    cases: tuple[Case, ...]
    schemas: dict[str, Any]
    accepted: dict[str, str]  # case id → digest
    output: str
    fingerprint: str
    replay: Replay | None = None  # the answers, where nobody is asked

    @property
    def prompt_id(self) -> str:
        return self.audited.prompt.prompt_id

    def judge(self, case: Case, answers: Iterable[Answer | Recorded]) -> Judgement:
        """Judge the answers of one case, however they were come by."""
        case = self.replay.judged(case) if self.replay else case
        said = [(answer.output, answer.error, answer.detail) for answer in answers]
        return judge_all(case, said, self.output, self.accepted.get(case.id, ""), self.schemas)


def to_ask(found: Survey, completer: Completer, audited: Audited) -> Asked:
    """Everything about one prompt that asking and judging need."""
    prompt_id = audited.prompt.prompt_id
    every = all_cases(found, audited)
    cases = active_cases(audited, every)
    chain = audited.chain(completer.origin)
    asked = Asked(
        audited=audited,
        cases=tuple(cases),
        schemas=schemas_for(found, cases),
        accepted={case_id: baseline.digest for case_id, baseline in baselines_of(found.root, prompt_id, chain).items()},
        output=completer.output_for(prompt_id),
        fingerprint=identity(found, completer, prompt_id),
    )
    if not completer.replay:
        return asked
    from lastgood.commands.replaying import replay_of

    replay = replay_of(found, completer, audited, cases, every)
    # A case of which nothing can be graded has not passed: it is named as not graded, and counted nowhere.
    judged = tuple(case for case in cases if not replay.judges_nothing(case))
    return replace(asked, cases=judged, replay=replay, output=replay.output, accepted=replay.digests(cases))


def refuse_unjudged(prompts: Iterable[Asked]) -> None:
    """LastgoodError where a prompt has cases, and nothing of any can be graded on a replay."""
    for asked in prompts:
        if asked.replay and asked.replay.beyond and not asked.cases:
            raise LastgoodError(
                f"no assertion of {asked.prompt_id} can be held against a replay: nothing would be checked",
                fix=f"lastgood eval -p {quoted(asked.prompt_id)} -c {asked.replay.of}",
            )


def answers(
    found: Survey,
    completer: Completer,
    prompts: Iterable[Asked],
    *,
    jobs: int | None,
    area: str,
    keep: Callable[[Asked, Case, Answer], None],
    environ: Mapping[str, str] = os.environ,
    plans: Mapping[str, Plan] | None = None,
    asker: Asker = ask,
) -> Generator[tuple[Asked, Judgement]]:
    """Ask every case of every prompt at once, and judge in suite order. `keep` is called first, as answers come.

    `plans` (by prompt id) says how often each case is asked and what answers it has already; without one, once.
    """
    rows = [_Row(asked, case, (plans or {}).get(asked.prompt_id)) for asked in prompts for case in asked.cases]
    owners = [row for row in rows for _ in range(row.left)]
    position = 0
    if completer.replay:
        from lastgood.commands.replaying import answers_of

        coming = answers_of((row.asked.replay, row.case) for row in owners)
    else:
        requests = _requests(found, completer, owners, area)
        coming = asker(completer, requests, cwd=found.root, environ=environ, jobs=jobs)
    try:
        while True:
            while position < len(rows) and not rows[position].left:
                row = rows[position]
                yield row.asked, row.asked.judge(row.case, row.said)
                row.said = ()  # a run of a hundred thousand cases keeps its judgements, not what they were made of
                position += 1
            answer = next(coming, None)
            if answer is None:
                if position < len(rows):  # never fewer cases than were to be judged, and green
                    raise LastgoodError(f"{len(rows) - position} of {len(rows)} cases were never answered")
                return
            row = owners[answer.index]
            keep(row.asked, row.case, answer)
            row.said += (answer,)
            row.left -= 1
    finally:
        coming.close()  # no completer outlives whoever was asking


class _Row:
    """One case while it is asked: the answers it has, and how many are still to come."""

    def __init__(self, asked: Asked, case: Case, plan: Plan | None) -> None:
        self.asked, self.case = asked, case
        self.said: tuple[Answer | Recorded, ...] = plan.answered(case) if plan else ()
        self.left = plan.times[case.id, case.version] if plan else 1


def _requests(found: Survey, completer: Completer, owners: Iterable[_Row], area: str) -> list[Request]:
    """A request for each answer that is wanted; of every prompt one snapshot."""
    owners = list(owners)
    asked = {row.asked.prompt_id: row.asked for row in owners}
    files = {prompt_id: _snapshot(found, completer, one, area) for prompt_id, one in asked.items()}
    return [
        Request(
            id=row.case.id,
            prompt_id=row.asked.prompt_id,
            input=row.case.input,
            prompt_file=files[row.asked.prompt_id][0],
            prompt_sha256=row.asked.audited.prompt_sha256,
            prompt_files=files[row.asked.prompt_id],
            tools=row.case.tools,
        )
        for row in owners
    ]


def as_in_tree(found: Survey, completer: Completer) -> tuple[Completer, dict[str, str]]:
    """The completer with every file it names as the tree holds it, where the one on disk was edited since.

    And the environment that lets a Python program moved so find the modules beside it.
    """
    entries = found.tree.entries
    blobs = found.tree.read(path for path in named_files(completer, entries) if entries[path][0] not in NO_FILES)
    edited = {path: data for path, data in blobs.items() if not _holds(os.path.join(found.root, path), data)}
    if not edited:
        return completer, {}
    folder = write_snapshot(found.root, "commit", completer.name, "", edited)
    for path in edited:
        os.chmod(os.path.join(folder, path), int(entries[path][0][-3:], 8))
    words = (os.path.join(folder, path) if path in edited else word for word, path in named_words(completer))
    beside = dict.fromkeys(os.path.join(found.root, os.path.dirname(path)) for path in edited)
    modules = os.pathsep.join([*beside, *filter(None, [os.environ.get("PYTHONPATH", "")])])
    return replace(completer, command=tuple(words)), {"PYTHONPATH": modules}


def _holds(path: str, data: bytes) -> bool:
    """Whether a file on disk is what the tree holds, line endings apart: those are the checkout's own."""
    try:
        with open(path, "rb") as file:
            return file.read().replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n")
    except OSError:
        return False


def _snapshot(found: Survey, completer: Completer, asked: Asked, area: str) -> tuple[str, ...]:
    files = asked.audited.prompt.files
    blobs = found.tree.read(files)
    contents = {path: _content(found, path, blobs[path]) for path in files}
    folder = write_snapshot(found.root, area, completer.name, asked.prompt_id, contents)
    return tuple(os.path.join(folder, path) for path in files)


def _content(found: Survey, path: str, blob: bytes) -> bytes:
    """The bytes that the prompt's hash is of: the blob, a part of it, or what an LFS pointer stands for."""
    if path in found.layout.parts:
        from lastgood.core.part import part_of

        return part_of(found.layout.parts[path], path, blob)
    digest = content_sha256(blob)
    if digest == sha256_hex(blob):
        return blob
    from lastgood.edge import lfs

    data = lfs.content(found.root, path, digest)
    if data is None:
        raise LastgoodError("only the LFS pointer of this prompt is here", path=path, fix="git lfs pull")
    return data
