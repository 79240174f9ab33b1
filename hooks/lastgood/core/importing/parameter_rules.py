"""A tool's parameters, which are a JSON Schema, as rules of its arguments: keyword by keyword, and the rest is told."""

from __future__ import annotations

from lastgood.core.importing.patterns import of_javascript
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Rule = dict[str, Any]
    Left = list[tuple[str, str]]

_SILENT = {"description", "title", "default", "examples", "$schema", "$id", "$comment", "deprecated", "strict"}
_DEEPEST = 20
_ANY = ["string", "number", "boolean", "array", "object", "null"]  # required, whatever it is
_PLAIN: dict[str, Callable[[Any], Rule]] = {
    "type": lambda wanted: {"type": wanted},
    "enum": lambda wanted: {"in": wanted},
    "const": lambda wanted: {"eq": wanted},
    "minimum": lambda wanted: {"ge": wanted},
    "maximum": lambda wanted: {"le": wanted},
    "exclusiveMinimum": lambda wanted: {"gt": wanted},
    "exclusiveMaximum": lambda wanted: {"lt": wanted},
    "pattern": lambda wanted: {"matches": f"(?s:.*)(?:{of_javascript(str(wanted))})(?s:.*)"},
}
_SIZES = {"minLength": "ge", "maxLength": "le", "minItems": "ge", "maxItems": "le"}


def rules_of(schema: Any, left: Left) -> tuple[dict[str, Rule], bool]:
    """Argument → rule, and whether no other argument may be given; into `left` goes what no rule says."""
    if not isinstance(schema, dict):
        return {}, False
    rule = _rule({"type": "object", **schema}, left, 0)
    return rule.get("fields", {}), schema.get("additionalProperties") is False


def _rule(schema: Any, left: Left, depth: int) -> Rule:
    found: Rule = {}
    if not isinstance(schema, dict) or depth > _DEEPEST:
        left.append(("schema", "is no schema that a rule says"))
        return found
    for name, wanted in schema.items():
        if name in _SILENT or name in ("properties", "required", "additionalProperties"):
            continue
        try:
            if name in _PLAIN:
                found |= _PLAIN[name](wanted)
            elif name in _SIZES:
                found["length"] = found.get("length", {}) | {_SIZES[name]: wanted}
            elif name == "items" and isinstance(wanted, dict):
                inner = _rule(wanted, left, depth + 1)
                found |= {"items": inner} if inner else {}
            else:
                left.append((name, "is a keyword that no rule of an argument says"))
        except LastgoodError as exc:
            left.append((name, exc.what))
    return found | _fields(schema, left, depth)


def _fields(schema: dict[str, Any], left: Left, depth: int) -> Rule:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        left.append(("properties", "is no object of schemas"))
        return {}
    closed = schema.get("additionalProperties") is False
    if isinstance(schema.get("additionalProperties"), dict):
        left.append(("additionalProperties", "of a schema is a keyword that no rule of an argument says"))
    fields: dict[str, Rule] = {}
    for name in dict.fromkeys([*properties, *(name for name in required if isinstance(name, str))]):
        rule = _rule(properties.get(name, {}), left, depth + 1)
        if name not in required:
            rule = {"optional": True, **rule} if rule or closed else {}
        elif not rule:
            rule = {"type": _ANY}
        fields |= {name: rule} if rule else {}
    return ({"fields": fields} if fields else {}) | ({"closed": True} if closed and fields else {})
