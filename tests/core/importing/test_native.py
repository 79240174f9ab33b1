"""Golden cases that have their form already are copied, and find their place beside what is there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastgood.core.catalog import Catalog, Row, dump_catalog, read_catalog
from lastgood.core.facts import of_path, read
from lastgood.core.importing import native
from lastgood.core.importing.placing import Placed, There, place_copies

SHAS = {"billing": "a" * 64, "support": "b" * 64}


def case(case_id: str, version: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": case_id, "version": version, "prompt_id": "billing", "input": {}, "expect": {"json": True}} | more


def suite(*ids: str, **more: Any) -> bytes:
    cases = [{"id": case_id, "input": {}, "expect": {"json": True}} for case_id in ids]
    return json.dumps({"prompt_id": "billing", "cases": cases} | more).encode()


def dumped(found: Any) -> bytes:
    return json.dumps(found).encode()


def there(files: dict[str, bytes], catalog: Catalog | None = None) -> There:
    facts = [(path, fact) for path, data in sorted(files.items()) for fact in read(of_path(path), path, data).cases]
    return There("billing", tuple(facts), catalog, {}, files.get)


def placed(files: dict[str, bytes], here: There) -> Placed:
    taken = native.read(files, SHAS)
    return place_copies(here, taken.copies, taken.catalogs.get("billing"), taken.losses)


def test_bytes_stay_as_they_are() -> None:
    data = suite("one", prompt_sha256="a" * 64).replace(b", ", b",\r\n   ")
    found = placed({"old/golden.json": data, "old/c.json": dumped(case("two"))}, there({}))
    assert found.files["golden/billing/suite.json"] == data
    assert found.files["golden/billing/c.json"] == dumped(case("two"))
    assert found.losses == ()
    catalog = read_catalog("", found.files["golden/billing/catalog.json"])
    assert [row.case_id for row in catalog.rows] == ["one", "two"]


def test_a_pin_that_is_no_hash_becomes_the_prompts_and_another_is_told() -> None:
    found = placed({"golden.json": suite("one", prompt_sha256="put it here")}, there({}))
    assert json.loads(found.files["golden/billing/suite.json"])["prompt_sha256"] == "a" * 64
    found = placed({"golden.json": suite("one", prompt_sha256="c" * 64)}, there({}))
    assert [loss.pointer for loss in found.losses] == ["/prompt_sha256"]
    assert "one" in found.fresh


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("x.json", b"{", "not JSON"),
        ("x.json", b"[]", "is no golden case"),
        ("x.json", dumped({"suite_hash": "x", "scores": []}), "is a score document"),
        ("x.json", dumped(case("one", prompt_id="nobody")), "the prompt 'nobody', which is not here"),
        ("x.json", dumped(case("one", expect={})), "checks nothing"),
        ("x.json", dumped(case("con")), "is a device on Windows"),
        ("x.json", dumped({"name": "package"}), "is no golden case"),
        ("catalog.json", b"{}", "required"),
        ("b.json", dumped({"cases": {"one": {"digest": "x"}}}), "64 hex digits"),
        ("b.json", dumped({"cases": {"one": {"digest": "1" * 64}}}), "is of no case that is imported here"),
    ],
)
def test_what_is_none_is_told(name: str, data: bytes, why: str) -> None:
    taken = native.read({f"old/{name}": data}, SHAS)
    assert taken.copies == ()
    assert [loss.path for loss in taken.losses] == [f"old/{name}"]
    assert why in taken.losses[0].why or why == "required"


@pytest.mark.parametrize("empty", [b"", b"{}", b'{"cases": {}}'])
def test_a_baseline_may_start_empty(empty: bytes) -> None:
    assert native.read({"baseline.json": empty}, SHAS).losses == ()


def test_completions_of_another_prompt_or_case_are_told() -> None:
    entry = {"digest": "1" * 64, "normalize": "whitespace", "completion": ["x"]}
    for sha, case_hash, why in (("c" * 64, "0" * 16, "another prompt"), ("a" * 64, "0" * 16, "before an edit")):
        baseline = dumped({"prompt_sha256": sha, "cases": {"one": entry | {"case_hash": case_hash}}})
        taken = native.read({"golden.json": suite("one"), "baseline.json": baseline}, SHAS)
        assert (taken.said, [why in loss.why for loss in taken.losses]) == ({}, [True])


def test_what_is_there_stays() -> None:
    here = {"golden/billing/suite.json": suite("one")}
    same = placed({"elsewhere.json": suite("one")}, there(here))
    assert (same.files, same.standing) == ({}, ("one",))
    for files, why in (
        ({"golden.json": suite("two")}, "golden/billing/suite.json is there already"),
        ({"x.json": suite("one", "two")}, "stands in another file here"),
        ({"x.json": dumped(case("one", expect={"length": 1}))}, "says otherwise"),
        ({"x.json": dumped(case("one", version=2))}, "holds version 1 of it"),
        ({"x.json": dumped(case("ONE"))}, "the same file on some disks"),
    ):
        found = placed(files, there(here))
        assert found.files == {}
        assert [why in loss.why for loss in found.losses] == [True], found.losses


def test_a_catalog_comes_along_with_all_its_cases_or_not_at_all() -> None:
    files = {"a.json": dumped(case("one", 1)), "b.json": dumped(case("one", 2))}
    hashes = [copy.golden.cases[0].case_hash for copy in native.read(files, SHAS).copies]
    rows = (Row("one", 1, hashes[0], "retired", "too loose", "one"), Row("one", 2, hashes[1]))
    files["catalog.json"] = dump_catalog(Catalog("billing", "0" * 16, rows))
    kept = read_catalog("", placed(files, there({})).files["golden/billing/catalog.json"])
    assert [(row.version, row.status) for row in kept.rows] == [(1, "retired"), (2, "active")]
