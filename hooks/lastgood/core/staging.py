"""What lies on disk and not in the tree that is judged: where the disk is in step, staging is all that is missing."""

from __future__ import annotations

from lastgood.core.layout import MIGRATIONS, baseline_folder, golden_folder
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lastgood.core.audit import Audited
    from lastgood.core.verdict import Finding

IGNORED = "ignored by git"
_NOT_STAGED = "not staged"
_NAMED = 3  # paths named before the rest is only counted


def places_of(audited: Audited) -> tuple[str, ...]:
    """What a commit of one prompt is made of: its files, the folder of its cases, those of its baselines."""
    prompt_id = audited.prompt.prompt_id
    baselines = (baseline_folder(chain.completer, prompt_id) for chain in audited.chains)
    return (*audited.prompt.files, golden_folder(prompt_id), *baselines)


def holds(place: str, path: str) -> bool:
    """Whether a path is that place, or lies in the folder that it is."""
    return path == place or (place.endswith("/") and path.startswith(place))


def add(places: Iterable[str], left: Mapping[str, str], *, whole: bool = False) -> str:
    """The command that stages what is `left` out (path → state) of these places; "" when nothing is.

    `whole`: every place is named, also those that nothing is known to be left out of.
    """
    wanted = [place for place in dict.fromkeys(places) if whole or any(holds(place, path) for path in left)]
    if not wanted:
        return ""
    force = any(state == IGNORED and any(holds(place, path) for place in wanted) for path, state in left.items())
    return f"git add {'-f ' * force}{' '.join(map(quoted, wanted))}"


def named(paths: Sequence[str], left: Mapping[str, str]) -> str:
    """`a (untracked), b (edited), c (edited) and 4 more`."""
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return ", ".join(f"{path} ({left[path]})" for path in paths[:_NAMED]) + more


def only_staged(
    finding: Finding, places: Sequence[str], left: Mapping[str, str], *, whole: bool, picked: bool
) -> Finding:
    """A finding that the disk has mended already: what is left to do is to stage it.

    `picked`: the commit being made names its files (`git commit FILE`), so that staging more does not add to it.
    """
    paths = sorted(path for path in left if any(holds(place, path) for place in places))
    paths.sort(key=lambda path: f"/{MIGRATIONS}/" not in path)  # first what the commit is refused for
    command = add(places, left, whole=whole or picked)
    details = tuple(detail for detail in finding.details if detail[0] != _NOT_STAGED)  # a guess, where we know now
    return replace(
        finding,
        details=(*details, (_NOT_STAGED, named(paths, left))),
        fix=(command, "git commit") if picked else (command,),
    )
