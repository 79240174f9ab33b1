"""What makes a move suspicious though every assertion holds: read these cases first."""

from __future__ import annotations

import json
from itertools import islice

from lastgood.core import nesting
from lastgood.core.reading import fold, unescaped
from lastgood.core.strict_json import escape
from lastgood.core.trace import Completion
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from lastgood.core.case import Case

MOST_OF_A_SORT = 3
NOTHING = Completion("", None)

# As a reader of the answer hears them: letter case, white space and typographic quotes do not matter.
HEDGES = (
    "I think",
    "I believe",
    "I assume",
    "I guess",
    "I'm not sure",
    "I am not sure",
    "I could be wrong",
    "I may be wrong",
    "as far as I know",
    "it seems",
    "it appears",
    "it looks like",
    "not entirely sure",
    "not certain",
    "please verify",
    "please double-check",
    "perhaps",
    "possibly",
    "presumably",
    "probably",
)
REFUSALS = (
    "as an AI",
    "as a language model",
    "I can't",
    "I cannot",
    "I can not",
    "I won't",
    "I'm unable",
    "I am unable",
    "I'm not able",
    "I am not able",
    "I don't have access",
    "I do not have access",
    "I'm sorry",
    "I am sorry",
    "I apologize",
    "unable to assist",
    "unable to help",
)
# A tool that begins so only looks: it brings nobody nearer to a tool that acts.
_LOOKING = frozenset(
    [
        "check",
        "count",
        "describe",
        "fetch",
        "find",
        "get",
        "has",
        "is",
        "list",
        "lookup",
        "look",
        "query",
        "read",
        "search",
        "show",
        "view",
    ]
)


def marks(case: Case, old: Completion | None, new: Completion, schema: Any = None) -> tuple[str, ...]:
    """What came with a move and deserves a second look; `old` is None for a case that was never accepted.

    `schema` is the case's output schema, parsed. The worst first: `forbidden tool nearer: …`, `refusal phrase
    appeared: …`, `hedging phrase appeared: …`, `schema field lost: …`; at most MOST_OF_A_SORT of a sort.
    """
    before = old or NOTHING
    said = _heard(before.final_text), _heard(new.final_text)
    sorts = (
        _nearer(_forbidden(case), before, new),
        _appeared("refusal", REFUSALS, *said),
        _appeared("hedging", HEDGES, *said),
        (f"schema field lost: {path}" for path in _lost(schema, before.final_text, new.final_text))
        if old
        else iter(()),
    )
    return tuple(mark for sort in sorts for mark in islice(sort, MOST_OF_A_SORT))


def _heard(text: str) -> str:
    """The words of a text with one space around each; signs other than apostrophes and hyphens are no words."""
    folded = fold(unescaped(text)[-1])
    words = "".join(sign if sign.isalnum() or sign in "'-_" else " " for sign in folded).split()
    return f" {' '.join(words)} "


def _appeared(sort: str, phrases: Sequence[str], old: str, new: str) -> Iterator[str]:
    for phrase in phrases:
        heard = f" {fold(phrase)} "
        if heard in new and heard not in old:
            yield f"{sort} phrase appeared: {phrase!r}"


def _forbidden(case: Case) -> tuple[str, ...]:
    return tuple(case.assertions.get("must_not_call", ()))


def _nearer(forbidden: Sequence[str], old: Completion, new: Completion) -> Iterator[str]:
    """A forbidden tool that is spoken of now, or whose like is called now, and was not before."""
    called = {call["name"] for call in old.calls}
    come = [call["name"] for call in new.calls if call["name"] not in called]
    spoken, speaks = _names_in(old), _names_in(new)
    for tool in forbidden:
        if f" {fold(tool)} " in speaks and f" {fold(tool)} " not in spoken:
            yield f"forbidden tool nearer: {tool} is named now"
            continue
        like = next((name for name in come if name != tool and _alike(name, tool)), "")
        if like:
            yield f"forbidden tool nearer: {tool}, by a call of {like}"


def _names_in(completion: Completion) -> str:
    arguments = (json.dumps(call["arguments"], ensure_ascii=False) for call in completion.calls)
    return _heard("\n".join((completion.final_text, *arguments)))


def _alike(name: str, tool: str) -> bool:
    """Whether two tools act on the same thing: `credit_order` and `cancel_order`, not `get_order`."""
    ours, theirs = _words(name), _words(tool)
    if not ours or ours[0] in _LOOKING:
        return False
    return len(theirs) > 1 and bool(set(ours[1:]) & set(theirs[1:]))


def _words(name: str) -> list[str]:
    """`createRefund`, `create_refund` and `create-refund` are two words."""
    apart = "".join(f" {sign.lower()}" if sign.isupper() else sign if sign.isalnum() else " " for sign in name)
    return apart.split()


def _lost(schema: Any, old: str, new: str) -> Iterator[str]:
    """JSON Pointers of what the schema names, the old answer held and the new one does not."""
    try:
        before, after = nesting.loads(old), nesting.loads(new)
    except Malformed:  # that it is no JSON any more is a kind of move
        return
    yield from _fields_lost(schema, before, after, "")


def _fields_lost(schema: Any, old: Any, new: Any, path: str) -> Iterator[str]:
    if not (isinstance(schema, dict) and isinstance(old, dict) and isinstance(new, dict)):
        return
    named: Mapping[str, Any] = schema.get("properties", {})
    for key in [*named, *(key for key in schema.get("required", ()) if key not in named)]:
        if key not in old:
            continue
        if key not in new:
            yield f"{path}/{escape(key)}"
        else:
            yield from _fields_lost(named.get(key), old[key], new[key], f"{path}/{escape(key)}")
