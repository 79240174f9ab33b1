"""What lies on disk and was not judged: it may be all that a finding misses, or a surprise."""

from __future__ import annotations

import os

from lastgood.core import facts as facts_of
from lastgood.core import glob
from lastgood.core.completer import file_like, named_files
from lastgood.core.layout import MIGRATIONS, baseline_folder, golden_folder
from lastgood.core.migration import Migration, read_migration
from lastgood.core.putting_back import place_of, put_back
from lastgood.core.shell import quoted
from lastgood.core.staging import IGNORED, holds, only_staged, places_of
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.edge import git
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lastgood.commands.survey import Survey
    from lastgood.core.verdict import Finding

_STATES = {"?": "untracked", "C": "edited, not staged", "R": "deleted, not staged"}
_NOTED = 5


def advised(found: Survey, findings: Sequence[Finding]) -> tuple[tuple[Finding, ...], list[str]]:
    """(findings, notes): findings that the disk has mended already say what to stage; notes name the rest."""
    findings = [_of_another_completer(found, finding) for finding in from_head(found, findings)]
    places = {finding: _places(found, finding) for finding in findings if finding.prompt_id}
    left = left_out(found.root, {place for some in places.values() for place in some}) if places else {}
    notes = []
    if places:
        from lastgood.edge import store

        if store.interrupted(found.root):
            notes.append("a record was interrupted here and is half written: lastgood record --resume")
    mended = _mended(found, places, left) if left and not notes else {}
    picked = os.path.basename(os.environ.get("GIT_INDEX_FILE", "")).startswith("next-index")
    said = tuple(
        only_staged(finding, places[finding], left, whole=mended[finding], picked=picked)
        if finding in mended
        else finding
        for finding in findings
    )
    covered = [place for finding in mended for place in places[finding]]
    rest = [path for path in left if not any(holds(place, path) for place in covered)]
    notes += [_note(path, left[path]) for path in rest[:_NOTED]]
    if len(rest) > _NOTED:
        notes.append(f"and {len(rest) - _NOTED} more files are on disk but not in the index: git status")
    if not os.environ.get("GIT_INDEX_FILE"):  # during a commit, leaving edits out is what staging is for
        notes += _edited_prompts(found, covered)
    return said, notes


