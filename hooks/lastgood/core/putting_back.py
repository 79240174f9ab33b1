"""What a tree lost that HEAD still holds: putting it back comes before anything else, and is said alone."""

from __future__ import annotations

from lastgood.core.layout import BASELINES, HEAD, RESTORE, baseline_folder, golden_folder
from lastgood.core.shell import quoted
from lastgood.core.staging import holds
from lastgood.core.value import TYPE_CHECKING, replace

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Sequence

    from lastgood.core.verdict import Finding

_LOST = "HEAD holds"
_SHARED = frozenset({"migration-removed", "row-dropped"})  # said against the base that others share
_FEW = 3  # files that are put back by name; more of them by their folder

# Findings that a file which is gone can be the cause of.
_LOSSES = frozenset(
    {
        "no-baseline",
        "no-migration",
        "head-missing",
        "parent-missing",
        "baseline-mismatch",
        "no-cases",
        "no-catalog",
        "case-lost",
        "schema-missing",
        "migration-removed",
    }
)


def place_of(finding: Finding) -> str:
    """The folder or file that a finding's cure would come from; "" where none can be named."""
    if finding.code == "schema-missing":
        return finding.path
    if finding.code not in _LOSSES and not any(fix.startswith(RESTORE) for fix in finding.fix):
        return ""
    if finding.completer:
        return baseline_folder(finding.completer, finding.prompt_id)
    return golden_folder(finding.prompt_id)


def put_back(findings: Iterable[Finding], held: Sequence[str], there: Collection[str]) -> tuple[Finding, ...]:
    """The findings; what is gone from a tree (`there`: its paths) and `held` by HEAD is put back first of all.

    What only follows from it is left out. A folder that HEAD does not hold cannot be taken from there: what is broken
    in it is made again.
    """
    cured = [_cured(finding, held, there) for finding in findings]
    shared = {(finding.prompt_id, finding.completer): finding for finding in cured if finding.code in _SHARED}
    cured = [_from_base(finding, shared.get((finding.prompt_id, finding.completer))) for finding in cured]
    lost = {(f.prompt_id, f.completer) for f in cured if is_lost(f) and f.code not in _SHARED}
    return tuple(finding for finding in cured if not _follows(finding, lost))


def _from_base(finding: Finding, shared: Finding | None) -> Finding:
    """A folder that HEAD does not hold either, but what others share does."""
    if is_lost(finding) or not shared or finding.code not in ("no-baseline", "no-cases"):
        return finding
    checkout, _, _ = shared.fix[0].partition(" -- ")
    details = (*finding.details, (_LOST, f"nothing of it; {shared.path} was shipped"))
    return replace(finding, details=details, fix=(f"{checkout} -- {quoted(place_of(finding))}",))


def _follows(finding: Finding, lost: Container[tuple[str, str]]) -> bool:
    """Whether it is only what a loss, that is said already, leads to."""
    if finding.code in ("suite-moved", "row-dropped"):
        return (finding.prompt_id, "") in lost
    return finding.code == "migration-removed" and (finding.prompt_id, finding.completer) in lost


def _cured(finding: Finding, held: Sequence[str], there: Collection[str]) -> Finding:
    place = place_of(finding)
    if not place:
        return finding
    in_head = [path for path in held if holds(place, path)]
    gone = [path for path in in_head if path not in there]
    if gone and finding.code in _LOSSES:
        what = gone[0] if len(gone) == 1 else f"{len(gone)} files of {place}"
        details = (*finding.details, (_LOST, f"{what}, gone here"))
        return replace(finding, details=details, fix=(RESTORE + _wanted(gone, place, there),))
    if in_head or not any(fix.startswith(RESTORE) for fix in finding.fix):
        return finding
    which = f"-p {quoted(finding.prompt_id)} -c {finding.completer}"
    return replace(finding, fix=(f"rm -r {quoted(place)}", f"lastgood eval {which}"))


def is_lost(finding: Finding) -> bool:
    """Whether HEAD holds what the finding misses, so that nothing should be made anew in its place."""
    return any(label == _LOST for label, _ in finding.details)


def _wanted(gone: Sequence[str], place: str, there: Iterable[str]) -> str:
    # A baseline is one thing. Of a folder of cases only what is gone: the rest of it may hold new ones.
    one = place.startswith(BASELINES) and (len(gone) > _FEW or any(path.endswith(f"/{HEAD}") for path in gone))
    whole = one or not any(holds(place, path) for path in there)
    return quoted(place) if whole else " ".join(map(quoted, gone))
