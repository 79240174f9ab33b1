"""Asking a completer the cases of a surveyed tree: for `eval`, which keeps a journal, and for `stub`."""

from __future__ import annotations

import os

from lastgood.commands.cases import active_cases, schemas_for
from lastgood.commands.survey import identity
from lastgood.core.completer import named_files, named_words
from lastgood.core.judgement import judge_all
from lastgood.core.prompt import content_sha256
from lastgood.core.sha256 import sha256_hex
from lastgood.core.tree import NO_FILES
from lastgood.core.value import TYPE_CHECKING, replace, value
from lastgood.edge.completers import Request, ask
from lastgood.edge.runs import write_snapshot
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping
    from typing import Any

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

    @property
    def prompt_id(self) -> str:
        return self.audited.prompt.prompt_id

    def judge(self, case: Case, answers: Iterable[Answer | Recorded]) -> Judgement:
        """Judge the answers of one case, however they were come by."""
        said = [(answer.output, answer.error, answer.detail) for answer in answers]
        return judge_all(case, said, self.output, self.accepted.get(case.id, ""), self.schemas)


def to_ask(found: Survey, completer: Completer, audited: Audited) -> Asked:
    """Everything about one prompt that asking and judging need."""
    prompt_id = audited.prompt.prompt_id
    cases = active_cases(found, audited)
    chain = audited.chain(completer.name)
    return Asked(
        audited=audited,
        cases=tuple(cases),
        schemas=schemas_for(found, cases),
        accepted={case_id: baseline.digest for case_id, baseline in chain.baselines.items()} if chain else {},
        output=completer.output_for(prompt_id),
        fingerprint=identity(found, completer, prompt_id),
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
    files = {row.asked.prompt_id: row.asked for row in rows if row.left}
    snapshots = {prompt_id: _snapshot(found, completer, asked, area) for prompt_id, asked in files.items()}
    owners = [row for row in rows for _ in range(row.left)]
    requests = [
        Request(row.case.id, prompt_id, row.case.input, snapshots[prompt_id], row.asked.audited.prompt_sha256)
        for row in owners
        for prompt_id in (row.asked.prompt_id,)
    ]
    position = 0
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


def _snapshot(found: Survey, completer: Completer, asked: Asked, area: str) -> str:
    files = asked.audited.prompt.files
    blobs = found.tree.read(files)
    contents = {path: _content(found.root, path, blobs[path]) for path in files}
    return os.path.join(write_snapshot(found.root, area, completer.name, asked.prompt_id, contents), files[0])


def _content(root: str, path: str, blob: bytes) -> bytes:
    """The bytes that the prompt's hash is of: the blob, or what an LFS pointer stands for."""
    digest = content_sha256(blob)
    if digest == sha256_hex(blob):
        return blob
    from lastgood.edge import lfs

    data = lfs.content(root, path, digest)
    if data is None:
        raise LastgoodError("only the LFS pointer of this prompt is here", path=path, fix="git lfs pull")
    return data
