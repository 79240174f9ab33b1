"""One tree, read and audited: what check, stub, status, eval, diff and record all start from."""

from __future__ import annotations

import os

from lastgood.core import facts as facts_of
from lastgood.core.audit import Audited, audit_prompt, paths_of
from lastgood.core.completer import file_like, fingerprint, named_files
from lastgood.core.facts import Bad
from lastgood.core.layout import lay_out, stray_findings
from lastgood.core.prompt import content_sha256
from lastgood.core.scope import is_below, roots
from lastgood.core.shell import quoted
from lastgood.core.suite_audit import malformed
from lastgood.core.tree import DISK, NO_FILES, SYMLINK
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import CANNOT_TELL, Finding
from lastgood.edge.config import config_of
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from lastgood.core.case import Golden
    from lastgood.core.config import Completer, Config
    from lastgood.core.layout import Layout, Prompt
    from lastgood.core.tree import Tree
    from lastgood.edge.memory import Known, Memory


@value(frozen=True)
class Survey:
    """A tree with everything that was found out about it.

    `facts` is by path; `fingerprints` by prompt id, then completer. `prompts` are those that were audited. `golden`, by
    path, are the files of cases that were kept whole.
    """

    root: str
    tree: Tree
    config: Config
    layout: Layout
    facts: dict[str, Any]
    prompts: dict[str, Audited]
    fingerprints: dict[str, dict[str, str]]
    findings: tuple[Finding, ...]
    golden: dict[str, Golden]


def survey(
    root: str, tree: Tree, config: Config | None = None, recall: Recall | None = None, *, whole: bool = False
) -> Survey:
    """Read and audit a tree: all of it, or with `recall` what of it can have changed since a clean check.

    `config` is the tree's own when it is known already. `whole` keeps the cases, for whoever goes on to ask them.
    """
    config = config or config_of(tree)
    scope = recall.scope if recall else None
    layout = lay_out(config, tree.entries, partial=scope is not None)
    commands = {completer.name: named_files(completer, tree.entries) for completer in config.completers}
    golden: dict[str, Golden] = {}
    facts = read_facts(tree, layout, recall, golden if whole else None)
    findings = [*layout.findings, *stray_findings(layout), *untracked_files(root, tree, config)]
    unmerged = tuple(path for path in tree.unmerged if is_below(path, roots(config)))
    unreadable = {finding.prompt_id for finding in layout.findings}
    prompts, identities = {}, {}
    hashes: dict[str, str] | None = None  # of completers' files, where the fingerprints are not remembered
    for prompt in sorted(layout.prompts.values(), key=lambda prompt: prompt.prompt_id):
        prompt_id = prompt.prompt_id
        if prompt_id in unreadable or (scope is not None and prompt_id not in scope):
            continue
        unread = [malformed(path, facts[path], prompt_id) for path in prompt.files if isinstance(facts[path], Bad)]
        if unread:
            findings.extend(unread)
            continue
        known = recall.known(prompt_id) if recall else None
        if not known and hashes is None:
            hashes = contents(tree, {path for files in commands.values() for path in files})
        identities[prompt_id] = known.fingerprints if known else fingerprints(config, prompt_id, commands, hashes or {})
        prompts[prompt_id] = audit_prompt(config, layout, prompt, facts, identities[prompt_id])
        findings.extend(prompts[prompt_id].findings)
    if unmerged:  # what stands beside a conflict may be half of either side: no finding of it is worth a command
        from lastgood.core.merging import unmerged_findings
        from lastgood.edge.merge import kept_side

        findings = unmerged_findings(unmerged, prompts, lambda path: kept_side(root, config.base, path))
    return Survey(root, tree, config, layout, facts, prompts, identities, tuple(dict.fromkeys(findings)), golden)


class Recall:
    """The part of a remembered clean check that still holds: the prompts of `scope` are audited anew."""

    def __init__(self, memory: Memory, scope: frozenset[str]) -> None:
        self.scope = scope
        self._memory = memory
        self._known: dict[str, Known | None] = {}

    def known(self, prompt_id: str) -> Known | None:
        """What is remembered of one prompt, unpacked once."""
        if prompt_id not in self._known:
            self._known[prompt_id] = self._memory.known(prompt_id)
        return self._known[prompt_id]


def read_facts(
    tree: Tree, layout: Layout, recall: Recall | None = None, golden: dict[str, Golden] | None = None
) -> dict[str, Any]:
    """The fact of every file that the audit of `layout`'s prompts looks at; remembered ones are not read again.

    Into `golden` go the files of cases that were read.
    """
    readers: dict[str, Any] = {}
    found: dict[str, Any] = {}
    for prompt in layout.prompts.values():
        known = recall.known(prompt.prompt_id) if recall and prompt.prompt_id in recall.scope else None
        for path in paths_of(layout, prompt):
            entry, fact = known.facts.get(path, ("", None)) if known else ("", None)
            if entry == " ".join(tree.entries[path]):
                found[path] = fact
            else:
                readers[path] = _reader(layout, prompt, path)
    blobs = tree.read(path for path in readers if tree.entries[path][0] not in NO_FILES)
    for path, reader in readers.items():
        if path in blobs:
            found[path] = facts_of.read(reader, path, blobs[path], golden)
        else:
            mode = tree.entries[path][0]
            # On disk it may be in no index: then git has nothing to remove.
            remove = "rm" if tree.name == DISK and mode == SYMLINK else "git rm -f"
            found[path] = Bad(f"is {NO_FILES[mode]}, not a file", fix=f"{remove} {quoted(path)}")
    return found


