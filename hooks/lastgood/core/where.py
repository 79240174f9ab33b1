"""In which line of a file a golden case begins: for annotations that stand beside it."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKENS = r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+'


def case_lines(text: str) -> dict[str, int]:
    """JSON Pointer (`/cases/0`) → line, counted from 1, of every case of a suite; `""` is the file's own object.

    `text` is JSON that was read before; of any other the answer may be wrong, and is never an error.
    """
    found = {"": 1}
    path: list[str] = []  # what each container that is open is: a key, or "[" with the place reached in it
    places: list[int] = []
    key = waiting = ""
    for sign, offset in _tokens(text):
        if sign in "{[":
            if len(path) == 2 and path[1] == "cases" and sign == "{":
                found[f"/cases/{places[-1]}"] = text.count("\n", 0, offset) + 1
            path.append(key if sign == "[" else "")
            places.append(0)
            key = waiting = ""
        elif sign in "}]":
            path, places = path[:-1], places[:-1]
        elif sign == ":":
            key = waiting
        elif sign == ",":
            key = waiting = ""
            places = [*places[:-1], places[-1] + 1] if places else places
        else:
            waiting = sign[1:-1]
    return found


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    import re

    return ((match.group(), match.start()) for match in re.finditer(_TOKENS, text))
