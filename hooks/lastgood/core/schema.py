"""File kinds and output schemas: JSON Schema says what is wrong, this says it in one sentence."""

from __future__ import annotations

import json
import re
from functools import cache

from lastgood.core import nesting
from lastgood.core.failure import one_line, shown
from lastgood.core.formats import FILES, refuse_newer
from lastgood.core.strict_json import escape, resolve
from lastgood.core.suggest import meant
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from jsonschema_rs import ValidationError, Validator

_BASE = "lastgood:///"
_KEYWORDS_OF_OBJECTS = {"expect": "assertion", "assertions": "assertion", "rule": "rule"}
_MANY = 20  # errors told of one value


def check(kind: str, found: Any, *, path: str = "") -> None:
    """Malformed, naming the deepest thing wrong and its JSON Pointer, when `found` is not a file of that kind."""
    validator = _kind(kind)
    if not validator.is_valid(found):
        if kind in FILES:  # none of them may hold a key that says its format, so only here can there be one
            refuse_newer(found, path=path)
        # A misspelt key often also leaves a required one missing: the misspelling is what to tell.
        error = min(
            validator.iter_errors(found),
            key=lambda e: (e.kind.name != "additionalProperties", -len(e.instance_path), _pointer(e.instance_path)),
        )
        sentence, pointer = _sentence(error), _pointer(error.instance_path)
        if error.kind.name == "additionalProperties":
            pointer += f"/{escape(_unexpected(error))}"
        raise Malformed(sentence, path=path, pointer=pointer)


def read(kind: str, path: str, data: bytes) -> Any:
    """The value in a file of that kind; Malformed, with path and pointer, when it is none."""
    try:
        found = nesting.loads(data)
    except Malformed as exc:
        raise Malformed(exc.what, path=path, pointer=exc.pointer, fix=exc.fix) from None
    check(kind, found, path=path)
    return found


def whole(found: Any, path: str, pointer: str) -> None:
    """Malformed for `2.0`: JSON Schema calls it an integer, and no two programs would write it alike."""
    if type(found) is not int:
        what = f"must be a whole number written without a fraction, not {shown(found)}"
        raise Malformed(what, path=path, pointer=pointer)


def check_schema(found: Any, *, path: str = "") -> None:
    """Malformed when `found` is not a JSON Schema that can be used here.

    Also when it refers to anything outside itself (nothing is ever fetched), has a pattern that backtracks, or is
    `true` or `{}`, which checks nothing.
    """
    if found is True or found == {}:
        raise Malformed("a schema that checks nothing", path=path)
    _compiled(found, path)


def errors(schema: Any, found: Any) -> Sequence[tuple[str, str]]:
    """JSON Pointer and sentence of what in `found` breaks `schema`, by pointer; Malformed when it is no schema."""
    validator = _compiled(schema, "")
    if validator.is_valid(found):
        return ()
    told = {(_pointer(error.instance_path), _sentence(error)) for error in validator.iter_errors(found)}
    return sorted(told)[:_MANY]


def _compiled(schema: Any, path: str) -> Validator:
    if not isinstance(schema, (dict, bool)):  # the validator would read a string as JSON
        raise Malformed(f"not a usable JSON Schema: must be an object, not {shown(schema)}", path=path)
    try:
        return _validator(schema)
    except ValueError as exc:
        pointer = _pointer(getattr(exc, "instance_path", []))
        reason = getattr(exc, "message", str(exc))
        fetched = _ELSEWHERE.match(reason)
        if fetched:
            reason = f"refers to {fetched[1]!r}, which is outside it, and nothing is ever fetched"
        raise Malformed(f"not a usable JSON Schema: {one_line(reason)}", path=path, pointer=pointer) from None


def _validator(schema: Any) -> Validator:
    # By identity: an equal schema would be found by a walk through both. The entry keeps its schema, so that no other
    # can take its id.
    known = _VALIDATORS.get(id(schema))
    if known:
        return known[1]
    import jsonschema_rs

    if len(_VALIDATORS) >= _SCHEMAS_KEPT:
        _VALIDATORS.clear()
    found = jsonschema_rs.validator_for(
        schema, retriever=_refuse, pattern_options=jsonschema_rs.RegexOptions(), validate_formats=True
    )
    _VALIDATORS[id(schema)] = schema, found
    return found


_VALIDATORS: dict[int, tuple[Any, Validator]] = {}
_SCHEMAS_KEPT = 256


_ELSEWHERE = re.compile("Resource '(?:json-schema:///)?(.*)' is not present in a registry")


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is outside this schema")


@cache
def _kind(kind: str) -> Validator:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator(
        document(f"{kind}.json"),
        retriever=lambda uri: document(uri.removeprefix(_BASE)),
        base_uri=f"{_BASE}{kind}.json",
    )


