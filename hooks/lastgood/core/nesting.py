"""JSON of bounded depth, so that nothing that walks a value can run out of stack."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from typing import Any

DEEPEST = 100  # levels; where Python's own limit lies depends on who calls, so verdicts would too

_SQUARE = bytes.maketrans(b"{}", b"[]")
_NEITHER = bytes(set(range(256)) - set(b'[]{}"'))  # neither bracket nor quotation mark


def loads(data: bytes | str) -> Any:
    """As `strict_json.loads`; also Malformed when nested more than DEEPEST levels deep."""
    return checked(strict_json.loads(data), data)


def checked(found: Any, data: bytes | str) -> Any:
    """What was found in `data`; Malformed when it is nested more than DEEPEST levels deep."""
    if len(data) > 2 * DEEPEST and _brackets(data) > DEEPEST and _deep(data):
        raise Malformed(f"nested too deeply: more than {DEEPEST} levels")
    return found


def _brackets(data: bytes | str) -> int:
    return data.count("[") + data.count("{") if isinstance(data, str) else data.count(b"[") + data.count(b"{")


def _deep(data: bytes | str) -> bool:
    """Whether a JSON text is nested too deeply, told from its brackets: walking its values takes five times as long."""
    text = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")  # what is left of quotation marks bounds a string
    # Every other piece between quotation marks is inside a string. Two marks with no bracket between them change that
    # for no bracket, and leave few pieces when they are gone.
    marks = text.translate(_SQUARE, _NEITHER).replace(b'""', b"")
    brackets = b"".join(marks.split(b'"')[::2])
    for _ in range(DEEPEST):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")  # takes exactly the innermost of every branch away
    return bool(brackets)
