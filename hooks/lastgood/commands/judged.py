"""What the judgement is held against: the base that others share."""

from __future__ import annotations

import os

from lastgood.core import facts as facts_of
from lastgood.core.audit import audit_history
from lastgood.core.layout import (
    BASELINES,
    CATALOG,
    GOLDEN,
    MIGRATIONS,
    owner_of,
)
from lastgood.core.merging import lost_findings
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, Finding
from lastgood.edge import git, trees
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Container

    from lastgood.commands.options import Options
    from lastgood.commands.survey import Survey


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
            kept = {path: oids for path, oids in changed.items() if _is_shipped(path) and owner_of(path) in prompt_ids}
            now, before = _facts(found.root, kept)
            return [*lost, *audit_history(now, before, base)], []
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
            blobs = git.try_blobs(found.root, sorted(set(oids.values())))
            theirs = {
                path: facts_of.read(facts_of.of_path(path), path, blobs[oid])
                for path, oid in oids.items()
                if oid in blobs
            }
            findings += lost_findings(side, theirs, found.tree.entries, dropped)
    return findings


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
