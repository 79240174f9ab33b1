"""File kinds and their JSON Schemas as they are handed out: each whole in itself, so that an editor needs one file."""

from __future__ import annotations

from lastgood.core import schema
from lastgood.core.suggest import meant
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from typing import Any

# Kind of file → what it is, in the order in which people meet them.
KINDS = {
    "case": "one golden case",
    "suite": "many golden cases in one file",
    "catalog": "the shipped cases of a prompt",
    "baseline": "the accepted completion of one case",
    "migration": "the record that moved a baseline",
    "pair_baseline": "the one-file baseline of `lastgood pair`",
    "trace": "what an agent did for one case",
    "score": "the score document of `lastgood grade`",
}


def published(kind: str) -> dict[str, Any]:
    """The JSON Schema of a file kind; LastgoodError when there is no such kind.

    What it shares with other kinds stands in its own `$defs`, under the name of the file that it comes from.
    """
    if kind not in KINDS:
        raise LastgoodError(f"no file kind {kind!r}{meant(kind, KINDS)} (kinds: {', '.join(KINDS)})")
    shared: dict[str, Any] = {}
    found: dict[str, Any] = _moved(schema.document(f"{kind}.json"), "", shared)
    own = found.pop("$defs", {})
    return {**found, "$defs": own | shared} if own or shared else found


def _moved(node: Any, home: str, shared: dict[str, Any]) -> Any:
    """A part of the schema in the file `home` ("" for the printed one), its references as they are after the move."""
    if isinstance(node, list):
        return [_moved(inner, home, shared) for inner in node]
    if not isinstance(node, dict):
        return node
    moved = {name: _moved(inner, home, shared) for name, inner in node.items()}
    if isinstance(node.get("$ref"), str):
        file, _, pointer = node["$ref"].partition("#")
        moved["$ref"] = f"#{_place(file or home, shared)}{pointer}"
    return moved


def _place(file: str, shared: dict[str, Any]) -> str:
    if not file:
        return ""
    if file not in shared:
        shared[file] = None  # while it is being moved, its references to itself find it there
        moved = _moved(schema.document(file), file, shared)
        shared[file] = {name: inner for name, inner in moved.items() if name != "$schema"}
    return f"/$defs/{file}"
