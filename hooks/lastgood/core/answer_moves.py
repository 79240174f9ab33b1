"""Kinds of move between two final texts: as JSON where both hold it, as text otherwise."""

from __future__ import annotations

import json

from lastgood.core import nesting
from lastgood.core.json_moves import json_moves
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

LEAST_LENGTH = 10  # percent by which a length must move before it is worth a word
_FENCE = "```"
_SPELLING = frozenset(("case", "unicode_form"))

# The same model spells these either way; zero-width signs are seen by nobody.
_TYPOGRAPHY = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."}  # noqa: RUF001
    | dict.fromkeys(map(chr, (0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)), "")
)


@value(frozen=True)
class _Answer:
    """A final text taken apart: what stands before and after its body, the body's fence line, and its JSON value."""

    before: str
    fence: str | None
    body: str
    after: str
    held: Any  # _PLAIN when the body is no JSON


_PLAIN = object()


def answer_moves(old: str, new: str) -> Iterator[str]:
    """Kinds of move from one final text to another; at least one when they differ."""
    if old == new:
        return
    left, right = _answer(old), _answer(new)
    if (left.held is _PLAIN) != (right.held is _PLAIN):
        # `Sure! {…}` is the JSON answer with a preface, as long as the other side is a JSON answer of that sort.
        left, right = _wrapped(left, right), _wrapped(right, left)
    found = [*_frame_moves(left, right), *_body_moves(left, right)]
    yield from found or _layout_moves(old, new)


def _answer(text: str) -> _Answer:
    fence, body = _unfenced(text)
    try:
        return _Answer("", fence, body, "", nesting.loads(body))
    except Malformed:
        return _Answer("", fence, body, "", _PLAIN)


def _unfenced(text: str) -> tuple[str | None, str]:
    """The info string of a code fence around the whole text (None without one), and what it holds."""
    inside = text.strip()
    if len(inside) < 2 * len(_FENCE) or not (inside.startswith(_FENCE) and inside.endswith(_FENCE)):
        return None, text
    info, newline, body = inside[len(_FENCE) : -len(_FENCE)].partition("\n")
    return (info.strip(), body) if newline and _FENCE not in body else (None, text)


def _wrapped(text: _Answer, other: _Answer) -> _Answer:
    """`text` as a JSON answer with something around it, when it holds one object or array like the other's."""
    if text.held is not _PLAIN or not isinstance(other.held, (dict, list)):
        return text
    opening, closing = "{}" if isinstance(other.held, dict) else "[]"
    start, end = text.body.find(opening), text.body.rfind(closing) + 1
    if not 0 <= start < end:
        return text
    try:
        held = nesting.loads(text.body[start:end])
    except Malformed:
        return text
    before, after = text.body[:start], text.body[end:]
    fence = text.fence
    intro, mark, info = before.rpartition(_FENCE)
    if mark and after.lstrip().startswith(_FENCE) and "\n" in info:
        before, after, fence = intro, after.lstrip()[len(_FENCE) :], info.strip()
    return _Answer(before, fence, text.body[start:end], after, held)


def _frame_moves(left: _Answer, right: _Answer) -> Iterator[str]:
    if left.fence != right.fence:
        yield "code_fence"
    for name, old, new in (("preface", left.before, right.before), ("ending", left.after, right.after)):
        if _folded(old) != _folded(new):
            yield f"{name} {'added' if not old.strip() else 'removed'}"


def _body_moves(left: _Answer, right: _Answer) -> list[str]:
    if left.held is not _PLAIN and right.held is not _PLAIN:
        found = list(json_moves(left.held, right.held))
    elif (left.held is _PLAIN) != (right.held is _PLAIN) and _container(left.held, right.held):
        found = ["type"]
    else:
        found = list(text_moves(left.body, right.body))
    if found and _SPELLING.issuperset(found):
        return found  # the same words: their count of characters says nothing
    return [*found, *_length_moves(_measure(left), _measure(right))]


def _container(*held: Any) -> bool:
    return any(isinstance(one, (dict, list)) for one in held)


def text_moves(old: str, new: str) -> Iterator[str]:
    """Kinds of move between two plain texts, whitespace folded; nothing when only whitespace differs."""
    old, new = _folded(old), _folded(new)
    if old == new:
        return
    around = tuple(_around(old, new, "added")) or tuple(_around(new, old, "removed"))
    yield from around or _spelling_moves(old, new)


def _around(inner: str, outer: str, what: str) -> Iterator[str]:
    """`preface`, `ending` or both when `outer` is `inner` with whole words before or after it."""
    if not inner:
        return
    # At the end first, then at the start: a short answer may stand in the middle of its own preface too.
    places = (len(outer) - len(inner) if outer.endswith(inner) else -1, outer.find(inner))
    for start in places:
        end = start + len(inner)
        if start < 0 or _joins(outer, start) or _joins(outer, end):
            continue
        if start > 0:
            yield f"preface {what}"
        if end < len(outer):
            yield f"ending {what}"
        return


def _joins(text: str, place: int) -> bool:
    """Whether a word goes on across this place."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


def _spelling_moves(old: str, new: str) -> Iterator[str]:
    if old.casefold() == new.casefold():
        yield "case"
        return
    from unicodedata import normalize

    old, new = (_folded(normalize("NFKC", text).translate(_TYPOGRAPHY)) for text in (old, new))
    if old == new:
        yield "unicode_form"
    elif old.casefold() == new.casefold():
        yield from ("case", "unicode_form")
    else:
        yield "text"


def _layout_moves(old: str, new: str) -> Iterator[str]:
    """The same text, or the same JSON value, written differently."""
    if "".join(old.split()) == "".join(new.split()):
        yield "whitespace"
    elif "\\u" in old or "\\u" in new:
        yield "unicode_form"  # the same characters, escaped on one side
    else:
        yield "text"  # another spelling of a number, say 1.0 and 1.00


def _measure(answer: _Answer) -> int:
    """Length in characters, whatever the layout."""
    held = answer.held is not _PLAIN
    body = json.dumps(answer.held, ensure_ascii=False, separators=(",", ":")) if held else _folded(answer.body)
    return len(body) + len(_folded(answer.before)) + len(_folded(answer.after))


def _length_moves(old: int, new: int) -> Iterator[str]:
    if old and new and abs(new - old) * 100 >= old * LEAST_LENGTH:
        yield f"length {round((new - old) * 100 / old):+d}%"


def _folded(text: str) -> str:
    return " ".join(text.split())
