"""What a git merge leaves behind, and how a person goes on: what is in conflict, and chains that fork."""

from __future__ import annotations

from lastgood.core.layout import BASELINES, CATALOG, GOLDEN, MIGRATIONS, baseline_owner, golden_owner
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def written_anew(path: str) -> bool:
    """Whether recording writes this file whatever it holds: HEAD and accepted completions, not migrations."""
    return path.startswith(BASELINES) and not _is_migration(path)


def has_markers(data: bytes) -> bool:
    """Whether git's conflict markers stand in a file; in JSON no line of it can begin so."""
    return data.startswith(b"<<<<<<< ") or b"\n<<<<<<< " in data


def _is_migration(path: str) -> bool:
    return f"/{MIGRATIONS}/" in path


def unmerged_findings(paths: Collection[str]) -> list[Finding]:
    """A tree in the middle of a merge cannot be judged. First what a person has to decide, then what follows of it."""
    by_hand = [path for path in paths if not written_anew(path)]
    found = [_decide(by_hand)] if by_hand else []
    pairs: dict[tuple[str, str], list[str]] = {}
    for path in paths:
        if written_anew(path):
            pairs.setdefault(baseline_owner(path), []).append(path)
    return found + [_record(completer, prompt_id, some) for (completer, prompt_id), some in sorted(pairs.items())]


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
        yield "hint", "keep the rows of both sides; lastgood catalog ship then writes the suite_hash"
    elif path.startswith(GOLDEN):
        yield "hint", "of two prompt_sha256 take either: lastgood record writes the prompt's own"
    elif _is_migration(path):
        yield "hint", "two migrations of one name: keep ours (git checkout --ours), then record anew"


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
    return (f"{GOLDEN}{prompt_id}/", f"{BASELINES}{completer}/{prompt_id}/")


def _more(paths: list[str]) -> str:
    return f" and {len(paths) - 1} more" if len(paths) > 1 else ""
