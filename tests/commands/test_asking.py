"""Cases that were to be judged are judged, or it is said that they were not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lastgood.commands.asking import answers, to_ask
from lastgood.commands.survey import worktree_survey
from lastgood.edge.completers import Answer
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Generator

    from repository import Repository


def test_fewer_answers_than_cases_are_never_a_smaller_green_run(repo: Repository) -> None:
    def forgetful(_completer: object, requests: list[Any], **_: object) -> Generator[Answer, None, None]:
        yield Answer(requests[0].id, '{"status": "paid", "order_id": "ord_one"}')

    found = worktree_survey(str(repo.root))
    (completer,) = found.config.completers
    asked = [to_ask(found, completer, found.prompts["billing"])]
    coming = answers(found, completer, asked, jobs=1, area="runs", keep=lambda *_: None, asker=forgetful)
    assert next(coming)[1].status == "PASS"
    with pytest.raises(LastgoodError, match="1 of 2 cases were never answered"):
        next(coming)