@cache
def document(name: str) -> Any:
    """The schema in `core/schemas/<name>`, parsed."""
    # By the loader that loaded this very module: the schemas are part of the code, also inside a zip file.
    loader: Any = __spec__.loader
    return json.loads(loader.get_data(f"{__file__.removesuffix('schema.py')}schemas/{name}"))


def _pointer(steps: Sequence[str | int]) -> str:
    return "".join(f"/{escape(str(step))}" for step in steps)


def _sentence(error: ValidationError) -> str:
    said: str = _ours(error).get("errorMessage", "")  # in our own schemas, where it says more than the keyword does
    if said:
        return said
    tell = _SENTENCES.get(error.kind.name)
    return tell(error) if tell else f"breaks {error.kind.name}: {one_line(error.message)}"


def _unexpected(error: ValidationError) -> str:
    return str(min(error.kind.as_dict()["unexpected"]))


def _unknown(error: ValidationError) -> str:
    name, node = _unexpected(error), _ours(error)
    if not node:
        return f"has the key {shown(name)}, which the schema does not allow"
    known, title = list(node["properties"]), node.get("title", "value")
    hint = meant(name, known) or f" (known here: {', '.join(known)})"
    return f"unknown {_KEYWORDS_OF_OBJECTS.get(title, f'key of {_an(title)}')} {one_line(repr(name))}{hint}"


def _ours(error: ValidationError) -> Any:
    """The part of our own schemas that the error comes from; empty when it is somebody else's schema."""
    file, _, steps = (error.absolute_keyword_location or "").removeprefix(_BASE).partition("#")
    return resolve(document(file), steps.rpartition("/")[0]) if file.endswith(".json") and "/" not in file else {}


def _got(error: ValidationError) -> str:
    return shown(error.instance)


def _an(kind: str) -> str:
    return kind if kind == "null" else f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"


def _options(error: ValidationError) -> str:
    return f"must be one of {', '.join(map(shown, error.kind.as_dict()['options']))}, not {_got(error)}"


def _limit(words: str) -> Callable[[ValidationError], str]:
    return lambda error: words.format(error.kind.as_dict()["limit"]) + f", not {_got(error)}"


def _least(of_what: str) -> Callable[[ValidationError], str]:
    at_least = _limit(f"must have at least {{}} {of_what}")
    return lambda error: "must not be empty" if error.kind.as_dict()["limit"] == 1 else at_least(error)


def _pattern(error: ValidationError) -> str:
    # In our own schemas the title beside a pattern says in words what it means.
    meaning = _ours(error).get("title") or f"what {error.kind.as_dict()['pattern']} matches"
    return f"must be {meaning}, not {_got(error)}"


def _alternatives(error: ValidationError) -> str:
    branches = error.kind.as_dict()["context"]
    if any(not branch for branch in branches):
        return "fits more than one of the alternatives"
    nearest = min(branches, key=len)
    deepest = max(nearest, key=lambda inner: len(inner.instance_path))
    inside = _pointer(deepest.instance_path[len(error.instance_path) :])
    return f"fits none of the alternatives; the nearest: {inside}{' ' if inside else ''}{_sentence(deepest)}"


_SENTENCES: dict[str, Callable[[ValidationError], str]] = {
    "additionalProperties": _unknown,
    "anyOf": _alternatives,
    "const": lambda error: f"must be {shown(error.kind.as_dict()['expected_value'])}, not {_got(error)}",
    "enum": _options,
    "exclusiveMaximum": _limit("must be less than {}"),
    "exclusiveMinimum": _limit("must be greater than {}"),
    "falseSchema": lambda error: f"must not be there: {_got(error)}",
    "format": lambda error: f"must be of the format {error.kind.as_dict()['format']}, not {_got(error)}",
    "maxItems": _limit("must have at most {} elements"),
    "maxLength": _limit("must have at most {} characters"),
    "maxProperties": _limit("must have at most {} keys"),
    "maximum": _limit("must be at most {}"),
    "minItems": _least("elements"),
    "minLength": _least("characters"),
    "minProperties": _least("keys"),
    "minimum": _limit("must be at least {}"),
    "multipleOf": lambda error: f"must be a multiple of {error.kind.as_dict()['multiple_of']}, not {_got(error)}",
    "oneOf": _alternatives,
    "pattern": _pattern,
    "propertyNames": lambda error: f"has an unusable key: {_sentence(error.kind.as_dict()['error'])}",
    "required": lambda error: f"lacks the key {error.kind.as_dict()['property']!r}",
    "type": lambda error: f"must be {' or '.join(map(_an, error.kind.as_dict()['types']))}, not {_got(error)}",
    "uniqueItems": lambda error: f"names something twice: {_got(error)}",
}
