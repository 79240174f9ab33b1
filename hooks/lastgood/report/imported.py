"""What `lastgood import` would write and what it leaves out, for a person to read."""

from __future__ import annotations

from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL
from lastgood.report.printable import printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lastgood.core.importing.drafts import Loss
    from lastgood.core.importing.placing import Placed
    from lastgood.report.speller import Speller

_FILES = 12  # files of one prompt that are named one by one
_PLACES = 3  # places of one kind of loss that are named


def shown(
    placed: Sequence[Placed], files: Iterable[str], losses: Sequence[Loss], texts: Mapping[str, int], code: int
) -> str:
    """The plan: prompt by prompt what is new and what stands, then everything that is left out and why."""
    rows = []
    for one in placed:
        count = f"{len(one.fresh)} new case{'s' * (len(one.fresh) != 1)}"
        rows.append(f"{printable(one.prompt_id)}: {count}, {len(one.standing)} there already")
        names = sorted(one.files)
        rows += [f"  new     {shown_path(path)}" for path in names[:_FILES]]
        rows += [f"  …       and {len(names) - _FILES} more files"] if names[_FILES:] else []
        if texts.get(one.prompt_id):
            several = f"{texts[one.prompt_id]} completion{'s' * (texts[one.prompt_id] != 1)}"
            rows.append(f"  pending {several}: accepted by nobody until recorded")
    if losses:
        rows.append("left out:")
        rows += _left(losses)
    if code == CANNOT_TELL:
        rows.append("nothing of this can be said as a golden case")
    elif not list(files) and not texts:
        rows.append("nothing to write: all that can be said is there")
    return "".join(f"{row}\n" for row in rows)


def _left(losses: Iterable[Loss]) -> list[str]:
    """A row for each name and reason, with the first places."""
    places: dict[tuple[str, str], list[Loss]] = {}
    for loss in losses:
        places.setdefault((loss.name, loss.why), []).append(loss)
    rows = []
    for (name, why), several in places.items():
        rows.append(f"  {printable(name) or repr('')}: {printable(why)}")
        where = [f"{shown_path(one.path)} {printable(one.pointer)}".strip() for one in several]
        rows += [f"    {place}" for place in dict.fromkeys(where[:_PLACES]) if place]
        rows += [f"    and {len(where) - _PLACES} more"] if where[_PLACES:] else []
    return rows


def next_steps(prompt_ids: Sequence[str], completers: Mapping[str, str], count: int, spell: Speller) -> str:
    """What is left to a person, as commands."""
    rows = [f"wrote {count} file{'s' * (count != 1)}\n"] if count else []
    for prompt_id in prompt_ids:
        which = f"-p {quoted(prompt_id)}"
        if prompt_id in completers:
            rows.append(f"next: {printable(spell(f'lastgood diff {which} -c {completers[prompt_id]}'))}\n")
        else:
            rows.append(f"next: {printable(spell(f'lastgood eval {which}'))}\n")
    return "".join(rows)
