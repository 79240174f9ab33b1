"""Kinds of move between two JSON values, with the JSON Pointer of each."""

from __future__ import annotations

import json

from lastgood.core.align import trimmed
from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def json_moves(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """`type`, `value`, `key_added`, `key_removed` with their paths, `key_order`, `list_order`; nothing when equal.

    `1` and `1.0` differ in type. Items that came to or went from an array are keys: `key_added /items/2`.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _object_moves(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _array_moves(old, new, path)
    elif type(old) is not type(new) and not (_is_number(old) and _is_number(new) and old != new):
        yield _at("type", path)
    elif old != new:
        yield _at("value", path)


def _object_moves(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[str]:
    for key in old:
        if key not in new:
            yield _at("key_removed", f"{path}/{escape(key)}")
        else:
            yield from json_moves(old[key], new[key], f"{path}/{escape(key)}")
    yield from (_at("key_added", f"{path}/{escape(key)}") for key in new if key not in old)
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield "key_order"


def _array_moves(old: list[Any], new: list[Any], path: str) -> Iterator[str]:
    lefts, rights = [_text(item) for item in old], [_text(item) for item in new]
    if len(old) == len(new):
        if lefts != rights and sorted(lefts) == sorted(rights):
            yield "list_order"
            return
        start, end = 0, 0
    else:
        start, end = trimmed(lefts, rights)
    stop_old, stop_new = len(old) - end, len(new) - end
    for index in range(start, min(stop_old, stop_new)):
        yield from json_moves(old[index], new[index], f"{path}/{index}")
    yield from (_at("key_removed", f"{path}/{index}") for index in range(stop_new, stop_old))
    yield from (_at("key_added", f"{path}/{index}") for index in range(stop_old, stop_new))


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not isinstance(found, bool)


def _text(found: Any) -> str:
    return json.dumps(found)


def _at(kind: str, path: str) -> str:
    return f"{kind} {path}" if path else kind
