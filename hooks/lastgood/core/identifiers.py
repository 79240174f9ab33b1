"""The assertion `identifiers`: an answer names nothing that neither the input nor a tool ever held."""

from __future__ import annotations

from itertools import islice

from lastgood.core.failure import Failure, one_line, shown
from lastgood.core.kinds import folded
from lastgood.core.pattern import compiled
from lastgood.core.reading import strings_in, unescaped, visible
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion

_MANY = 20  # told of one answer


def failures(wanted: Mapping[str, Any], completion: Completion, case: Case) -> Iterator[Failure]:
    """The identifiers in the final text that are new, when there are more than `max_new`.

    Found in plain characters, so that a hyphen of another kind or a full-width digit makes nothing new; compared
    exactly but for what `fold` says.
    """
    find, fold = _finder(wanted["pattern"]), wanted.get("fold", ())
    # Escapes undone: the text may be JSON, and a line break written \n would stick to what follows it.
    said = {folded(found, fold): found for found in find(unescaped(completion.final_text)[-1])}
    sources = wanted.get("from", list(SOURCES))
    if said:
        for source in sources:
            for text in SOURCES[source](completion, case):
                for reading in unescaped(text):  # a result is often JSON inside a string
                    for found in find(reading):
                        said.pop(folded(found, fold), None)
    if len(said) > wanted.get("max_new", 0):
        for found in islice(said.values(), _MANY):
            yield Failure(
                f"invented_identifier:{one_line(found)}",
                f"expected only what {' or '.join(map(_WORDS.__getitem__, sources))} holds, got {shown(found)}",
            )


def _finder(pattern: str) -> Callable[[str], Iterator[str]]:
    search = compiled(pattern, fold_case=True).finditer
    return lambda text: (match.group() for match in search(visible(text)))


def _input(_completion: Completion, case: Case) -> Iterator[str]:
    yield from strings_in(case.input, numbers=True)


def _tool_results(completion: Completion, _case: Case) -> Iterator[str]:
    for call in completion.calls:
        for key in ("result", "error"):
            yield from strings_in(call.get(key), numbers=True)


SOURCES: dict[str, Callable[[Completion, Case], Iterator[str]]] = {"input": _input, "tool_results": _tool_results}
_WORDS = {"input": "the input", "tool_results": "a tool's result"}
