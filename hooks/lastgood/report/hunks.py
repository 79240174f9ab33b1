"""Hunks as people read them: words marked inside the lines that moved, long lines shortened to what moved in them."""

from __future__ import annotations

from lastgood.core.text_diff import LONG_LINE, SHOWN_WHOLE, word_pieces
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.paint import FAINT, NEW, NEW_LINE_WORD, NEW_WORD, OLD, OLD_LINE_WORD, OLD_WORD, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lastgood.core.text_diff import Piece
    from lastgood.report.paint import Line

_STYLES = {"-": OLD, "+": NEW}
_MARKED = {"-": OLD_LINE_WORD, "+": NEW_LINE_WORD}
_WORD_STYLES = {" ": PLAIN, "-": OLD_WORD, "+": NEW_WORD}
_KEPT = SHOWN_WHOLE // 2  # characters of what stayed, shown beside what moved
MOST_SHOWN = 600  # characters of one line that came, went or stayed whole
_ALIKE = 0.4  # share of a pair that must have stayed, for its words to be worth marking
_MOST_PAIRED = 400  # lines that went times lines that came, compared each with each
_MOST_COMPARED = 400_000  # characters of one diff whose words are compared


def hunk_lines(diff: Sequence[str], *, whole: bool = False) -> list[Line]:
    """The lines of a `TextDiff`, for a terminal or a log: at most a line each, their marks first.

    Lines that are long and alike become one, marked `~`, with what went and came inside it. `whole`: nothing is
    shortened.
    """
    found: list[Line] = []
    budget = _MOST_COMPARED
    for group in _groups(diff):
        if group[0].startswith("@@"):
            found += [[(FAINT, "  …")]] if found else []
        elif group[0][0] not in "-+":
            found += [_plain(line, whole=whole) for line in group]
        else:
            size = sum(map(len, group))
            found += _changed(group, whole=whole) if size <= budget else [_plain(line, whole=whole) for line in group]
            budget -= size
    return found


def _groups(diff: Sequence[str]) -> Iterator[list[str]]:
    """Runs of changed lines, runs of context, headers."""
    group: list[str] = []
    for line in diff:
        changed = line[:1] in "-+" or (line.startswith("\\") and bool(group) and group[0][0] in "-+")
        if group and (changed != (group[0][0] in "-+") or line.startswith("@@") or group[0].startswith("@@")):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _plain(line: str, *, whole: bool) -> Line:
    style = _STYLES.get(line[0], FAINT if line.startswith("\\") else PLAIN)
    text, more = (line[1:], 0) if whole else (line[1 : 1 + MOST_SHOWN], len(line) - 1 - MOST_SHOWN)
    return [(style, line[0] + text), *([(FAINT, f" …({more:,} more)…")] if more > 0 else [])]


def _changed(group: Sequence[str], *, whole: bool) -> list[Line]:
    went = [at for at, line in enumerate(group) if line[0] == "-"]
    came = [at for at, line in enumerate(group) if line[0] == "+"]
    compared: dict[int, list[Piece]] = {}
    left_out = set()
    for left, right in _pairs([group[at] for at in went], [group[at] for at in came]):
        old, new = group[went[left]][1:], group[came[right]][1:]
        pieces = word_pieces(old, new)
        if sum(len(text) for mark, text in pieces if mark == " ") < _ALIKE * min(len(old), len(new)):
            continue
        compared[came[right]] = compared[went[left]] = pieces
        if max(len(old), len(new)) > LONG_LINE:
            left_out.add(went[left])
    found = []
    for at, line in enumerate(group):
        if at in left_out:
            continue
        if at not in compared:
            found.append(_plain(line, whole=whole))
        elif max(len(text) for text in _sides(compared[at])) > LONG_LINE:
            found.append([(PLAIN, "~"), *_shortened(compared[at], whole=whole)])
        else:
            found.append(_marked(line, compared[at]))
    return found


def _pairs(went: Sequence[str], came: Sequence[str]) -> list[tuple[int, int]]:
    """Which lines became which: by place where as many came as went, else by the words they share, in order."""
    if len(went) == len(came):
        return [(at, at) for at in range(len(went))]
    if len(went) * len(came) > _MOST_PAIRED:
        return []
    words = [[set(line[1:].split()) for line in side] for side in (went, came)]
    found = []
    start = 0
    for left, ours in enumerate(words[0]):
        shares = [(len(ours & theirs), -right) for right, theirs in enumerate(words[1]) if right >= start]
        most, at = max(shares, default=(0, 0))
        if most * 2 >= len(ours) > 0:
            found.append((left, -at))
            start = 1 - at
    return found


def _sides(pieces: Sequence[Piece]) -> tuple[str, str]:
    """The old and the new line that pieces were made of."""
    old, new = ("".join(text for mark, text in pieces if mark in kinds) for kinds in (" -", " +"))
    return old, new


def _marked(line: str, pieces: Sequence[Piece]) -> Line:
    """A short line, the words marked that its fellow does not have; only colour shows them."""
    mark = line[0]
    styles = {" ": _STYLES[mark], mark: _MARKED[mark]}
    return [(_STYLES[mark], mark), *((styles[kind], text) for kind, text in pieces if kind in styles)]


def _shortened(pieces: Sequence[Piece], *, whole: bool) -> Line:
    """One line with what went and came inside it; of what stayed, only what stands beside that."""
    found: Line = []
    for at, (mark, text) in enumerate(pieces):
        head = 0 if mark == " " and at == 0 else _KEPT
        tail = 0 if mark == " " and at == len(pieces) - 1 else _KEPT
        if mark != " ":
            head = tail = MOST_SHOWN // 2
        hidden = len(text) - head - tail
        if whole or hidden <= _KEPT:
            found.append((_WORD_STYLES[mark], text))
            continue
        what = "the same" if mark == " " else "more"
        found += [
            (_WORD_STYLES[mark], text[:head]),
            (FAINT, f"…({hidden:,} {what})…"),
            (_WORD_STYLES[mark], text[len(text) - tail :]),
        ]
    return [piece for piece in found if piece[1]]
