"""What a diff says, and what makes one readable: JSON laid out in lines, words marked inside long lines."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.align import aligned, trimmed
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    Piece: TypeAlias = tuple[str, str]  # mark and text

# Words, spaces and single signs; CJK characters one by one, since their words have no space between them.
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORDS = rf"\s+|[{_CJK}]|[^\W{_CJK}]+|[^\w\s]"
_JSON_TOKENS = r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+'


LONG_LINE = 72  # characters; two lines that are longer cannot be compared by eye, one above the other, in a terminal
SHOWN_WHOLE = 120  # characters of a line that is shown as it is; of a longer one, what stayed is shortened
_MOST_EDITS = 64  # words that came or went in one line
_FEW_EDITS = 16  # the same where the lines are very long: what repeats costs edits times words
_MANY_WORDS = 20_000
_MOST_CHARACTERS = 400_000  # of two lines that are taken apart into words


@value(frozen=True)
class TextDiff:
    r"""What moved between two texts.

    `added` and `removed` count lines, shown or not. `lines` are the hunks as `git diff` prints them, without line ends:
    each begins with `@@`, a space, `+`, `-` or `\`. `truncated` is how many lines of the hunks were left out. `whole`
    is the file that holds all of it, "" where there is none.
    """

    added: int = 0
    removed: int = 0
    lines: tuple[str, ...] = ()
    truncated: int = 0
    whole: str = ""


def word_pieces(old_line: str, new_line: str) -> list[Piece]:
    """What two lines share and do not, in order: (" ", text) in both, ("-", text) went, ("+", text) came.

    By whole words; changes with nothing but spaces between them are joined. Lines too long or too far apart to compare
    word by word differ from the first to the last character or word that does. Never two pieces of a kind in a row.
    """
    if len(old_line) + len(new_line) > _MOST_CHARACTERS:
        return _trimmed_pieces(old_line, new_line, old_line, new_line)
    import re

    olds, news = re.findall(_WORDS, old_line), re.findall(_WORDS, new_line)
    many = len(olds) + len(news) > _MANY_WORDS
    pairs = aligned(olds, news, most_edits=_FEW_EDITS if many else _MOST_EDITS)
    if pairs is None:
        return _trimmed_pieces(old_line, new_line, olds, news)
    found: list[Piece] = []
    left = right = 0
    for left_end, right_end in [*pairs, (len(olds), len(news))]:
        found += [("-", "".join(olds[left:left_end])), ("+", "".join(news[right:right_end]))]
        found += [(" ", word) for word in olds[left_end : left_end + 1]]
        left, right = left_end + 1, right_end + 1
    return _joined(found)


def _trimmed_pieces(old: str, new: str, olds: Sequence[str], news: Sequence[str]) -> list[Piece]:
    start, end = trimmed(olds, news)
    head, tail = len("".join(olds[:start])), len("".join(olds[len(olds) - end :]))
    middles = old[head : len(old) - tail], new[head : len(new) - tail]
    pieces = [(" ", old[:head]), ("-", middles[0]), ("+", middles[1]), (" ", old[len(old) - tail :])]
    return [piece for piece in pieces if piece[1]]


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Equal words in one piece; a space between two changes is part of both."""
    found: list[Piece] = []  # a change is always two: what went, then what came
    kept = ""
    for mark, text in pieces:
        if mark == " ":
            kept += text
        elif text:
            if (kept and not kept.isspace()) or not found:
                found += [(" ", kept), ("-", ""), ("+", "")]
            else:
                found[-2:] = [("-", found[-2][1] + kept), ("+", found[-1][1] + kept)]
            kept = ""
            at = -2 if mark == "-" else -1
            found[at] = (mark, found[at][1] + text)
    return [piece for piece in (*found, (" ", kept)) if piece[1]]


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
