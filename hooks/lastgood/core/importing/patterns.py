"""Texts as RE2 patterns, which is how a golden case asks for them: letter case counts unless it is said not to."""

from __future__ import annotations

import re

from lastgood.core.importing.drafts import Unexpressed
from lastgood.core.pattern import compiled
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable

_SIGNS = re.compile(r"[\\.+*?()|\[\]{}^$]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ESCAPED = re.compile(r"\\(u\{?([0-9a-fA-F]{4,6})\}?|.)", re.DOTALL)


def literal(text: str) -> str:
    """A pattern that matches this text and no other, but for letter case."""
    plain = _SIGNS.sub(lambda sign: "\\" + sign[0], text)
    return _UNSEEN.sub(lambda mark: f"\\x{{{ord(mark[0]):02x}}}", plain)


def cased(pattern: str) -> str:
    """The pattern with letter case counted: a golden case folds it otherwise."""
    return f"(?-i:{pattern})" if pattern.lower() != pattern.upper() else pattern


def any_of(texts: Iterable[str], *, fold: bool = False) -> str:
    """A pattern that matches wherever one of these texts stands."""
    every = list(dict.fromkeys(literal(text) for text in texts))
    found = every[0] if len(every) == 1 else f"(?:{'|'.join(every)})"
    return found if fold else cased(found)


def whole(text: str) -> str:
    """A pattern of a whole text, white space at its ends apart, as programs end their output with a line feed."""
    return f"\\A\\s*{cased(literal(text.strip()))}\\s*\\z"


def of_javascript(pattern: str) -> str:
    """A JavaScript pattern as RE2 has it; Unexpressed where RE2 has no such thing."""
    found = _ESCAPED.sub(lambda sign: f"\\x{{{sign[2]}}}" if sign[2] else sign[0], pattern)
    try:
        compiled(found)  # by itself: inside a group a bracket too many would close that
    except Malformed as exc:
        raise Unexpressed(exc.what) from None
    except UnicodeEncodeError:
        raise Unexpressed("the pattern holds a lone surrogate") from None
    return found
