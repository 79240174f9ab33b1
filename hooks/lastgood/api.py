"""What programs build on: a tree of a repository, read and audited; completions graded; scores held against each other.

Everything here is also an attribute of `lastgood` itself, loaded when it is first asked for. Whatever cannot be told
raises LastgoodError, one sentence with `path`, `pointer` and `fix`; what can be told is a value.
"""

from __future__ import annotations

import json
import os

from lastgood.commands.cases import active_cases, all_cases
from lastgood.commands.judged import history
from lastgood.commands.options import Options
from lastgood.commands.pending import accepted_before
from lastgood.commands.survey import as_error, chosen, completer_of, survey, worktree_survey
from lastgood.core import grading, scores, strict_json
from lastgood.core.case import Case, read_golden
from lastgood.core.failure import Failure
from lastgood.core.layout import SCHEMAS, owner_of
from lastgood.core.scores import Comparison
from lastgood.core.trace import Completion, completion_digest, read_completion
from lastgood.core.tree import DISK
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import BROKEN, CANNOT_TELL, HELD, MOVED, OUT_OF_STEP, Finding, gravest
from lastgood.edge import roots, trees
from lastgood.edge.files import read_file
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited

    Said = Completion | str | Mapping[str, Any]
    Scores = str | os.PathLike[str] | Mapping[str, Any]

__all__ = [
    "BROKEN",
    "CANNOT_TELL",
    "HELD",
    "MOVED",
    "OUT_OF_STEP",
    "Audit",
    "Case",
    "Comparison",
    "Completion",
    "Failure",
    "Finding",
    "LastgoodError",
    "Malformed",
    "Tree",
    "compare",
    "digest",
    "grade",
    "load",
    "moved",
    "score",
]


@value(frozen=True)
class Audit:
    """What `lastgood check` says of a tree: findings, and notes that change no verdict."""

    findings: tuple[Finding, ...]
    notes: tuple[str, ...]

    @property
    def verdict(self) -> int:
        """HELD, OUT_OF_STEP or CANNOT_TELL: the exit code of `lastgood check`."""
        return gravest(finding.verdict for finding in self.findings)


class Tree:
    """One tree of a repository, read once; what is on disk afterwards does not change it.

    `root`: the top of the repository. `name`: which tree it is, in words. `prompts`: prompt id → SHA-256 of its bytes,
    64 hex digits; prompts that could not be read are among the findings instead.
    """

    def __init__(self, survey: Survey, commit: str = "") -> None:
        self._survey, self._commit = survey, commit
        self.root = survey.root
        self.name = survey.tree.name
        self.prompts = {prompt_id: audited.prompt_sha256 for prompt_id, audited in survey.prompts.items()}

    def __repr__(self) -> str:
        return f"<lastgood.Tree {self.name} of {self.root}: {len(self.prompts)} prompts>"

    def audit(self, base: str = "") -> Audit:
        """Hold its files against each other, and against what others share: `base`, else the configured one."""
        found = self._survey
        if self.name == DISK:  # which is no commit, nor what one would hold
            return Audit(found.findings, ("history check skipped: the working tree is not what a commit would hold",))
        options = Options()
        options.base, options.to_ref = base or None, self._commit or None
        findings, notes = history(options, found, {*self.prompts, *map(owner_of, found.layout.strays)})
        return Audit((*found.findings, *findings), tuple(notes))

    def cases(self, prompt_id: str) -> tuple[Case, ...]:
        """The cases that are asked of a prompt, in suite order; LastgoodError when one of its files is malformed."""
        audited = self._readable(prompt_id)
        return tuple(active_cases(audited, all_cases(self._survey, audited)))

    def accepted(self, prompt_id: str, completer: str = "") -> dict[str, Completion]:
        """Case id → the completion that a person last accepted; by default those of `eval_completer`."""
        found = self._survey
        name = completer_of(found.config, completer)
        audited = self._readable(prompt_id)
        return accepted_before(found, name, prompt_id, audited.chain(name.origin))

    @property
    def schemas(self) -> dict[str, Any]:
        """Name → output schema, for `grade`."""
        names = self._survey.layout.schemas
        return {
            path.removeprefix(SCHEMAS).removesuffix(".json"): strict_json.loads(data)
            for path, data in self._survey.tree.read(names).items()
        }

    def _readable(self, prompt_id: str) -> Audited:
        (audited,) = chosen(self._survey, [prompt_id])
        for finding in audited.findings:
            if finding.verdict == CANNOT_TELL:
                raise as_error(finding)
        return audited


