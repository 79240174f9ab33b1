"""What was shipped before: rows that others share, and case objects as git's history still holds them."""

from __future__ import annotations

from lastgood.core import facts as facts_of
from lastgood.core import strict_json
from lastgood.core.catalog import Catalog
from lastgood.core.changes import changes
from lastgood.core.digest import value_hash
from lastgood.core.json_text import case_spans
from lastgood.core.layout import CATALOG, golden_folder
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.edge import git
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lastgood.commands.survey import Survey
    from lastgood.core.catalog import Row
    from lastgood.core.facts import CaseFact
    from lastgood.core.verdict import Finding

_COMMITS = 200  # how far back an edited case is looked for


def shared_rows(found: Survey, prompt_id: str) -> dict[tuple[str, int], str]:
    """Rows of the base that others share (key → case hash); without one, what HEAD holds counts as shared."""
    path = golden_folder(prompt_id) + CATALOG
    bases = [base for base in (found.config.base, "origin/HEAD") if base]
    known = git.try_blobs(found.root, [f"{base}^{{commit}}" for base in bases])
    base = next((base for base in bases if f"{base}^{{commit}}" in known), "HEAD")
    name = f"{base}:./{path}"
    blob = git.try_blobs(found.root, [name]).get(name)
    catalog = facts_of.read(facts_of.of_path(path), path, blob) if blob is not None else None
    return {row.key: row.case_hash for row in catalog.rows} if isinstance(catalog, Catalog) else {}


def shipped_text(root: str, path: str, row: Row) -> str | None:
    """The text of the case object of `row` as git's history of `path` holds it, known by its hash; None if it does not.

    In case form it is the whole file.
    """
    done = git.attempt("log", f"-n{_COMMITS}", "--format=%H", "HEAD", "--", f":(literal){path}", root=root)
    commits = done.out.decode("ascii").split() if not done.code else []
    blobs = git.try_blobs(root, [f"{commit}:./{path}" for commit in ["HEAD", *commits]])
    for data in blobs.values():
        try:
            strict_json.loads(data)
        except Malformed:
            continue
        text = data.decode("utf-8")
        for start, end in case_spans(text):
            if value_hash(strict_json.loads(text[start:end])) == row.case_hash:
                return text[start:end]
    return None


def edited(found: Survey) -> Iterator[tuple[str, CaseFact, Row]]:
    """(path, case as it is now, its row) of every shipped case that was edited in place."""
    for audited in found.prompts.values():
        rows = {row.key: row for row in audited.suite.catalog.rows} if audited.suite.catalog else {}
        for path, case in audited.suite.cases:
            if case.key in rows and rows[case.key].case_hash != case.case_hash:
                yield path, case, rows[case.key]


def explained(found: Survey, findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those of edited cases with the fields that changed."""
    places = {(path, case.pointer): row for path, case, row in edited(found)}
    return [
        replace(finding, details=_fields(found, finding, places[finding.path, finding.pointer]))
        if finding.code == "case-edited"
        else finding
        for finding in findings
    ]


def _fields(found: Survey, finding: Finding, row: Row) -> tuple[tuple[str, str], ...]:
    old = shipped_text(found.root, finding.path, row)
    whole = strict_json.loads(found.tree.read([finding.path])[finding.path])
    if old is None:
        return ()
    now = strict_json.resolve(whole, finding.pointer)
    return tuple(
        ("changed", f"{pointer[1:].replace('/', '.')}: {how}") for pointer, how in changes(strict_json.loads(old), now)
    )
