"""What was said and called, in order, while an answer is being read."""

from __future__ import annotations

from lastgood.core.trace import Completion
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any


class Transcript:
    """Gathers an answer piece by piece.

    A turn is what the assistant says until somebody else speaks. Texts that follow each other are one paragraph, since
    vendors split a sentence where a citation begins; a call or a thought between two texts parts them.
    """

    def __init__(self) -> None:
        self._turns: list[list[list[str]]] = []  # a turn is paragraphs, a paragraph is pieces of text
        self._speaking = False
        self._calls: list[dict[str, Any]] = []
        self._made: dict[tuple[str, str], list[dict[str, Any]]] = {}  # by id, and by tool
        self._answered: dict[tuple[str, str], int] = {}

    def begin(self) -> None:
        """The assistant speaks, or goes on to, even if it says nothing."""
        if not self._speaking:
            self._turns.append([[]])
            self._speaking = True

    def others(self) -> None:
        """Somebody else speaks."""
        self._speaking = False

    def say(self, text: str) -> None:
        """The assistant says `text`."""
        self.begin()
        self._turns[-1][-1].append(text)

    def part(self) -> None:
        """Something that is no text comes between what was said and what will be."""
        if self._speaking and self._turns[-1][-1]:
            self._turns[-1].append([])

    def call(self, name: str, arguments: dict[str, Any], call_id: Any) -> dict[str, Any]:
        """The assistant calls a tool; `call_id` is what a result will name, or nothing."""
        self.begin()
        self.part()
        call = {"name": name, "arguments": arguments}
        self._calls.append(call)
        self._made.setdefault(("tool", name), []).append(call)
        if isinstance(call_id, str):
            self._made.setdefault(("id", call_id), []).append(call)
        return call

    def answer(self, by: str, name: str, outcome: dict[str, Any], pointer: str) -> None:
        """A result or error of the call whose id (or, with `by` "tool", whose tool) is `name`.

        Some servers give the same id again in a later turn, so the first call that has no result yet is meant.
        """
        made, nth = self._made.get((by, name), []), self._answered.get((by, name), 0)
        while nth < len(made) and ("result" in made[nth] or "error" in made[nth]):
            nth += 1
        self._answered[by, name] = nth
        if nth == len(made):
            what = "has its result already" if made else "was never made"
            raise Malformed(f"is the result of a call that {what}", pointer=pointer)
        made[nth].update(outcome)

    def completion(self) -> Completion:
        """All of it. The final text is the last turn's: what the user is left with, if only silence."""
        turns = ["\n\n".join(filter(None, map("".join, turn))) for turn in self._turns]
        return Completion(turns[-1] if turns else "", tuple(self._calls), turns=tuple(filter(None, turns)))
