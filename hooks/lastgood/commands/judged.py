"""What the judgement is held against: the base that others share."""

from __future__ import annotations

import os

from lastgood.core import facts as facts_of
from lastgood.core.audit import audit_history
from lastgood.core.config import FILES
from lastgood.core.layout import (
    BASELINES,
    CATALOG,
    GOLDEN,
    MIGRATIONS,
    owner_of,
)
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP, Finding
from lastgood.edge import git, roots, trees
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from lastgood.commands.options import Options
    from lastgood.commands.survey import Survey
    from lastgood.core.tree import Tree


def pushed_ref(to_ref: str | None = None) -> str:
    """The commit to judge instead of the index: asked for, or named by a manager at pre-push; "" for none."""
    return to_ref or os.environ.get("PRE_COMMIT_TO_REF", "")


def history(options: Options, found: Survey, prompt_ids: Container[str]) -> tuple[list[Finding], list[str]]:
    """(findings, notes) of the check that nothing shipped was rewritten, against a base others share.

    `prompt_ids`: the prompts of the tree. One that is gone with all that was its own has ended, and keeps no history.
    """
    commit = pushed_ref(options.to_ref)
    lost = _lost(found, commit, prompt_ids)
    if _moves_along(found.config.base):
        what = f"{found.config.base!r} moves with the commit that is judged, so it can never be what others share"
        raise LastgoodError(what, path=found.config.path, pointer="base", fix="set base to a branch of the remote")
    asked = options.base or _known(options.from_ref or "")
    pushed_before = _known(os.environ.get("PRE_COMMIT_FROM_REF", ""))
    candidates = [asked] if asked else [pushed_before, found.config.base, "origin/HEAD"]
    for base in filter(None, candidates):
        changed = trees.changed_since(found.root, base, commit, (GOLDEN, BASELINES))
        if changed is not None:
            gone = roots.ended(found.root, changed, tuple(name.rstrip("/") for name in found.tree.inner))
            kept = {path: oids for path, oids in changed.items() if _is_shipped(path) and owner_of(path) in prompt_ids}
            now, before = _facts(found.root, kept)
            left = roots.left_behind(found.root, commit, gone) if gone else {}
            return [*lost, *_roots_gone(left, gone, base), *audit_history(now, before, base)], []
    if asked:
        raise LastgoodError(f"the base {asked!r} is no commit here", fix="git fetch")
    names = list(filter(None, candidates))
    why = f"no shared base here: {'neither' if len(names) > 1 else 'no'} {' nor '.join(names)}"
    if found.config.require_base:
        fix = ("git fetch origin", f"or name one with --base (configured: {found.config.base or 'none'})")
        missing = Finding("no-base", CANNOT_TELL, found.config.path, f"{why}, and require_base is set", fix=fix)
        return [*lost, missing], []
    return lost, [f"history check skipped: {why}, so nobody can tell whether shipped cases were rewritten"]


def _lost(found: Survey, commit: str, prompt_ids: Container[str]) -> list[Finding]:
    """Migrations that a merge left out. Its sides are known here, whatever base is."""
    from lastgood.edge.merge import left_out, other_sides

    findings: list[Finding] = []
    if found.tree.unmerged and not commit:  # not merged yet
        return findings
    ours, others = other_sides(found.root, commit)
    for side in others:
        oids, dropped = left_out(found.root, ours, side, commit, (BASELINES,))
        oids = {path: oid for path, oid in oids.items() if _is_shipped(path) and owner_of(path) in prompt_ids}
        if oids:
            from lastgood.core.merging import lost_findings

            blobs = git.try_blobs(found.root, sorted(set(oids.values())))
            theirs = {
                path: facts_of.read(facts_of.of_path(path), path, blobs[oid])
                for path, oid in oids.items()
                if oid in blobs
            }
            findings += lost_findings(side, theirs, found.tree.entries, dropped)
    return findings


def _roots_gone(left: Mapping[str, str], gone: Mapping[str, str], name: str) -> list[Finding]:
    """Roots (folder → configuration) of the commit called `name` that are none now, while files of theirs are left."""
    return [
        Finding(
            "root-gone",
            OUT_OF_STEP,
            gone[folder],
            f"a configuration that {name} has is gone, so nothing judges what is left of its root: {left[folder]}",
            fix=(
                f"git checkout {quoted(name)} -- {quoted(gone[folder])}",
                f"or git rm -r --ignore-unmatch {quoted(f'{folder}/golden')} {quoted(f'{folder}/baselines')}",
            ),
        )
        for folder in sorted(left)
    ]


def _moves_along(base: str) -> bool:
    """Whether a name says where we are: HEAD, or something counted from it."""
    name = "@" + base[len("HEAD") :] if base.startswith("HEAD") else base
    return name == "@" or (name.startswith(("@~", "@^", "@{", "@@")) and not name.startswith(("@{u", "@{p")))


def _known(start: str) -> str:
    """The commit that a push starts from; "" for the zeros that git writes for a new branch."""
    return "" if set(start) == {"0"} else start


