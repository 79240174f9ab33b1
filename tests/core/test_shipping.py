"""Golden-case migrations as pure functions: rows are added or retired, never rewritten once shared."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.catalog import Catalog, Row
from lastgood.core.facts import CaseFact
from lastgood.core.shipping import retire, ship
from lastgood.errors import Refused


def fact(case_id: str, version: int = 1, case_hash: str = "") -> CaseFact:
    return CaseFact(case_id, version, case_hash or f"{case_id}{version}", "", "", "")


def shipped(*facts: CaseFact, before: Catalog | None = None, shared: Any = None, reason: str = "") -> Catalog:
    return ship("billing", before, facts, shared or {}, reason)


def rows(catalog: Catalog) -> list[tuple[str, int, str]]:
    return [(row.case_id, row.version, row.status) for row in catalog.rows]


def test_every_case_gets_a_row() -> None:
    assert rows(shipped(fact("a"), fact("b"))) == [("a", 1, "active"), ("b", 1, "active")]


def test_shipping_again_changes_nothing() -> None:
    once = shipped(fact("a"), fact("b"))
    assert shipped(fact("a"), fact("b"), before=once) == once


def test_the_suite_hash_is_of_active_cases_in_suite_order() -> None:
    both = shipped(fact("a"), fact("b"))
    assert shipped(fact("b"), fact("a")).suite_hash != both.suite_hash
    assert retire(both, both.rows[1], [fact("a"), fact("b")], "x", "").suite_hash == shipped(fact("a")).suite_hash


def test_a_newer_version_retires_the_active_older_one() -> None:
    before = shipped(fact("a"), fact("b"))
    after = shipped(fact("a"), fact("b"), fact("b", 2), before=before, reason="stricter")
    assert rows(after) == [("a", 1, "active"), ("b", 1, "retired"), ("b", 2, "active")]
    assert (after.rows[1].reason, after.rows[1].replaced_by) == ("stricter", "b")


def test_that_needs_a_reason() -> None:
    before = shipped(fact("b"))
    with pytest.raises(Refused, match="'b' version 1 is retired by version 2, and that needs a reason"):
        shipped(fact("b"), fact("b", 2), before=before)


@pytest.mark.parametrize("cases", [[fact("a", case_hash="other")], []], ids=["edited", "gone"])
def test_a_shared_row_refuses(cases: list[CaseFact]) -> None:
    before = shipped(fact("a"))
    with pytest.raises(Refused, match="case 'a' version 1 has shipped and") as caught:
        shipped(*cases, before=before, shared={("a", 1): "a1"})
    assert caught.value.fix.startswith("lastgood catalog bump a ")


def test_a_row_that_nobody_shares_follows_its_case() -> None:
    before = shipped(fact("a"), fact("b"))
    after = shipped(fact("a", case_hash="other"), before=before)
    assert [(row.case_id, row.case_hash) for row in after.rows] == [("a", "other")]


def test_a_shared_row_of_other_words_than_ours_does_not_hold_ours() -> None:
    before = shipped(fact("a", case_hash="ours"))
    after = shipped(fact("a", case_hash="newer"), before=before, shared={("a", 1): "theirs"})
    assert after.rows[0].case_hash == "newer"


def test_retire_says_why_and_by_what() -> None:
    before = shipped(fact("a"), fact("b"))
    after = retire(before, before.rows[0], [fact("a"), fact("b")], "asked twice", "b")
    assert after.rows[0] == Row("a", 1, "a1", "retired", "asked twice", "b")
    assert after.rows[1] == before.rows[1]


def test_retire_needs_a_reason_and_an_active_row() -> None:
    before = shipped(fact("a"))
    with pytest.raises(Refused, match="needs a reason"):
        retire(before, before.rows[0], [fact("a")], "", "")
    after = retire(before, before.rows[0], [fact("a")], "x", "")
    with pytest.raises(Refused, match="is retired already"):
        retire(after, after.rows[0], [fact("a")], "x", "")