def load(root: str | os.PathLike[str] = ".", *, commit: str = "", working_tree: bool = False) -> Tree:
    """Read the tree that a commit made now would hold: git's index, as the hooks judge it.

    `root`: any folder of the repository. `commit`: that commit instead. `working_tree`: what `git add` of everything
    would leave, as the person's loop sees it. LastgoodError without a repository, a configuration or such a commit.
    """
    if commit and working_tree:
        raise LastgoodError("a commit and the working tree are two trees: name one")
    top = roots.root_of(os.fspath(root))
    if working_tree:
        return Tree(worktree_survey(top))
    listing = trees.commit_listing(top, commit) if commit else trees.index_listing(top)
    name = f"commit {commit[:12]}" if commit else "the index"
    return Tree(survey(top, trees.tree(top, name, listing), whole=True), commit)


def grade(
    case: Case | Mapping[str, Any], completion: Said, *, output: str = "text", schemas: Mapping[str, Any] | None = None
) -> tuple[Failure, ...]:
    """What of the case the completion breaks; empty when all of it holds. No completion makes it raise.

    `case`: one of a tree, or the object of a case file. `completion`: the text that came back, read as `output` says;
    a trace as an object; or a Completion. Malformed when the case is, LastgoodError when it names an output schema
    that is not among `schemas`.
    """
    found = _case(case)
    if found.output_schema and found.output_schema not in (schemas or {}):
        raise LastgoodError(f"case {found.id!r} names the output schema {found.output_schema!r}, which is not given")
    return grading.grade(found, _completion(completion, output)[0], schemas or {})


def digest(case: Case | Mapping[str, Any], completion: Said, *, output: str = "text") -> str:
    """The digest of a completion, normalized as the case says: 64 hex digits, of which people see 12."""
    read, raw = _completion(completion, output)
    return completion_digest(read, _case(case).normalization, raw)


def score(
    cases: Iterable[Case],
    completions: Mapping[str, Said],
    *,
    output: str = "text",
    schemas: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The score document of completions by case id, as `lastgood grade` writes it.

    A case without a completion fails as `missing_trace`. LastgoodError for no case, and for a completion of none.
    """
    asked = list(cases)
    stray = sorted(set(completions) - {case.id for case in asked})
    if stray or not asked:
        what = f"a completion of {stray[0]!r}, no case here" if stray else "no case: nothing would be graded"
        raise LastgoodError(what)
    rows = []
    for case in asked:
        if case.id in completions:
            said = completions[case.id]
            failures = tuple(map(str, grade(case, said, output=output, schemas=schemas)))
            rows.append(scores.Score(case.id, case.case_hash, failures, digest(case, said, output=output)))
        else:
            rows.append(scores.Score(case.id, case.case_hash, ("missing_trace",)))
    prompts = {case.prompt_id for case in asked}
    return scores.document(rows, prompt_id=prompts.pop() if len(prompts) == 1 else "")


def compare(old: Scores, new: Scores) -> Comparison:
    """Hold two score documents, or files of them, against each other.

    Its `verdict`: HELD, BROKEN with the regressions, or OUT_OF_STEP where they are not of the very same cases.
    """
    return scores.compare(_scores(old), _scores(new))


def moved(old: Scores, new: Scores) -> tuple[tuple[str, str, str], ...]:
    """(id, old digest, new digest) of every case that passes in both documents, and is not the same."""
    return scores.moved(_scores(old), _scores(new))


def _case(found: Case | Mapping[str, Any]) -> Case:
    if isinstance(found, Case):
        return found
    cases = read_golden("", strict_json.dump(dict(found))).cases
    if len(cases) != 1:
        raise LastgoodError(f"a suite of {len(cases)} cases, where one case is graded")
    return cases[0]


def _completion(found: Said, output: str) -> tuple[Completion, str]:
    if isinstance(found, Completion):
        return found, ""
    if isinstance(found, str):
        try:
            return read_completion(found, output), found
        except ValueError as exc:
            raise LastgoodError(str(exc)) from None
    raw = json.dumps(dict(found))
    return read_completion(raw, "trace"), raw


def _scores(found: Scores) -> Mapping[str, Any]:
    if isinstance(found, (str, os.PathLike)):
        path = os.fspath(found)
        return scores.read_scores(path, read_file(path))
    return scores.read_scores("", scores.dump_scores(found))
