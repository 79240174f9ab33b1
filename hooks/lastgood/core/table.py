"""Reads one table of a TOML file, setting by setting: what is not taken is not a setting, and is refused."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LONGEST = 200


class Table:
    """A TOML table being read: every key must be asked for, with its kind, or it is refused."""

    def __init__(self, path: str, name: str, found: Any) -> None:
        self.path, self.name = path, name
        if not isinstance(found, dict):
            raise self.malformed("", "must be a table")
        self.left = dict(found)

    def malformed(self, key: str, why: str) -> Malformed:
        return Malformed(why, path=self.path, pointer=".".join(filter(None, (self.name, key))))

    def take(self, key: str, default: Any, check: Callable[[Any], bool], kind: str) -> Any:
        found = self.left.pop(key, default)
        if found is not default and not check(found):
            raise self.malformed(key, f"must be {kind}, not {_shown(found)}")
        return found

    def text(self, key: str, default: str = "") -> str:
        return str(self.take(key, default, lambda v: isinstance(v, str) and "\0" not in v, "a string"))

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        def check(found: Any) -> bool:
            return isinstance(found, list) and all(
                isinstance(item, str) and item and "\0" not in item for item in found
            )

        return tuple(self.take(key, default, check, "a list of non-empty strings"))

    def one_of(self, key: str, choices: tuple[str, ...]) -> str:
        return str(self.take(key, choices[0], lambda v: v in choices, f"one of {', '.join(choices)}"))

    def positive(self, key: str, default: float, most: int) -> float:
        kind = f"a positive number, at most {most}"
        return float(self.take(key, default, lambda v: _is_number(v) and 0 < v <= most, kind))

    def amount(self, key: str) -> float:
        return float(self.take(key, 0.0, lambda v: _is_number(v) and v >= 0, "a number that is not negative"))

    def names(self, key: str) -> tuple[str, ...]:
        """Names of environment variables; what is refused is not shown, it may be somebody's key."""
        found = self.left.pop(key, [])
        if not (isinstance(found, list) and all(isinstance(item, str) and item and "\0" not in item for item in found)):
            raise self.malformed(key, "must be a list of names of variables")
        for item in found:
            name, given, _ = item.partition("=")
            if given:
                raise self.malformed(key, f"must hold names alone, and {name!r} comes with a value: export it instead")
        return tuple(found)

    def count(self, key: str, default: int, most: int) -> int:
        kind = f"a positive whole number, at most {most}"
        return int(self.take(key, default, lambda v: type(v) is int and 0 < v <= most, kind))

    def truth(self, key: str) -> bool:
        return bool(self.take(key, False, lambda v: isinstance(v, bool), "true or false"))

    def texts_by_key(self, key: str, choices: tuple[str, ...]) -> dict[str, str]:
        def check(found: Any) -> bool:
            return isinstance(found, dict) and all(item in choices for item in found.values())

        return dict(self.take(key, {}, check, f"a table of {' or '.join(choices)}"))

    def tables(self, key: str) -> list[Table]:
        found = self.take(key, {}, lambda v: isinstance(v, dict), "a table of tables")
        return [Table(self.path, f"{key}.{name}", table) for name, table in found.items()]

    def table(self, key: str) -> Table | None:
        """The table under a key, or None where there is none."""
        return Table(self.path, f"{self.name}.{key}", self.left.pop(key)) if key in self.left else None

    def done(self) -> None:
        if self.left:
            key = min(self.left)
            raise self.malformed(key, "is not a setting of lastgood (see docs/reference/configuration.md)")


def _shown(found: Any) -> str:
    """What was found, as a sentence can hold it: Python refuses to print the longest numbers at all."""
    try:
        text = repr(found)
    except (ValueError, RecursionError):
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found) < 1e9
