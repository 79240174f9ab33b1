"""Forbidden patterns are looked for together, plain words without an engine; each is found as it is by itself."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from golden_values import case_of
from lastgood.core.grading import grade
from lastgood.core.pattern import compiled
from lastgood.core.reading import Text
from lastgood.core.trace import Completion

patterns = st.sampled_from(
    ["I assume", "kelvin", "is", "straße", "a.c", "(x|y)z", "^ok$", r"\bno\b", "a-b", '"', "é", "i"]
)
texts = st.text(st.sampled_from('IiKkSs\u017f\u212aßéabcxyzno-. "\\u0\n'), max_size=30) | st.sampled_from(
    [
        "i ASSUME so",
        "\u212aelvin",
        "i\u017f",
        "STRASSE",
        r"I\u0020assume",
        "a\u200bbc",
        '{"a": "ok"}',
        "ABC",
        "a\u2011b",
    ]
)


@given(st.lists(patterns, min_size=1, max_size=3, unique=True), texts)
@example(["kelvin"], "\u212aelvin")
def test_what_is_found_together_is_what_each_finds_by_itself(wanted: list[str], text: str) -> None:
    case = case_of(expect={"forbid_patterns": wanted})
    edges = any(mark in pattern for pattern in wanted for mark in "^$")
    readings = list(Text(text).readings(edges=edges))
    alone = [one for one in wanted if any(compiled(one, fold_case=True).search(reading) for reading in readings)]
    assert [str(found) for found in grade(case, Completion(text, None), {})] == [
        f"forbid_pattern:{one}" for one in alone
    ]
