"""A prompt that moved without a word of it moving: its line endings, its final newline, its encoding."""

from __future__ import annotations

from lastgood.core.form import moved_form
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.edge import git
from lastgood.edge.history import hashes_to

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.commands.survey import Survey
    from lastgood.core.verdict import Finding


def formed(found: Survey, findings: Iterable[Finding]) -> list[Finding]:
    """The findings; a moved prompt's says so where only its form did."""
    return [_formed(found, finding) if finding.code == "prompt-moved" else finding for finding in findings]


def _formed(found: Survey, finding: Finding) -> Finding:
    audited = found.prompts[finding.prompt_id]
    chain, files = audited.chain(finding.completer), audited.prompt.files
    names = {path: f"HEAD:./{path}" for path in files}
    blobs = git.try_blobs(found.root, names.values())
    held = {path: blobs[name] for path, name in names.items() if name in blobs}
    pinned = chain.tip.target.prompt_sha256 if chain and chain.tip else ""
    if len(held) < len(files) or not hashes_to(held, pinned, found.layout.parts):
        return finding
    now = found.tree.read(files)
    forms = [moved_form(held[path], now[path]) for path in files if held[path] != now[path]]
    if not forms or not all(forms):
        return finding
    moved = dict.fromkeys(name for form in forms for name in form)
    return replace(finding, details=(*finding.details, ("only", f"its {' and '.join(moved)} moved, no word of it")))
