"""The JSON Schema of a file kind, as it is handed out, refuses what the loader of that kind refuses."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from golden_values import CASE, SUITE
from lastgood.core import schema
from lastgood.core.baseline import dump_baseline, read_baseline
from lastgood.core.case import read_golden
from lastgood.core.catalog import read_catalog
from lastgood.core.migration import read_migration
from lastgood.core.pairing import read_pair_baseline
from lastgood.core.published import KINDS, published
from lastgood.core.scores import Score, document, read_scores
from lastgood.core.trace import Completion, read_trace
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RICH: dict[str, Any] = {
    **CASE,
    "normalize": {"mode": "json", "replace": [{"pattern": "[0-9]{4}-", "with": "<year>"}]},
    "notes": "Every assertion and every rule once.",
    "expect": {"json": True, "length": {"ge": 1, "le": 900}, "forbidden": ["I think"], "require_patterns": ["paid"]},
    "assertions": {
        "must_call": ["get_order"],
        "must_not_call": ["create_refund"],
        "args": {
            "get_order": {
                "order_id": {"eq": "1842-AX", "fold": ["case", "space"]},
                "count": {"type": "integer", "ge": 1, "le": 9, "optional": True},
                "price": {"near": {"value": 0.7, "within": 0.1}, "not": {"eq": 0.75}},
                "state": {
                    "in": ["paid", "open"],
                    "not_in": ["lost"],
                    "matches": "[a-z]+",
                    "contains": "a",
                    "length": 4,
                },
                "items": {"items": {"type": ["string", "null"]}, "item_type": "string"},
                "where": {"fields": {"city": {"any_of": [{"gt": 1}, {"lt": 0}]}}, "closed": True},
                "debug": {"absent": True},
            }
        },
        "calls": {
            "match": "at_least",
            "order": "subsequence",
            "among": ["get_order"],
            "ignore_failed": True,
            "of": [{"name": "get_order", "args": {"order_id": {"type": "string"}}, "closed": True}],
        },
        "call_count": {"get_order": {"ge": 1, "le": 9}, "create_refund": 0},
        "call_order": ["get_order"],
        "identifiers": {"pattern": "[A-Z]{2}[0-9]+", "from": ["input"], "max_new": 1, "fold": ["space"]},
        "required_keys": ["status"],
        "status_in": ["paid", None],
        "error_equals": "",
        "fields": {"/total": {"ge": 0}},
        "output_schema": "reply_v2",
        "forbid_patterns": {"of": ["I assume"], "in": "turns"},
    },
}
HEX = "0123456789abcdef"
PIN = {"prompt_sha256": HEX * 4, "suite_hash": HEX, "completer": HEX, "baseline_hash": HEX}
TEXT = Completion("paid\n", None)
CALL = {"name": "get_order", "arguments": {"order_id": "1842-AX"}}
TRACE = Completion("On its way.", (CALL,))
ENTRY = {"digest": HEX * 4, "case_hash": HEX, "normalize": "exact", "completion": ["paid", ""]}


ROW = {"id": "a", "version": 1, "case_hash": HEX, "status": "active"}
SCORES = document([Score("a", HEX, ()), Score("b", HEX, ("forbidden:x",), HEX * 4)], prompt_id="p")
(PASSED, FAILED) = SCORES["scores"]


def baseline(completion: Completion) -> dict[str, Any]:
    (case,) = read_golden("x.json", json.dumps(RICH).encode()).cases
    return dict(json.loads(dump_baseline(case, completion, HEX * 4)))


DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "case": ("case", RICH),
    "suite": ("suite", {"$schema": "s.json", "prompt_sha256": HEX * 4, "normalize": "exact", **SUITE}),
    "catalog": (
        "catalog",
        {
            "prompt_id": "p",
            "suite_hash": HEX,
            "cases": [
                {**ROW, "version": 2},
                {**ROW, "status": "retired", "reason": "why", "replaced_by": "a"},
            ],
        },
    ),
    "baseline of a text": ("baseline", baseline(TEXT)),
    "baseline of a trace": ("baseline", baseline(TRACE)),
    "migration": (
        "migration",
        {
            "migration": 2,
            "slug": "shorter-refusals",
            "parents": [HEX],
            "prompt_id": "p",
            "completer": "stub",
            "from": PIN,
            "to": PIN,
            "moved": {"a": {"from": HEX[:12], "to": HEX[:12], "moves": ["length +37%"]}},
            "added": ["b"],
            "removed": [],
            "kept": 41,
            "reason": "why",
            "accepted_by": "Name <mail>",
            "accepted_at": "2026-11-30T22:10:00Z",
        },
    ),
    "one-file baseline": (
        "pair_baseline",
        {
            "prompt_sha256": HEX * 4,
            "cases": {
                "a": ENTRY,
                "b": {**ENTRY, "completion": {"tool_calls": [CALL], "final_text": ["paid"]}},
                "c": {"digest": HEX * 4, "sample": "pa"},
            },
        },
    ),
    "trace": (
        "trace",
        {
            "tool_calls": [{**CALL, "result": {"status": "paid"}}, {**CALL, "arguments": "{}", "error": "timed out"}],
            "final_text": "On its way.",
            "turns": [{"role": "user", "content": "Where?"}, {"role": "assistant", "content": None}],
        },
    ),
    "score": ("score", SCORES),
}


def _trace(_path: str, data: bytes) -> None:
    completion = read_trace(json.loads(data))
    if completion.malformed:
        raise Malformed(completion.detail)


LOADERS: dict[str, Callable[[str, bytes], object]] = {
    "case": read_golden,
    "suite": read_golden,
    "catalog": read_catalog,
    "baseline": read_baseline,
    "migration": read_migration,
    "pair_baseline": read_pair_baseline,
    "trace": _trace,
    "score": read_scores,
}

# What only a loader sees, with a file each that the schema allows: sums, names that must agree or must be files,
# patterns that must compile, and combinations that check nothing, which a schema could forbid but not explain.
# What no schema sees at all, since it sees values: duplicate keys, NaN, lone surrogates, conflict markers, depth.
FRACTION = r"must be a whole number written without a fraction"
OF_CASES: dict[str, Any] = {
    FRACTION: {**CASE, "version": 1.0},
    r"so it cannot name a file": {**CASE, "id": "a/b"},
    r"is not in tools": {**CASE, "tools": ["create_refund"]},
    r"must_call names .* too": {**CASE, "assertions": {"must_call": ["get_order"], "must_not_call": ["get_order"]}},
    r"is not usable": {**CASE, "expect": {"forbid_patterns": ["(?=a)b"]}},
    r"matches the empty string": {**CASE, "expect": {"forbid_patterns": ["x*"]}},
    r"nothing visible is left": {**CASE, "expect": {"forbidden": ["\u200b"]}},
    r"every string contains": {**CASE, "expect": {"fields": {"/a": {"contains": ""}}}},
    r"checks nothing$": {**CASE, "expect": {"json": False}},
    r"has only .* so it checks nothing": {**CASE, "expect": {"fields": {"/a": {"optional": True}}}},
    r"stands alone": {**CASE, "expect": {"fields": {"/a": {"absent": True, "eq": 1}}}},
    r"needs .* beside it": {**CASE, "expect": {"fields": {"/a": {"eq": 1, "closed": True}}}},
    r"is at least \d+ and at most": {**CASE, "expect": {"length": {"ge": 2, "le": 1}}},
    r"every length is at least 0": {**CASE, "expect": {"length": {"ge": 0}}},
    r"is false, but .* asks for JSON": {**CASE, "expect": {"json": False, "required_keys": ["a"]}},
    r"names another schema": {**CASE, "expect": {"output_schema": "a"}, "assertions": {"output_schema": "b"}},
    r"any calls are at least none": {**CASE, "assertions": {"calls": {"match": "at_least", "of": []}}},
    r"is not in among": {**CASE, "assertions": {"calls": {"among": ["create_refund"], "of": [{"name": "get_order"}]}}},
    r"allows .* call.* but .* asks for": {**CASE, "assertions": {"must_call": ["get_order"], "no_calls": True}},
    r"needs args or calls beside it": {**CASE, "assertions": {"closed_args": True}},
    r"which identifies nothing": {**CASE, "assertions": {"identifiers": {"pattern": "x*"}}},
    r"leaves nothing for ge and le to say": {**CASE, "expect": {"length": {"eq": 1, "le": 1}}},
    r"is already at": {**SUITE, "cases": [SUITE["cases"][0]] * 2},
    r"are one file name on some systems": {
        **SUITE,
        "cases": [SUITE["cases"][0], {**SUITE["cases"][0], "id": SUITE["cases"][0]["id"].upper()}],
    },
}
LOADER_ONLY: dict[str, dict[str, Any]] = {
    "case": OF_CASES,
    "suite": OF_CASES,
    "catalog": {
        r"lists .* twice": {"prompt_id": "p", "suite_hash": HEX, "cases": [ROW, ROW]},
        FRACTION: {"prompt_id": "p", "suite_hash": HEX, "cases": [{**ROW, "version": 1.0}]},
    },
    "baseline": {FRACTION: {**DOCUMENTS["baseline of a text"][1], "version": 1.0}},
    "migration": {FRACTION: {**DOCUMENTS["migration"][1], "migration": 1.0}},
    "trace": {
        r"arguments holds no JSON object": {"tool_calls": [{**CALL, "arguments": "{"}], "final_text": ""},
        r"arguments must be an object": {"tool_calls": [{**CALL, "arguments": "[]"}], "final_text": ""},
    },
    "score": {
        r"but the scores give": {**SCORES, "n": 3},
        r"is scored twice": {**SCORES, "scores": [PASSED, PASSED]},
        r"is true beside failures": {**SCORES, "scores": [PASSED, {**FAILED, "pass": True}]},
        r"is false without a failure": {**SCORES, "scores": [{**PASSED, "pass": False}, FAILED]},
    },
}


VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    2.5,
    "",
    "x",
    HEX[:12],
    HEX,
    HEX * 4,
    [],
    [None],
    ["x", "x"],
    {},
    {"x": 1},
)


def changes(found: Any) -> Iterator[tuple[str, Any]]:
    """(what was done, the value after it), for every place in a value: taken out, replaced, doubled, added to."""
    for steps, node in _places(found, ()):
        pointer = "".join(f"/{step}" for step in steps)
        for other in VALUES:
            yield f"{pointer} = {other!r}", _put(found, steps, other)
        if isinstance(node, dict):
            yield f"{pointer} + unknown key", _put(found, steps, {**node, "unknown_key": "x"})
            for key in node:
                yield f"{pointer} - {key}", _put(found, steps, {name: node[name] for name in node if name != key})
        elif isinstance(node, list) and node:
            yield f"{pointer} doubled", _put(found, steps, node + node)


def _places(node: Any, steps: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield steps, node
    inner = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for step, value in inner:
        yield from _places(value, (*steps, step))


def _put(found: Any, steps: tuple[str | int, ...], value: Any) -> Any:
    if not steps:
        return value
    copied = deepcopy(found)
    node = copied
    for step in steps[:-1]:
        node = node[step]
    node[steps[-1]] = value
    return copied


def refusal(kind: str, found: Any) -> str:
    """Why the loader refuses it; empty when it does not."""
    try:
        LOADERS[kind]("golden/p/file.json", json.dumps(found).encode())
    except LastgoodError as exc:
        return exc.what
    return ""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_schema_and_loader_refuse_the_same_files(name: str) -> None:
    kind, valid = DOCUMENTS[name]
    of_schema = jsonschema_rs.Draft202012Validator(published(kind))
    known = re.compile("|".join(LOADER_ONLY.get(kind, {})) or "(?!)")
    assert (refusal(kind, valid), of_schema.is_valid(valid)) == ("", True)
    differ = []
    for change, found in changes(valid):
        why, fits = refusal(kind, found), of_schema.is_valid(found)
        if not fits and not why:
            differ.append(f"{change}: only the schema refuses")
        elif fits and why and not known.search(why):
            differ.append(f"{change}: only the loader refuses: {why}")
    assert not differ, "\n".join(differ)


@pytest.mark.parametrize(
    ("kind", "why", "found"),
    [
        pytest.param(kind, why, found, id=f"{kind}: {why}")
        for kind, reasons in LOADER_ONLY.items()
        for why, found in reasons.items()
        if kind not in ("case", "suite") or ("cases" in found) is (kind == "suite")
    ],
)
def test_what_only_a_loader_sees(kind: str, why: str, found: Any) -> None:
    assert jsonschema_rs.Draft202012Validator(published(kind)).is_valid(found)
    assert re.search(why, refusal(kind, found))


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_whole_in_itself(kind: str) -> None:
    found = published(kind)
    jsonschema_rs.meta.validate(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert all(reference.startswith("#/") for reference in _references(found))


def _references(node: Any) -> list[str]:
    if isinstance(node, list):
        return [found for inner in node for found in _references(inner)]
    if not isinstance(node, dict):
        return []
    here = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
    return here + [found for inner in node.values() for found in _references(inner)]


def test_every_shipped_schema_is_a_kind() -> None:
    folder = Path(schema.__file__).parent / "schemas"
    assert sorted(KINDS) == sorted(path.stem for path in folder.glob("*.json"))
    assert sorted(KINDS) == sorted(LOADERS)


def test_an_editor_s_schema_is_in_no_hash_of_a_suite_and_in_that_of_a_case() -> None:
    def hashes(found: object) -> list[str]:
        return [case.case_hash for case in read_golden("x.json", json.dumps(found).encode()).cases]

    named = {"$schema": "../case.schema.json"}
    assert hashes({**SUITE, **named}) == hashes(SUITE)
    assert hashes({**CASE, **named}) != hashes(CASE)
    with pytest.raises(Malformed, match=r"unknown key of a golden case '\$schema'"):
        hashes({**SUITE, "cases": [{**SUITE["cases"][0], **named}]})