def _reader(layout: Layout, prompt: Prompt, path: str) -> Any:
    if path not in prompt.files:
        return facts_of.of_path(path)
    return facts_of.of_part(layout.parts[path]) if path in layout.parts else None


def contents(tree: Tree, paths: Iterable[str]) -> dict[str, str]:
    """Path → SHA-256 of what it holds, of the files of completers."""
    files = [path for path in paths if tree.entries[path][0] not in NO_FILES]
    return {path: content_sha256(data) for path, data in tree.read(files).items()}


def fingerprints(
    config: Config, prompt_id: str, files: Mapping[str, tuple[str, ...]], hashes: Mapping[str, str]
) -> dict[str, str]:
    """Configured completer → its identity in this tree, for one prompt."""
    return {
        completer.name: fingerprint(
            completer, prompt_id, {path: hashes[path] for path in files[completer.name] if path in hashes}
        )
        for completer in config.completers
        if not completer.replay
    }


def untracked_files(root: str, tree: Tree, config: Config) -> list[Finding]:
    """Files on disk that a completer's command names and the tree does not hold: a commit would break it."""
    findings = []
    for completer in config.completers:
        for path in file_like(completer):
            if path not in tree and os.path.isfile(os.path.join(root, path)):
                findings.append(_untracked(tree, completer, path))
            elif path in tree and tree.entries[path][0] in NO_FILES:
                findings.append(_no_file(completer, path, NO_FILES[tree.entries[path][0]]))
    return findings


def _no_file(completer: Completer, path: str, kind: str) -> Finding:
    return Finding(
        "completer-mode",
        CANNOT_TELL,
        path,
        f"the completer {completer.name!r} runs this, and it is {kind}: what it runs is not in this commit",
        fix=("name the file itself in the command",),
        completer=completer.name,
    )


def _untracked(tree: Tree, completer: Completer, path: str) -> Finding:
    return Finding(
        "completer-untracked",
        CANNOT_TELL,
        path,
        f"the completer {completer.name!r} runs this file, which is not in {tree.name}",
        fix=(f"git add {quoted(path)}",),
        completer=completer.name,
    )


def identity(found: Survey, completer: Completer, prompt_id: str) -> str:
    """The fingerprint of any completer, configured or given after `--`, in this tree."""
    files = named_files(completer, found.tree.entries)
    return fingerprint(completer, prompt_id, contents(found.tree, files))


def completer_of(config: Config, name: str) -> Completer:
    """The completer of that name, or the one `eval` runs by default; LastgoodError when there is none."""
    wanted = name or config.eval_completer or config.commit_completer
    if not wanted:
        raise LastgoodError(
            "no completer: none is named and none is configured", path=config.path, fix="set eval_completer"
        )
    completer = config.completer(wanted)
    if completer is None:
        known = ", ".join(sorted(completer.name for completer in config.completers)) or "none"
        raise LastgoodError(f"no completer {wanted!r} is configured (there are: {known})", path=config.path)
    return completer


def chosen(found: Survey, prompt_ids: Iterable[str]) -> list[Audited]:
    """The prompts asked for, all of them when none is; LastgoodError for one that is not there, or for nothing."""
    wanted = list(dict.fromkeys(prompt_ids))
    for prompt_id in wanted:
        if prompt_id not in found.prompts:
            from lastgood.core.suggest import known_names

            known = known_names(prompt_id, found.prompts)
            raise LastgoodError(f"no prompt {prompt_id!r} ({known})", fix="lastgood status")
    return [found.prompts[prompt_id] for prompt_id in wanted or found.prompts]


def worktree_survey(root: str) -> Survey:
    """The survey of the working tree as git would store it: where the person's loop starts."""
    from lastgood.edge.config import config_on_disk
    from lastgood.edge.worktree import working_tree

    return survey(root, working_tree(root, config_on_disk(root)), whole=True)


def unreadable(found: Survey, prompts: Iterable[Audited], completer: Completer) -> list[Finding]:
    """What keeps these prompts from being asked: malformed files, collisions, a completer's file that is not there."""
    names = {audited.prompt.prompt_id for audited in prompts}
    names.add("")
    whose = ("", completer.name, completer.origin)
    ours = [f for f in found.findings if f.prompt_id in names and f.completer in whose]
    return [finding for finding in ours if finding.verdict == CANNOT_TELL]


def as_error(finding: Finding) -> LastgoodError:
    """A finding that a command cannot go on with."""
    return LastgoodError(finding.message, path=finding.path, pointer=finding.pointer, fix="".join(finding.fix[:1]))
