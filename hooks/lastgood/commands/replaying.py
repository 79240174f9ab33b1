"""A completer that replays another: its answers are that one's baseline, out of the very tree that is judged."""

from __future__ import annotations

from lastgood.core.baseline import completion_of
from lastgood.core.layout import baseline_folder
from lastgood.core.replay import gradable, judges_nothing, recorded_output, replayed
from lastgood.core.trace import completion_digest, read_completion
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge.completers import Answer
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.case import Case
    from lastgood.core.config import Completer
    from lastgood.core.digest import Normalization

_NOTHING = "completer_failed:nothing to replay"


@value(frozen=True)
class Replay:
    """What the completer `of` was accepted with, by case id: a text that is read as `output`, or why there is none.

    `beyond`: the assertions of a case that no replay can be held against, where it has such.
    """

    of: str
    output: str
    texts: dict[str, str]
    lacks: dict[str, str]
    beyond: dict[str, tuple[str, ...]]

    def judged(self, case: Case) -> Case:
        """The case as far as a replay can be held against it."""
        return gradable(case)[0] if case.id in self.beyond else case

    def judges_nothing(self, case: Case) -> bool:
        """Whether nothing of the case can be held against a replay."""
        return case.id in self.beyond and judges_nothing(case)

    def digests(self, cases: Iterable[Case]) -> dict[str, str]:
        """What was accepted, under the normalization that each case has now: a replayed answer never moved."""
        return {
            case.id: _digest(self.texts[case.id], self.output, case.normalization)
            for case in cases
            if case.id in self.texts
        }


def _digest(text: str, output: str, how: Normalization) -> str:
    return completion_digest(read_completion(text, output), how, text)


def replay_of(found: Survey, completer: Completer, audited: Audited, cases: list[Case], every: list[Case]) -> Replay:
    """The answers to `cases` of one prompt; `every` case it has or had is what a completion may be accepted for."""
    origin = found.config.completer(completer.origin)
    assert origin  # the configuration refuses another name
    prompt_id, chain = audited.prompt.prompt_id, audited.chain(origin.name)
    accepted = chain.baselines if chain else {}
    folder = baseline_folder(origin.name, prompt_id)
    blobs = found.tree.read(f"{folder}{case.id}.json" for case in cases if case.id in accepted)
    output, asked_before = recorded_output(origin.output_for(prompt_id)), {case.case_hash: case for case in every}
    texts, lacks = {}, {}
    for case in cases:
        path = f"{folder}{case.id}.json"
        if case.id not in accepted:
            lacks[case.id] = f"{path}: {origin.name} has no accepted completion of this case"
            continue
        completion = completion_of(blobs[path])
        try:
            texts[case.id] = replayed(accepted[case.id], completion, case.input, asked_before, output=output)
        except LastgoodError as exc:
            lacks[case.id] = f"{path}: {exc.what}"
    beyond = {case.id: names for case in cases if (names := gradable(case)[1])}
    return Replay(origin.name, output, texts, lacks, beyond)


def answers_of(asked: Iterable[tuple[Replay | None, Case]]) -> Generator[Answer, None, None]:
    """One answer a case, in order, as `ask` gives them; at once, since nobody is asked."""
    for index, (replay, case) in enumerate(asked):
        assert replay
        if case.id in replay.texts:
            yield Answer(case.id, replay.texts[case.id], index=index)
        else:
            yield Answer(case.id, None, _NOTHING, replay.lacks[case.id], index=index)
