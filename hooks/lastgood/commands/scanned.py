"""Nothing that seems to hold a secret is recorded: git keeps it for ever."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.secrets import suspects
from lastgood.errors import Refused
from lastgood.report.moves import diffable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.core.judgement import Judgement


def refuse_secrets(judgements: Iterable[Judgement]) -> None:
    """Refused, naming the case and the kind of secret, never the secret."""
    texts = {found.case.id: diffable(found.completion) for found in judgements if found.completion}
    for case_id, kind in suspects(texts):
        raise Refused(
            f"the completion of {case_id} seems to hold a secret ({kind}); what is recorded is kept for ever",
            fix="mend the prompt, or replace it by a `replace` rule under `normalize` of the case",
        )
