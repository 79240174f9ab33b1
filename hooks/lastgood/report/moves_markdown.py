"""What moved, for a pull request's comment: fits in one, long diffs folded, nothing in it taken for markup."""

from __future__ import annotations

from lastgood.core.judgement import DIFF, FAIL, PASS
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.hunks import hunk_lines
from lastgood.report.moves_text import meaning, pin
from lastgood.report.paint import Paint
from lastgood.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MOST_CHARACTERS = 65_536  # of a comment on GitHub; other forges take more
_FOLDED = 12  # lines of a diff that stand open; longer ones are folded
_MOST_OF_A_CASE = 12_000  # characters of one case's diff, so that one cannot crowd out all others
_ROOM = 1_500  # characters kept for what is said at the end
_SPECIAL = frozenset("\\`*_[]<>#.!|~&@:$'\"")


def markdown(found: Mapping[str, Any], after: str) -> str:
    """A document of `moves.document` as a comment of at most MOST_CHARACTERS; `after` is what to type next."""
    head, *rest = meaning(found).split("\n")
    end = "".join(f"{line}\n" for line in ("", *(f"`{line}`  " for line in rest), _code(after)))
    top = f"### lastgood: {head}\n"
    budget = MOST_CHARACTERS - _ROOM - len(top) - len(end)
    parts: list[str] = []
    left_out: list[str] = []
    for item in found["prompts"]:
        for part, name in _parts(item):
            if len(part) <= budget:
                parts.append(part)
                budget -= len(part)
            else:
                left_out.append(name)
    return top + "".join(parts) + _left_out(left_out) + end


def _left_out(names: list[str]) -> str:
    if not names:
        return ""
    shown, room = [], _ROOM - 200
    for name in names[:20]:  # whole or not at all: half of one would leave an element open
        room -= len(name) + 2
        if room >= 0:
            shown.append(name)
    more = f"{len(names) - len(shown)} {'more' if shown else 'cases'}" if len(shown) < len(names) else ""
    return f"\n**Not shown, for a comment holds no more:** {' and '.join(filter(None, [', '.join(shown), more]))}\n"


def _parts(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Pieces of text that are shown whole or not at all, each with its name; the table of all cases first."""
    name = _code(item["prompt_id"])
    lines = ["", f"**{name}** {_code(pin(item))}, completer {_code(item['completer'])}", ""]
    lines += [f"- stale: {_code(reason)}" for reason in item["stale"]]
    lines += [f"- GONE {_code(case_id)}: no active case; its baseline ends" for case_id in item["obsolete"]]
    lines += [f"- {_code(case_id)}: not answered by this run" for case_id in item["unanswered"]]
    lines += [f"- {_code(case_id)}: not asked often enough to be accepted" for case_id in item["lacking"]]
    lines += [f"- note: {_code(item['note'])}"] * bool(item["note"])
    yield "\n".join(lines) + "\n", f"{name} as a whole"
    cases = [case for case in item["cases"] if case["status"] != PASS]
    if len(cases) < len(item["cases"]):
        yield f"\n{len(item['cases']) - len(cases)} of {len(item['cases'])} as before.\n", f"the rest of {name}"
    rows = "".join(map(_row, cases))
    if rows:
        yield f"\n| | case | digest | what |\n| --- | --- | --- | --- |\n{rows}", f"the table of {name}"
    # Suspicious ones first: they are the last that may be left out.
    for case in sorted(cases, key=lambda case: not (case["marks"] or case["status"] == FAIL)):
        yield _case(case), _code(case["id"])


def _row(case: Mapping[str, Any]) -> str:
    now = case["to"][:SHORT] or "none"
    digest = f"{case['from'][:SHORT]} → {now}" if case["status"] == DIFF else now
    what = [_code(mark) for mark in case["failures"] or case["moves"]]
    what += [f"**!** {_code(mark)}" for mark in case["marks"]]
    return f"| {case['status']} | {_code(case['id'])} | `{digest}` | {', '.join(what)} |\n"


def _case(case: Mapping[str, Any]) -> str:
    paint = Paint()
    lines = [paint(line) for line in hunk_lines(case["diff"])]
    lines += [f"| {printable(said)}" for said in case["said"]]
    if case["status"] == FAIL:
        lines = [printable(reason) for reason in case["explanations"]] + lines
    hidden = case["diff_truncated"] + max(0, len(lines) - _fitting(lines))
    lines = lines[: _fitting(lines)]
    if not lines:
        return ""
    fence = _fence(lines)
    block = "\n".join([f"{fence}diff", *lines, fence])
    if hidden or case["said_truncated"]:
        counted = f"{hidden:,} more lines" if hidden else f"{case['said_truncated']:,} more characters"
        block += f"\n\n… {counted}: `lastgood diff --format json` has all of it."
    title = f"{case['status']} {_code(case['id'])}, +{case['added']} −{case['removed']}"  # noqa: RUF001  # a minus
    opened = " open" if len(lines) <= _FOLDED else ""
    return f"\n<details{opened}><summary>{title}</summary>\n\n{block}\n\n</details>\n"


def _fitting(lines: list[str]) -> int:
    """How many of the lines one case may show."""
    size = 0
    for at, line in enumerate(lines):
        size += len(line) + 1
        if size > _MOST_OF_A_CASE:
            return at
    return len(lines)


def _fence(lines: list[str]) -> str:
    """Longer than any run of backticks in what it holds: no completion can close it."""
    longest = run = 0
    for sign in "\n".join(lines):
        run = run + 1 if sign == "`" else 0
        longest = max(longest, run)
    return "`" * max(3, longest + 1)


def _code(text: str) -> str:
    """Text that means nothing to markdown, HTML or tables, in an element where nobody is mentioned either."""
    return f"<code>{''.join(f'&#{ord(sign)};' if sign in _SPECIAL else sign for sign in printable(text))}</code>"
