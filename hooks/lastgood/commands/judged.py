"""Which tree is judged, against which shared base, and what on disk the judgement left out."""

from __future__ import annotations

import os

from lastgood.core import facts as facts_of
from lastgood.core.audit import audit_history
from lastgood.core.layout import BASELINES, CATALOG, GOLDEN, MIGRATIONS, baseline_folder, golden_folder
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, Finding
from lastgood.edge import git
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.commands.check import Options
    from lastgood.commands.survey import Survey
    from lastgood.core.tree import Tree


def pushed_ref(to_ref: str = "") -> str:
    """The commit to judge instead of the index: asked for, or named by a manager at pre-push; "" for none."""
    return to_ref or os.environ.get("PRE_COMMIT_TO_REF", "")


def judged_tree(root: str, to_ref: str = "") -> Tree:
    """The tree of a pushed commit, else of the index: never argv, never the disk."""
    commit = pushed_ref(to_ref)
    if commit:
        return git.tree(root, f"commit {commit[:12]}", git.commit_listing(root, commit))
    return git.tree(root, "the index", git.index_listing(root))


def history(options: Options, found: Survey) -> tuple[list[Finding], list[str]]:
    """(findings, notes) of the check that nothing shipped was rewritten, against a base others share."""
    commit = pushed_ref(options.to_ref)
    asked = options.base or options.from_ref
    candidates = [asked] if asked else [_pushed_from(), found.config.base, "origin/HEAD"]
    for base in filter(None, candidates):
        changed = git.changed_since(found.root, base, commit, (GOLDEN, BASELINES))
        if changed is not None:
            shipped = {path: oid for path, oid in changed.items() if _is_shipped(path)}
            return audit_history(found.facts, _read(found.root, shipped)), []
    if asked:
        raise LastgoodError(f"the base {asked!r} is no commit here", fix="git fetch")
    names = " nor ".join(filter(None, candidates))
    why = (
        f"no shared base here: neither {names}" if len(names.split(" nor ")) > 1 else f"no shared base here: no {names}"
    )
    if found.config.require_base:
        fix = (f"git fetch origin, or name one with --base (configured: {found.config.base or 'none'})",)
        return [Finding("no-base", CANNOT_TELL, found.config.path, f"{why}, and require_base is set", fix=fix)], []
    return [], [f"history check skipped: {why}"]


def _pushed_from() -> str:
    start = os.environ.get("PRE_COMMIT_FROM_REF", "")
    return "" if set(start) == {"0"} else start  # all zeros: a new branch, nothing was pushed before


def _is_shipped(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return (path.startswith(GOLDEN) and name == CATALOG) or folder.endswith("/" + MIGRATIONS)


def _read(root: str, shipped: dict[str, str]) -> dict[str, object]:
    if not shipped:
        return {}
    blobs = git.read_blobs(root, sorted(set(shipped.values())))
    return {path: facts_of.read(facts_of.of_path(path), path, blobs[oid]) for path, oid in shipped.items()}


def warnings(found: Survey, findings: Iterable[Finding]) -> list[str]:
    """What lies on disk and was not judged: named where it could be what a finding misses, or surprises."""
    if pushed_ref():
        return []
    folders: list[str] = []
    for finding in findings:
        if finding.completer and finding.prompt_id:
            folders.append(baseline_folder(finding.completer, finding.prompt_id))
        elif finding.prompt_id:
            folders.append(golden_folder(finding.prompt_id))
    notes = _left_out(found.root, dict.fromkeys(folders)) if folders else []
    if not os.environ.get("GIT_INDEX_FILE"):  # during a commit, leaving edits out is what staging is for
        notes += _edited_prompts(found)
    return notes


_STATES = {"??": "untracked", "!!": "ignored by git"}


def _left_out(root: str, folders: Iterable[str]) -> list[str]:
    specs = [":(top,literal)" + folder for folder in folders]
    flags = ("--porcelain=v1", "-z", "-uall", "--ignored=matching", "--no-renames")
    done = git.attempt("status", *flags, "--", *specs, root=root)
    rows = done.out.decode("utf-8", "surrogateescape").split("\0") if not done.code else []
    notes = []
    for row in filter(None, rows):
        state = _STATES.get(row[:2]) or ({"M": "edited, not staged", "D": "deleted, not staged"}.get(row[1]))
        if state:
            verb = "git add -f" if row[:2] == "!!" else "git add"
            notes.append(f"{row[3:]} is on disk but not in the index ({state}): {verb} it if it belongs to this commit")
    return notes


def _edited_prompts(found: Survey) -> list[str]:
    paths = sorted({path for prompt in found.layout.prompts.values() for path in prompt.files})
    if not paths:
        return []
    specs = [":(top,literal)" + path for path in paths]
    # Long lists of names do not fit a command line; git filters by folder, we by name.
    specs = specs if len(specs) < 200 else [":(top)"]
    done = git.attempt("diff-files", "--name-only", "-z", "--no-relative", "--", *specs, root=found.root)
    edited = set(done.out.decode("utf-8", "surrogateescape").split("\0"))
    return [f"{path} has edits that are not staged; {found.tree.name} was judged" for path in paths if path in edited]
