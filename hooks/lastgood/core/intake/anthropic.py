"""`anthropic`: a message of Anthropic's Messages API, its content in blocks."""

from __future__ import annotations

from lastgood.core.intake.blocks import MESSAGE, read_content
from lastgood.core.intake.parts import an_answer, an_array, held, must_be_said_by, must_be_whole
from lastgood.core.intake.transcript import Transcript
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

    from lastgood.core.trace import Completion


def read(found: Any) -> Completion:
    """All blocks of a message; Malformed, with its JSON Pointer, otherwise."""
    answer = an_answer(found)
    must_be_said_by("assistant", answer, "")
    must_be_whole(answer, "stop_reason", "")
    content = an_array(held(answer, "content", ""), "/content")
    if not content and answer.get("stop_reason") == "refusal":
        raise Malformed("is empty: the model declined without a word", pointer="/content")
    into = Transcript()
    read_content(into, content, "/content", MESSAGE)
    return into.completion()
