"""A final text as a reader sees it: through JSON escapes, invisible characters, full-width letters, fancy quotes."""

from __future__ import annotations

import re
from functools import lru_cache

from lastgood.core import nesting
from lastgood.core.kinds import is_number
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_UNESCAPINGS = 3  # JSON inside JSON inside JSON; what lies deeper no user reads
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
# Unicode's Default_Ignorable_Code_Point, and controls that are no white space: what is there and not seen.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_TYPEWRITTEN = str.maketrans(
    dict.fromkeys("‘’‚‛′‵ʻʼʽˈ`´", "'")  # noqa: RUF001  # the characters meant
    | dict.fromkeys("“”„‟«»″‶〝〞", '"')
    | dict.fromkeys("‐‑‒–—―−⁃﹘﹣", "-")  # noqa: RUF001  # likewise
)


class Text:
    """A final text being graded; what is derived from it is derived once, and only when asked for."""

    parsed: Any  # the JSON value in it; None when there is none (see `fault`)
    fault: str  # why it is not one JSON value; empty when it is
    folded: str  # as text and with JSON escapes undone, both folded, for finding phrases in

    def __init__(self, text: str, turns: Sequence[str] | None = None) -> None:
        self.text = text
        self._said = turns

    def __getattr__(self, name: str) -> Any:
        # Only reached while the attribute is not there yet: from then on it is as quick as any other.
        if name == "folded":
            # U+0000 between them, so that no phrase is found half in one and half in the other.
            self.folded = "\0".join(f" {fold(reading)} " for reading in unescaped(self.text))
        elif name in ("parsed", "fault"):
            self.parsed, self.fault = _parse(self.text)
        else:
            raise AttributeError(name)
        return getattr(self, name)

    @property
    def turns(self) -> list[Text] | None:
        """What was said in each turn, and this text last; None when nobody told."""
        if self._said is None:
            return None
        return [*(Text(turn) for turn in self._said if turn != self.text), self]

    def strings(self) -> Iterator[str]:
        """The text, and when it is JSON every string in it: what must be found is looked for here."""
        yield self.text
        if not self.fault:
            yield from strings_in(self.parsed)

    def readings(self, *, edges: bool) -> Sequence[str]:
        """Every way to read it: what must not be found is looked for here.

        `edges`: also each string of JSON by itself, which tells only where a pattern asks for a start or an end.
        """
        if not edges and "\\" not in self.text and self.text.isascii():
            return (self.text,)
        found = dict.fromkeys((*unescaped(self.text), *(self.strings() if edges else ())))
        return [
            form for reading in found for form in ((reading,) if reading.isascii() else (reading, visible(reading)))
        ]


def _parse(text: str) -> tuple[Any, str]:
    try:
        return nesting.loads(text.strip()), ""
    except Malformed as exc:
        return None, f"{exc.what} at {exc.pointer}" if exc.pointer else exc.what


def unescaped(text: str) -> list[str]:
    """The text, and the text with its JSON escapes undone, again where that leaves escapes."""
    readings = [text]
    while "\\" in readings[-1] and len(readings) <= _UNESCAPINGS:
        read = _ESCAPE.sub(lambda found: _ESCAPED.get(found[2]) or chr(int(found[1], 16)), readings[-1])
        # Two escaped surrogates are one character; a lone one is none.
        read = read.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if read == readings[-1]:
            break
        readings.append(read)
    return readings


def visible(text: str) -> str:
    """The text in plain characters: one form a letter, none invisible, quotes and dashes typewritten."""
    # Before and after: NFKC takes an acute accent that stands for an apostrophe apart, and makes dashes of others.
    typed = _INVISIBLE.sub("", text).translate(_TYPEWRITTEN)
    if typed.isascii():
        return typed
    from unicodedata import normalize

    return normalize("NFKC", typed).translate(_TYPEWRITTEN)


def fold(text: str) -> str:
    """The visible text without letter case, every run of white space one space and none at its ends."""
    plain = visible(text)
    if not plain.isascii():
        from unicodedata import normalize

        plain = normalize("NFKC", plain.casefold())
    return " ".join(plain.lower().split())


@lru_cache(maxsize=4096)  # every case of a suite may forbid the same few
def fold_phrase(phrase: str) -> str:
    """A phrase to find in `Text.folded`; a space at its start or end counts, as the edge of a word."""
    folded = fold(phrase)
    return f"{' ' if phrase[:1].isspace() else ''}{folded}{' ' if phrase[-1:].isspace() else ''}" if folded else ""


def strings_in(found: Any, *, numbers: bool = False) -> Iterator[str]:
    """Every string and key inside a JSON value; with `numbers` those too, as text."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, list):
        for item in found:
            yield from strings_in(item, numbers=numbers)
    elif isinstance(found, dict):
        for key, item in found.items():
            yield key
            yield from strings_in(item, numbers=numbers)
    elif numbers and is_number(found):
        yield str(found)
