"""JSON as git-kept files must hold it: one value, no duplicate key, no NaN, no lone surrogate."""

from __future__ import annotations

import json

from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_MARKERS = (b"<<<<<<< ", b"=======\n", b">>>>>>> ")


class _Fault:
    """Stands in the parsed value where something is wrong, so that its place can be told."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found[key] = _Fault("duplicate key")
            seen.add(key)
    return found


def _float(text: str) -> float | _Fault:
    number = float(text)
    return _Fault(f"number out of range: {text[:40]}") if number in (float("inf"), float("-inf")) else number


class _SuspectError(ValueError):
    """Something is wrong somewhere: to be parsed again, slowly, to say where."""


def _object_at_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _SuspectError
    return found


def _float_at_once(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise _SuspectError
    return number


def _constant_at_once(_name: str) -> float:
    raise _SuspectError


# Nearly every file is sound, so the first decoder only notices that one is not; the second finds the place.
_AT_ONCE = json.JSONDecoder(
    object_pairs_hook=_object_at_once, parse_float=_float_at_once, parse_constant=_constant_at_once
)
_PLACING = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_float, parse_constant=lambda name: _Fault(f"{name} is not JSON")
)


def loads(data: bytes | str) -> Any:
    """The one value in `data` (UTF-8 when bytes); Malformed, with the JSON Pointer of the fault, otherwise."""
    text = data if isinstance(data, str) else _decode(data)
    # A lone surrogate comes from an escape, or from a text that was none of ours.
    if "\\" not in text or ("\\ud" not in text and "\\uD" not in text):
        try:
            found, end = _AT_ONCE.raw_decode(text)  # `decode` would look for white space with `re`, at both ends
            if (end == len(text) or not text[end:].strip(" \t\n\r")) and (text.isascii() or _encodable(text)):
                return found
        except (ValueError, RecursionError):
            pass
    return _placed(text)


def _placed(text: str) -> Any:
    try:
        found = _PLACING.decode(text)
        fault = next(_faults(found, ""), None)
    except json.JSONDecodeError as exc:
        raise Malformed(f"not JSON: {exc.msg} at line {exc.lineno} column {exc.colno}") from None
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except ValueError as exc:  # an integer of more digits than Python converts
        raise Malformed(f"not readable: {exc}") from None
    if fault:
        raise Malformed(fault[1], pointer=fault[0])
    return found


def _decode(data: bytes) -> str:
    # Most files hold no marker anywhere, and need not be taken apart into lines.
    if any(marker in data for marker in _MARKERS) and any(
        line.startswith(_MARKERS) for line in data.splitlines(keepends=True)
    ):
        raise Malformed("holds conflict markers", fix="git mergetool")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as exc:
        raise Malformed(f"not UTF-8: byte {data[exc.start]:#04x} at offset {exc.start}") from None
    if text.startswith("\ufeff"):
        raise Malformed("starts with a byte order mark")
    if not text.strip():
        raise Malformed("is empty")
    return text


def _faults(found: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(found, _Fault):
        yield pointer, found.reason
    elif isinstance(found, str):
        if not _encodable(found):
            yield pointer, "lone surrogate"
    elif isinstance(found, list):
        for index, item in enumerate(found):
            yield from _faults(item, f"{pointer}/{index}")
    elif isinstance(found, dict):
        for key, item in found.items():
            if not _encodable(key):
                yield f"{pointer}/{ascii(key)[1:-1]}", "lone surrogate in a key"
                return
            yield from _faults(item, f"{pointer}/{escape(key)}")


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def escape(token: str) -> str:
    """One reference token of a JSON Pointer."""
    return token.replace("~", "~0").replace("/", "~1")


def same(left: Any, right: Any) -> bool:
    """JSON's equality: `true` is not `1`, `"1"` is not `1`, `1` equals `1.0`."""
    if isinstance(left, str):
        return isinstance(right, str) and left == right
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return bool(left == right)


def resolve(found: Any, pointer: str) -> Any:
    """What `pointer` names inside `found`; KeyError when it names nothing."""
    for escaped in pointer.split("/")[1:]:
        token = escaped.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list):
            if not (token.isascii() and token.isdigit() and str(int(token)) == token and int(token) < len(found)):
                raise KeyError(pointer)
            found = found[int(token)]
        elif isinstance(found, dict) and token in found:
            found = found[token]
        else:
            raise KeyError(pointer)
    return found


def dump(found: Any) -> bytes:
    """A file made for review: two-space indents, keys in the order given, as UTF-8, one final newline."""
    return (json.dumps(found, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
