"""What JSON values are and how they compare: types, foldings of strings, exact decimals."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda found: isinstance(found, str),
    "integer": lambda found: type(found) is int,
    "number": is_number,
    "boolean": lambda found: isinstance(found, bool),
    "array": lambda found: isinstance(found, list),
    "object": lambda found: isinstance(found, dict),
    "null": lambda found: found is None,
}


def is_a(found: Any, types: Any) -> bool:
    return any(_TYPES[kind](found) for kind in ([types] if isinstance(types, str) else types))


def type_name(found: Any) -> str:
    """The JSON type of a value; whole numbers are `integer`."""
    return next(name for name, fits in _TYPES.items() if fits(found))


def folded(found: Any, fold: Any) -> Any:
    """The value with what `fold` names taken out of its strings, at any depth; keys stay as they are."""
    if isinstance(found, str):
        return _folded_text(found, fold)
    if isinstance(found, list):
        return [folded(item, fold) for item in found]
    if isinstance(found, dict):
        return {key: folded(item, fold) for key, item in found.items()}
    return found


def _folded_text(text: str, fold: Any) -> str:
    from unicodedata import category, normalize

    # `^` and the backtick are typed as punctuation, though Unicode counts them among the symbols.
    if "case" in fold:
        text = normalize("NFC", normalize("NFC", text).casefold())
    if "punctuation" in fold:
        text = "".join(mark for mark in text if mark not in "^`" and not category(mark).startswith("P"))
    return "".join(text.split()) if "space" in fold else text


def exact(number: float) -> Any:
    from fractions import Fraction

    # By its shortest decimal, as it was written: in binary, 0.8 is further than 0.1 from 0.7.
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))