def _is_shipped(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return (path.startswith(GOLDEN) and name == CATALOG) or folder.endswith("/" + MIGRATIONS)


def _facts(root: str, shipped: dict[str, tuple[str, str]]) -> tuple[dict[str, object], dict[str, object]]:
    """The facts of shipped files now (of those that are left), and in the base.

    By oid, not from the survey: that may hold only the prompts which this commit can affect.
    """
    oids = sorted({oid for both in shipped.values() for oid in both if oid})
    blobs = git.read_blobs(root, oids) if oids else {}
    now: dict[str, object] = {}
    before: dict[str, object] = {}
    for path, (old, new) in shipped.items():
        reader = facts_of.of_path(path)
        before[path] = facts_of.read(reader, path, blobs[old])
        if new:
            now[path] = facts_of.read(reader, path, blobs[new])
    return now, before


def ended_roots(
    options: Options, top: str, tree: Tree, names: tuple[str, ...], bases: Sequence[str]
) -> tuple[list[Finding], list[str]]:
    """(findings, notes) of the roots of HEAD, and of the base that others share, that the tree has no more.

    `names` are the roots it has, `bases` what their configurations call the base.
    """
    commit = pushed_ref(options.to_ref)
    asked = options.base or _known(options.from_ref or "")
    shared = [asked] if asked else [_known(os.environ.get("PRE_COMMIT_FROM_REF", "")), *bases, "origin/HEAD"]
    findings: list[Finding] = []
    notes: list[str] = []
    told: set[str] = set()
    for base in dict.fromkeys(filter(None, ["HEAD" * (not commit), *shared])):
        changed = trees.changed_since(top, base, commit, FILES)
        gone = roots.ended(top, changed, names) if changed else {}
        left = {folder: path for folder in gone if (path := _left(tree, folder)) and folder not in told}
        told.update(gone)
        findings += _roots_gone(left, gone, base)
        if base != "HEAD":
            findings += _moved_roots(top, tree, base, commit, [folder for folder in gone if folder not in left], notes)
    ended = told - {finding.path.rpartition("/")[0] for finding in findings if finding.code == "root-gone"}
    moved = " ".join(notes)
    names_ended = [folder or "." for folder in sorted(ended) if f"the root {folder or '.'} moved to" not in moved]
    return findings, [*notes, *(f"the root {name} has ended: nothing of it is left" for name in names_ended)]


def _moved_roots(top: str, tree: Tree, base: str, commit: str, ended: Sequence[str], notes: list[str]) -> list[Finding]:
    """What was shipped by roots that ended, held against the new roots that they moved to: history moves along."""
    findings: list[Finding] = []
    for folder in ended:
        start = f"{folder}/" if folder else ""
        before = trees.changed_since(top, base, commit, (start + GOLDEN, start + BASELINES)) or {}
        shipped = {path[len(start) :]: old for path, (old, _) in before.items() if _is_shipped(path[len(start) :])}
        place = _moved_to(top, tree, base, shipped)
        if place:
            notes.append(f"the root {folder or '.'} moved to {place[:-1]}, and its history with it")
            owners = {owner_of(path[len(place) :]) for path in tree.entries if path.startswith(place + GOLDEN)}
            rows = {path: (old, tree.entries.get(place + path, ("", ""))[1]) for path, old in shipped.items()}
            kept = {path: oids for path, oids in rows.items() if oids[0] != oids[1] and owner_of(path) in owners}
            now, then = _facts(top, kept)
            findings += [_moved(finding, base, start, place) for finding in audit_history(now, then, base)]
    return findings


def _moved_to(top: str, tree: Tree, base: str, shipped: Container[str]) -> str:
    """The root, with its slash, that has most of these files and was none in the base; "" when none has any."""
    found: dict[str, int] = {}
    for path in tree.entries:
        for kind in (GOLDEN, BASELINES):
            before, own, rest = f"/{path}".partition(f"/{kind}")
            if own and before and f"{kind}{rest}" in shipped:
                found[before[1:]] = found.get(before[1:], 0) + 1
    asked = {f"{base}:{folder}/{name}": folder for folder in found for name in FILES}
    for name in git.try_blobs(top, asked):
        found.pop(asked[name], None)
    return max(found, key=lambda folder: found[folder]) + "/" if found else ""


def _moved(finding: Finding, base: str, start: str, place: str) -> Finding:
    """A finding about a root that moved: what is to come back lies where it was."""
    old, new = start + finding.path, place + finding.path
    back = f"git checkout {quoted(base)} -- {quoted(old)} && git mv -f {quoted(old)} {quoted(new)}"
    return replace(finding, path=new, fix=(back,))


def _left(tree: Tree, folder: str) -> str:
    """A golden case or a baseline of a folder that is a root no more, or ""."""
    start = f"{folder}/" if folder else ""
    return next((path for path in tree.entries if path.startswith((start + GOLDEN, start + BASELINES))), "")
