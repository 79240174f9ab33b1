"""What answers tell of themselves, added up: tokens, cost, and which models say they answered."""

from __future__ import annotations

import os

from lastgood.core.model_name import alias_note, changed_note
from lastgood.core.usage import Usage, added, models_of, total
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers import words
from lastgood.edge.runs import remember_usage, usage_before
from lastgood.report.asked import took, would_ask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastgood.core.config import Completer
    from lastgood.core.plan import Plan
    from lastgood.core.usage import Reported


class Accounts:
    """The books of one evaluation."""

    def __init__(self, root: str, completer: Completer) -> None:
        self._root, self._completer = root, completer
        self._told: dict[str, list[Reported]] = {}
        self._answers = 0

    def add(self, prompt_id: str, reported: Reported) -> None:
        """One more answer."""
        self._answers += 1
        if reported.declared():
            self._told.setdefault(prompt_id, []).append(reported)

    def notes(self, plan: Plan, accepted: Sequence[str]) -> list[str]:
        """What is to be said of the models that answered a prompt; `accepted` are those of its baseline."""
        kept = [answer.reported for answers in plan.kept.values() for answer in answers]
        models = models_of([*kept, *self._told.get(plan.header.prompt_id, ())])
        aliases = [alias_note(self._completer.name, model) for model in models if model != self._completer.model]
        return list(filter(None, [*aliases, changed_note(plan.header.prompt_id, accepted, models)]))

    def took(self, plans: Sequence[Plan], seconds: float) -> str:
        """What it took, for people; kept for the estimates of the next run."""
        usages = {prompt_id: total(told) for prompt_id, told in self._told.items()}
        for prompt_id, usage in usages.items():
            if usage.answers:
                remember_usage(self._root, self._completer.name, prompt_id, usage)
        skipped = sum(plan.skipped for plan in plans)
        return took(self._answers, skipped, seconds, added(usages.values()), self._completer.price)


def estimate(root: str, completer: Completer, plans: Sequence[Plan]) -> str:
    """What `plans` would ask, and what that would use as far as earlier answers tell."""
    usages: list[Usage] = []
    known = True
    for plan in plans:
        before = usage_before(root, completer.name, plan.header.prompt_id)
        known = known and bool(before.answers or not plan.to_ask)
        usages.append(before.of(plan.to_ask))
    hidden = words.secrets(completer, os.environ)
    command = [words.masked(word, hidden) for word in completer.command]
    return would_ask(plans, command, added(usages) if known else None, completer.price)
