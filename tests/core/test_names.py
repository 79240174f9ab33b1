"""Names that become files are usable and told apart on every system."""

from __future__ import annotations

import pytest

from golden_values import CASE, read
from lastgood.core import names
from lastgood.core.suggest import meant
from lastgood.errors import Malformed

UNUSABLE = [
    "", ".hidden", "-x", "x.", "x ", " x", "a/b", "a\\b", "a:b", "a*", "a?", 'a"', "a<", "a>", "a|", "a\nb", "a\0",
    "a\x7f", "a\u200bb", "con", "NUL.txt", "Com1", "lpt²", "x" * 121, "é" * 61, "HEAD", "head", "migrations", "Catalog",
    "suite",
]  # fmt: skip


@pytest.mark.parametrize("name", UNUSABLE)
def test_an_id_that_cannot_name_a_file(name: str) -> None:
    assert names.unusable(name)
    with pytest.raises(Malformed) as caught:
        read({**CASE, "id": name})
    assert caught.value.pointer == "/id"
    assert caught.value.what.isprintable()


@pytest.mark.parametrize("name", ["a", "status-paid-en", "v1.2", "é" * 60, "x" * 120, "heads", "con1", "a b", "注文"])
def test_an_id_that_can_name_a_file(name: str) -> None:
    assert not names.unusable(name)


def test_names_collide_by_case_and_unicode_form() -> None:
    composed, apart = "caf\u00e9", "cafe\u0301"
    assert names.colliding(["a", "b", "A", composed, apart, "a", "ß", "SS"]) == (
        ("a", "A"),
        (composed, apart),
        ("ß", "SS"),
    )


@pytest.mark.parametrize(
    ("word", "hint"),
    [("must_cal", "must_call"), ("mustcall", "must_call"), ("josn", "json"), ("args", "args"), ("tool", ""), ("x", "")],
)
def test_the_word_that_was_meant(word: str, hint: str) -> None:
    assert meant(word, ["must_call", "must_not_call", "json", "args"]) == (f"; did you mean {hint!r}?" if hint else "")
