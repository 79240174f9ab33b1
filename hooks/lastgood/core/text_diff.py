"""What a diff says, and what makes one readable: JSON laid out in lines, words marked inside long lines."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.align import aligned, trimmed
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Span: TypeAlias = tuple[int, int]  # of one line: first character, and the one after the last

# Words, spaces and single signs; CJK characters one by one, since their words have no space between them.
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = rf"\s+|[{_CJK}]|[^\W{_CJK}]+|[^\w\s]"
_JSON_TOKENS = r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+'


@value(frozen=True)
class TextDiff:
    r"""What moved between two texts.

    `added` and `removed` count lines, shown or not. `lines` are the hunks as `git diff` prints them, without line ends:
    each begins with `@@`, a space, `+`, `-` or `\`. `truncated` is how many lines of the hunks were left out.
    """

    added: int = 0
    removed: int = 0
    lines: tuple[str, ...] = ()
    truncated: int = 0


def word_marks(old_line: str, new_line: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Spans of the old line that went and of the new line that came, by whole words; for underlining.

    Marks with nothing but spaces between them are joined. Lines too far apart to compare word by word are marked
    from the first to the last word that differs.
    """
    import re

    olds, news = ([found.span() for found in re.finditer(_WORDS, line)] for line in (old_line, new_line))
    old_words, new_words = [old_line[a:b] for a, b in olds], [new_line[a:b] for a, b in news]
    pairs = aligned(old_words, new_words)
    if pairs is None:
        start, end = trimmed(old_words, new_words)
        pairs = [(i, i) for i in range(start)]
        pairs += [(len(olds) - back, len(news) - back) for back in range(end, 0, -1)]
    lefts, rights = {left for left, _ in pairs}, {right for _, right in pairs}
    return _marks(old_line, olds, lefts), _marks(new_line, news, rights)


def _marks(line: str, spans: list[Span], kept: set[int]) -> tuple[Span, ...]:
    found: list[Span] = []
    for start, end in (span for index, span in enumerate(spans) if index not in kept):
        joined = found and not line[found[-1][1] : start].strip()
        found.append((found.pop()[0] if joined else start, end))
    return tuple(found)


def pretty(text: str) -> str:
    """JSON objects and arrays in lines of two-space indents, every key, number and escape as spelled; else `text`.

    For reading and diffing only: nothing is parsed and written again, so no move is hidden.
    """
    try:
        held = nesting.loads(text)
    except Malformed:
        return text
    return "".join(_laid_out(text)) if isinstance(held, (dict, list)) else text


def _laid_out(text: str) -> Iterator[str]:
    import re

    depth, before = 0, ""
    for token in re.findall(_JSON_TOKENS, text):
        if token in ("}", "]"):
            depth -= 1
            if before not in ("{", "["):  # empty ones stay on one line
                yield "\n" + "  " * depth
        elif before in ("{", "[", ","):
            yield "\n" + "  " * depth
        elif before == ":":
            yield " "
        yield token
        depth += token in ("{", "[")
        before = token
