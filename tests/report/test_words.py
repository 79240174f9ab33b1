"""Small words: how long ago something was."""

from __future__ import annotations

import pytest

from lastgood.report.words import ago


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7300, "2 hours ago"),
        (86_400, "1 day ago"),
        (90 * 86_400, "90 days ago"),
    ],
)
def test_how_long_ago(seconds: float, said: str) -> None:
    assert ago(seconds) == said