def from_head(found: Survey, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings; where HEAD holds what is gone from the tree, putting it back is their cure."""
    places = sorted({place for place in map(place_of, findings) if place})
    if not places:
        return tuple(findings)
    listed = git.attempt("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", *places, root=found.root)
    held = [path for path in listed.out.decode("utf-8", "surrogateescape").split("\0") if path]
    return put_back(findings, held, found.tree.entries)


def _of_another_completer(found: Survey, finding: Finding) -> Finding:
    """A completer that moved in no file of this tree, but in those that the newest migration was made with."""
    completer = found.config.completer(finding.completer) if finding.code == "completer-moved" else None
    chain = found.prompts[finding.prompt_id].chain(finding.completer) if completer else None
    tip = chain.tip if chain else None
    if not completer or not tip or not tip.source:
        return finding
    if tip.source.completer != found.fingerprints[finding.prompt_id].get(finding.completer):
        return finding
    files = [found.config.path, *named_files(completer, found.tree.entries)]
    return replace(
        finding,
        message=f"{tip.name} was made with a completer {completer.name!r} that is not in {found.tree.name}: "
        "what moved it is not staged",
        details=(*finding.details, ("not staged", " or ".join(files))),
        fix=(f"git add {' '.join(map(quoted, files))}",),
    )


def _places(found: Survey, finding: Finding) -> tuple[str, ...]:
    audited = found.prompts.get(finding.prompt_id)
    places = list(places_of(audited)) if audited else [golden_folder(finding.prompt_id)]
    if finding.completer and not audited:
        places.append(baseline_folder(finding.completer, finding.prompt_id))
    completer = found.config.completer(finding.completer) if finding.code == "completer-moved" else None
    return (*places, *file_like(completer)) if completer else tuple(places)


def _mended(found: Survey, places: Mapping[Finding, Sequence[str]], left: Mapping[str, str]) -> dict[Finding, bool]:
    """The findings that staging what is left out would mend; True where more may be left out than can be seen."""
    from lastgood.commands.survey import worktree_survey

    touched = [f for f, some in places.items() if any(holds(place, path) for place in some for path in left)]
    if not touched:
        return {}
    try:
        disk = worktree_survey(found.root)
    except LastgoodError:
        return {}
    if any(finding.code == "unmerged" for finding in disk.findings):  # staging would call markers resolved
        return {}
    wrong = {finding.prompt_id for finding in disk.findings}
    still = {(finding.code, finding.path, finding.message) for finding in disk.findings}
    mended = {finding: False for finding in touched if finding.prompt_id not in wrong}
    # A case that git was not given: whatever else is wrong with the prompt, this is not.
    mended |= {f: False for f in touched if not f.completer and (f.code, f.path, f.message) not in still}
    # What git ignores is not in the working tree as git would store it either.
    ignored = [path for path, state in left.items() if state == IGNORED]
    mended |= {f: False for f in touched if any(holds(place, path) for place in places[f] for path in ignored)}
    # A manager hides edits of tracked files while its hooks run: then only the new migration is on disk.
    rest = [f for f in touched if f not in mended]
    hidden = [f for f in rest if f.prompt_id in wrong and f.completer and _recorded(found, f, left)]
    return mended | dict.fromkeys(hidden, True)


def _recorded(found: Survey, finding: Finding, left: Mapping[str, str]) -> bool:
    """Whether a migration to just this prompt and these cases lies on disk, and git does not know it."""
    audited = found.prompts.get(finding.prompt_id)
    folder = f"{baseline_folder(finding.completer, finding.prompt_id)}{MIGRATIONS}/"
    for path in left:
        if path.startswith(folder) and left[path] != _STATES["R"]:
            try:
                with open(os.path.join(found.root, path), "rb") as file:
                    fact = facts_of.read(read_migration, path, file.read())
            except OSError:  # a link that leads nowhere, a repository of its own: no migration, and not in the index
                continue
            if audited and isinstance(fact, Migration) and fact.target.prompt_sha256 == audited.prompt_sha256:
                return fact.target.suite_hash == audited.suite.suite_hash
    return False


def left_out(root: str, places: Iterable[str]) -> dict[str, str]:
    """Path → state of every file in these places whose bytes on disk are not the index's."""
    specs = [":(literal)" + place for place in sorted(places)]
    flags = ("-z", "-t", "--others", "--modified", "--deleted")
    done = git.attempt("ls-files", *flags, "--", *specs, root=root)
    rows = sorted(set(done.out.decode("utf-8", "surrogateescape").split("\0")) - {""}) if not done.code else []
    states = {path: _STATES.get(tag, "") for tag, _, path in (row.partition(" ") for row in rows)}
    if "untracked" in states.values():
        ignored = git.attempt("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", *specs, root=root)
        states |= dict.fromkeys(filter(None, ignored.out.decode("utf-8", "surrogateescape").split("\0")), IGNORED)
    return {path: state for path, state in states.items() if state}


def _note(path: str, state: str) -> str:
    flag = "-f " * (state == IGNORED)
    return f"{path} is on disk but not in the index ({state}): git add {flag}it if it belongs to this commit"


def _edited_prompts(found: Survey, covered: Sequence[str]) -> list[str]:
    config = found.config
    patterns = [*config.prompts, *(pattern for row in config.declared for pattern in row.files)]
    matchers = [glob.matcher(pattern) for pattern in patterns]
    specs = [":(literal)" + (glob.fixed_part(pattern) or ".") for pattern in patterns]
    # Not diff-files: a file that was only touched is not edited.
    flags = ("--name-only", "-z", "--no-ext-diff", "--no-renames", "--relative", "--ignore-submodules=all")
    done = git.attempt("diff", *flags, "--", *specs, root=found.root)
    edited = {path for path in done.out.decode("utf-8", "surrogateescape").split("\0") if path}
    prompts = sorted(path for path in edited - set(covered) if any(matches(path) for matches in matchers))
    return [f"{path} has edits that are not staged; {found.tree.name} was judged" for path in prompts]
