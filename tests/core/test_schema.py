"""Schemas: every key of ours is described, and what others write is used only where it is safe to."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core import assertions, expect, schema
from lastgood.errors import Malformed


def test_every_assertion_has_a_function_and_a_line_in_the_schema() -> None:
    of_text = {"json", *expect.OF_OBJECT, *expect.OF_JSON, *expect.OF_TEXT}
    documented = schema.document("case.json")["$defs"]
    assert set(documented["expect"]["properties"]) == of_text
    assert set(documented["assertions"]["properties"]) == of_text | assertions.OF_CALLS.keys()


@pytest.mark.parametrize("kind", ["case", "suite", "trace", "score"])
def test_every_key_of_a_file_is_described(kind: str) -> None:
    def undescribed(node: Any, place: str) -> list[str]:
        if not isinstance(node, dict):
            return []
        found = []
        for name, inner in node.get("properties", {}).items():
            target = schema.document("case.json")["$defs"].get(inner.get("$ref", "").rpartition("/")[2], {})
            if not inner.get("description") and not target.get("description"):
                found.append(f"{place}/{name}")
        for name, inner in node.items():
            found += undescribed(inner, f"{place}/{name}")
        return found

    assert undescribed(schema.document(f"{kind}.json"), "") == []


UNUSABLE_SCHEMAS: dict[str, tuple[object, str]] = {
    "nothing asked": ({}, "a schema that checks nothing"),
    "anything goes": (True, "a schema that checks nothing"),
    "no schema": ("{}", "not a usable JSON Schema: "),
    "another kind of value": ([], "not a usable JSON Schema: "),
    "unknown type": ({"type": "strng"}, "not a usable JSON Schema: "),
    "pattern that backtracks": ({"pattern": "(?=a)b"}, "not a usable JSON Schema: "),
    "a reference to the network": ({"$ref": "http://127.0.0.1:9/x.json"}, "not a usable JSON Schema: "),
    "a reference to the disk": ({"$ref": "file:///etc/hostname"}, "not a usable JSON Schema: "),
    "a reference to a neighbour": ({"$ref": "other.json"}, "not a usable JSON Schema: "),
    "a reference to nothing": ({"$ref": "#/$defs/none"}, "not a usable JSON Schema: "),
    "an unknown dialect": ({"$schema": "http://example.org/x", "type": "array"}, "not a usable JSON Schema: "),
}


@pytest.mark.parametrize(("found", "what"), UNUSABLE_SCHEMAS.values(), ids=UNUSABLE_SCHEMAS)
def test_an_unusable_schema_is_refused(found: object, what: str) -> None:
    with pytest.raises(Malformed) as caught:
        schema.check_schema(found, path="golden/schemas/x.json")
    assert caught.value.what.startswith(what)
    assert caught.value.path == "golden/schemas/x.json"


def test_a_schema_is_never_taken_for_one_that_stood_in_its_place() -> None:
    for least in range(600):  # more than are kept; each new one may lie where an old one lay
        assert bool(list(schema.errors({"minimum": least}, 300))) is (least > 300)


PAIR = [{"type": "string"}, {"type": "integer"}]
DIALECTS: dict[str, dict[str, object]] = {
    "2020-12, unless it says otherwise": {"prefixItems": PAIR},
    "2020-12": {"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": PAIR},
    "7": {"$schema": "http://json-schema.org/draft-07/schema#", "items": PAIR},
    "7, by a reference inside": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"n": {"type": "integer"}},
        "items": [{"type": "string"}, {"$ref": "#/definitions/n"}],
    },
}


@pytest.mark.parametrize("found", DIALECTS.values(), ids=DIALECTS)
def test_a_schema_is_read_in_the_dialect_it_names(found: dict[str, object]) -> None:
    schema.check_schema(found)
    assert list(schema.errors(found, ["a", 1])) == []
    assert list(schema.errors(found, ["a", "b"])) == [("/1", 'must be an integer, not "b"')]


def test_a_reference_inside_is_followed() -> None:
    found = {"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}}
    assert list(schema.errors(found, [1, "2"])) == [("/1", 'must be an integer, not "2"')]


ELSEWHERE = ["http://example.com/x.json", "other.json", "file:///etc/passwd"]


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
@pytest.mark.parametrize("uri", ELSEWHERE)
def test_a_reference_to_anything_else_is_refused_and_fetched_by_nobody(keyword: str, uri: str) -> None:
    with pytest.raises(Malformed, match=f"refers to '{uri}', which is outside it, and nothing is ever fetched"):
        schema.check_schema({"properties": {"a": {keyword: uri}}}, path="s.json")


def test_the_nearest_alternative_is_told() -> None:
    paid = {"required": ["status", "order_id"], "properties": {"status": {"const": "paid"}}}
    error = {"required": ["error", "code", "text"]}
    [(pointer, sentence)] = schema.errors({"oneOf": [error, paid]}, {"status": "paid"})
    assert (pointer, sentence) == ("", "fits none of the alternatives; the nearest: lacks the key 'order_id'")


def test_two_alternatives_at_once_are_told() -> None:
    found = {"oneOf": [{"type": "integer"}, {"minimum": 1}]}
    assert list(schema.errors(found, 3)) == [("", "fits more than one of the alternatives")]


def test_a_file_that_is_no_json_is_refused_with_its_path() -> None:
    with pytest.raises(Malformed) as caught:
        schema.read("score", "scores.json", b'{"n": 1, "n": 2}')
    assert (caught.value.path, caught.value.pointer, caught.value.what) == ("scores.json", "/n", "duplicate key")
