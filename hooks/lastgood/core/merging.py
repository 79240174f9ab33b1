"""What a git merge leaves behind, and how a person goes on: what is in conflict, and chains that fork."""

from __future__ import annotations

from lastgood.core.layout import (
    BASELINES,
    CATALOG,
    GOLDEN,
    HEAD,
    MIGRATIONS,
    baseline_folder,
    baseline_owner,
    golden_folder,
    golden_owner,
)
from lastgood.core.migration import Migration, heads
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from typing import Any

    from lastgood.core.audit import Audited


def written_anew(path: str) -> bool:
    """Whether recording writes this file whatever it holds: HEAD and accepted completions, not migrations."""
    return path.startswith(BASELINES) and not _is_migration(path)


def has_markers(data: bytes) -> bool:
    """Whether git's conflict markers stand in a file; in JSON no line of it can begin so."""
    return data.startswith(b"<<<<<<< ") or b"\n<<<<<<< " in data


def _is_migration(path: str) -> bool:
    return f"/{MIGRATIONS}/" in path


def unmerged_findings(
    paths: Collection[str], prompts: Mapping[str, Audited], side_of: Callable[[str], str]
) -> list[Finding]:
    """A tree in the middle of a merge cannot be judged. First what a person has to decide, then what follows of it.

    `prompts` are those that could be audited. `side_of`: the commit that made this migration; of "", the one whose
    migrations stay where only one side's can.
    """
    by_hand = [path for path in paths if not path.startswith(BASELINES)]
    found = [_decide(by_hand)] if by_hand else []
    pairs: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        if path.startswith(BASELINES):
            pairs.setdefault(baseline_owner(path), []).append(path)
    for (completer, prompt_id), some in sorted(pairs.items()):
        tip = _only_tip(prompts.get(prompt_id), completer)
        if any(map(_is_migration, some)):
            found.append(_keep(completer, prompt_id, some, side_of(""), _ONE_NAME))
        elif tip and baseline_folder(completer, prompt_id) + HEAD not in some:
            found.append(_keep(completer, prompt_id, some, side_of(tip.path), _ONE_SIDE))
        else:
            found.append(_record(completer, prompt_id, some))
    return found


def _only_tip(audited: Audited | None, completer: str) -> Migration | None:
    """The head of a chain that only one side went on with."""
    chain = audited.chain(completer) if audited else None
    ends = heads(chain.migrations) if chain else []
    return ends[0] if len(ends) == 1 else None


# Nothing of these is lost: what the other side holds stays in its commit.
_ONE_NAME = (
    "both sides made a migration of one name; one stays, and what the merged prompt answers is recorded after it"
)
_ONE_SIDE = "completions that only one side recorded were edited by the other; those that were recorded stay"


def _keep(completer: str, prompt_id: str, paths: list[str], side: str, what: str) -> Finding:
    return Finding(
        "unmerged",
        CANNOT_TELL,
        paths[0],
        f"unmerged path{_more(paths)}: {what}",
        fix=(f"git restore -SW --source {side} -- {quoted(baseline_folder(completer, prompt_id))}",),
        prompt_id=prompt_id,
        completer=completer,
    )


def _decide(paths: list[str]) -> Finding:
    owners = {golden_owner(path) for path in paths if path.startswith(GOLDEN)}
    hints = dict.fromkeys(hint for path in paths for hint in _hints(path))
    return Finding(
        "unmerged",
        CANNOT_TELL,
        paths[0],
        f"unmerged path{_more(paths)}: the conflict is not resolved yet",
        details=tuple(hints),
        fix=(f"resolve it, then git add {' '.join(map(quoted, paths))}",),
        prompt_id=owners.pop() if len(owners) == 1 and len(paths) == 1 else "",
    )


def _hints(path: str) -> Iterable[tuple[str, str]]:
    if path.endswith("/" + CATALOG):
        yield "hint", "keep the rows of both sides and either suite_hash; then lastgood catalog ship"
    elif path.startswith(GOLDEN):
        yield "hint", "of two prompt_sha256 take either: lastgood record writes the prompt's own"


def _record(completer: str, prompt_id: str, paths: list[str]) -> Finding:
    which = f"-p {quoted(prompt_id)} -c {completer}"
    return Finding(
        "unmerged",
        CANNOT_TELL,
        paths[0],
        f"unmerged path{_more(paths)}: both sides recorded, so what the merged prompt answers is to be accepted",
        fix=(
            f"lastgood eval {which}",
            f"lastgood diff {which}",
            f"lastgood record --merge {which} --reason '…'",
            f"git add {' '.join(map(quoted, _places(completer, prompt_id)))}",
        ),
        prompt_id=prompt_id,
        completer=completer,
    )


def _places(completer: str, prompt_id: str) -> tuple[str, ...]:
    return (golden_folder(prompt_id), baseline_folder(completer, prompt_id))


def _more(paths: list[str]) -> str:
    return f" and {len(paths) - 1} more" if len(paths) > 1 else ""


def lost_findings(
    side: str, theirs: Mapping[str, Any], now: Collection[str], dropped: Collection[str]
) -> list[Finding]:
    """Migrations of the other side that a merge left out: without a fork to settle, nobody would ever see them go.

    `theirs`: the facts of `side` that the merged tree does not hold so; `now`: the paths of the merged tree; `dropped`:
    what our side removed on its own, long before. Where both made a migration of one name only one of them can stay,
    and what follows the other goes with it.
    """
    left = {path: fact for path, fact in theirs.items() if isinstance(fact, Migration)}
    given_up: set[str] = set()  # hashes
    for path, fact in sorted(left.items(), key=lambda item: item[1].number):
        if path in now or not given_up.isdisjoint(fact.parents):
            given_up.add(fact.hash)
    return [
        Finding(
            "migration-lost",
            OUT_OF_STEP,
            path,
            "the other side of the merge made this migration, and the merge left it out",
            fix=(f"git checkout {quoted(side)} -- {quoted(path)}",),
            prompt_id=fact.prompt_id,
            completer=fact.completer,
        )
        for path, fact in sorted(left.items())
        if path not in dropped and path not in now and fact.hash not in given_up
    ]
