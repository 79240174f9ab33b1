"""`lastgood catalog ship | bump | retire | restore`: golden-case migrations."""

from __future__ import annotations

import os

from lastgood.commands.shipped import shared_rows, shipped_text
from lastgood.commands.survey import as_error, chosen, worktree_survey
from lastgood.core import strict_json
from lastgood.core.case import read_golden
from lastgood.core.catalog import dump_catalog
from lastgood.core.digest import value_hash
from lastgood.core.facts import CaseFact
from lastgood.core.json_text import case_spans, inserted_after, with_version
from lastgood.core.layout import CATALOG, golden_folder, owner_of
from lastgood.core.migration import visible_reason
from lastgood.core.shell import quoted
from lastgood.core.shipping import retire, ship
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import CANNOT_TELL, HELD
from lastgood.edge import roots, store
from lastgood.errors import LastgoodError, Refused
from lastgood.report.printable import printable, shown_path
from lastgood.report.speller import Speller

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Sequence

    from lastgood.commands.survey import Survey
    from lastgood.core.audit import Audited
    from lastgood.core.catalog import Catalog, Row

# Findings that stand before shipping, and go away by it.
_MENDED = frozenset({"no-catalog", "case-unshipped", "catalog-edited", "case-edited", "case-lost", "case-doubled"})


def run(options: Namespace) -> int:
    """One act; nothing is written when it is refused."""
    root = roots.find_root()
    with store.locked(root):
        store.refuse_interrupted(root)
        found = worktree_survey(root)
        acts = {"ship": _ship, "bump": _bump, "retire": _retire, "restore": _restore}
        acts[options.act](found, options)
    return HELD


def _ship(found: Survey, options: Namespace) -> None:
    files: dict[str, bytes | None] = {}
    said: list[str] = []
    for audited in chosen(found, options.prompt):
        prompt_id, before = audited.prompt.prompt_id, audited.suite.catalog
        _refuse_unreadable(audited)
        if not audited.suite.cases:
            continue
        cases = [case for _, case in audited.suite.cases]
        after = ship(prompt_id, before, cases, shared_rows(found, prompt_id), _reason(options))
        if dump_catalog(after) != _current(found, prompt_id):
            files[golden_folder(prompt_id) + CATALOG] = dump_catalog(after)
            said += _said(prompt_id, before, after)
    if not files:
        print("nothing to ship: every case is in its catalog")
        return
    store.apply(found.root, files)
    print("\n".join(said))
    _say_next(found, {owner_of(path) for path in files})


def _bump(found: Survey, options: Namespace) -> None:
    audited, row = _find(found, options)
    prompt_id, reason = audited.prompt.prompt_id, _need_reason(options)
    path = _path_of(audited, row)
    text = _on_disk(found, path)
    span = _place(text, row)
    now = text[slice(*span)]
    old = now if value_hash(strict_json.loads(now)) == row.case_hash else _shipped(found, path, row)
    version = max(row.version + 1, strict_json.loads(now).get("version", 1))
    new = with_version(now, version)
    files: dict[str, bytes | None] = {}
    if span == (0, len(text)):
        fresh = f"{path.rpartition('/')[0]}/{row.case_id}.v{version}.json"
        if fresh in found.tree:
            raise Refused("stands in the way of the new version", path=fresh, fix="rename that file")
        files = {path: old.encode("utf-8"), fresh: new.encode("utf-8")}
    else:
        restored = text[: span[0]] + old + text[span[1] :]
        files = {path: inserted_after(restored, (span[0], span[0] + len(old)), new).encode("utf-8")}
    cases = [
        CaseFact(case.id, case.version, case.case_hash, "", "", case.pointer)
        for place in sorted({*found.layout.golden[prompt_id], *files} - {golden_folder(prompt_id) + CATALOG})
        for case in read_golden(place, _bytes(found, files, place)).cases
    ]
    after = ship(prompt_id, audited.suite.catalog, cases, shared_rows(found, prompt_id), reason)
    files[golden_folder(prompt_id) + CATALOG] = dump_catalog(after)
    store.apply(found.root, files)
    print("\n".join(_said(prompt_id, audited.suite.catalog, after)))
    print(f"wrote {', '.join(shown_path(place) for place in files)}")
    if old == now:
        print(f"next: edit version {version} in {shown_path(list(files)[-2])}, then ship it")
        print(f"      {Speller.of(found.root)(f'lastgood catalog ship -p {quoted(prompt_id)}')}")
    else:
        _say_next(found, {prompt_id})


def _retire(found: Survey, options: Namespace) -> None:
    audited, row = _find(found, options)
    catalog = audited.suite.catalog
    assert catalog is not None
    if options.replaced_by and options.replaced_by not in {other.case_id for other in catalog.rows}:
        raise LastgoodError(f"no shipped case {options.replaced_by!r} could replace it", fix="lastgood catalog ship")
    cases = [case for _, case in audited.suite.cases]
    after = retire(catalog, row, cases, _need_reason(options), options.replaced_by)
    store.apply(found.root, {golden_folder(catalog.prompt_id) + CATALOG: dump_catalog(after)})
    print("\n".join(_said(catalog.prompt_id, catalog, after)))
    _say_next(found, {catalog.prompt_id})


def _restore(found: Survey, options: Namespace) -> None:
    """Put the shipped object of a case back, byte for byte, wherever an edit of it stands; nothing else is touched."""
    audited, row = _find(found, options)
    path = _path_of(audited, row)
    text = _on_disk(found, path)
    start, end = _place(text, row)
    if value_hash(strict_json.loads(text[start:end])) == row.case_hash:
        print(f"nothing to restore: {printable(row.case_id)} version {row.version} is as it shipped")
        return
    store.apply(found.root, {path: (text[:start] + _shipped(found, path, row) + text[end:]).encode("utf-8")})
    print(f"restored {printable(row.case_id)} version {row.version} in {shown_path(path)}")


def _say_next(found: Survey, prompt_ids: Iterable[str]) -> None:
    """The cases moved, so their baselines have to follow."""
    which = "".join(f" -p {quoted(prompt_id)}" for prompt_id in sorted(prompt_ids))
    print(f"next: {printable(Speller.of(found.root)(f'lastgood eval{which}'))}")


def _refuse_unreadable(audited: Audited) -> None:
    for finding in audited.suite.findings:
        if finding.verdict == CANNOT_TELL and finding.code not in (*_MENDED, "schema-missing", "empty-suite"):
            raise as_error(finding)


def _find(found: Survey, options: Namespace) -> tuple[Audited, Row]:
    """The shipped case that the command line names: its active row unless a version is given."""
    rows = [
        (audited, row)
        for audited in chosen(found, [options.prompt] if options.prompt else [])
        for row in (audited.suite.catalog.rows if audited.suite.catalog else ())
        if row.case_id == options.case and (row.version == options.case_version if options.case_version else row.active)
    ]
    for audited, _ in rows:
        _refuse_unreadable(audited)
    if not rows:
        raise LastgoodError(f"no shipped active case {options.case!r}", fix="lastgood catalog ship")
    if len(rows) > 1:
        names = ", ".join(audited.prompt.prompt_id for audited, _ in rows)
        raise LastgoodError(f"several prompts have a case {options.case!r}: {names}", fix="name one with -p")
    return rows[0]


def _path_of(audited: Audited, row: Row) -> str:
    """The file of a shipped case: where its key stands, or where a version nobody shipped took its place."""
    places = {case.key: path for path, case in audited.suite.cases}
    if row.key in places:
        return places[row.key]
    for (case_id, version), path in places.items():
        if case_id == row.case_id and version > row.version:
            return path
    raise Refused(
        f"the object of case {row.case_id!r} version {row.version} is not in the tree",
        fix=f"git checkout HEAD -- {quoted(golden_folder(audited.prompt.prompt_id))}",
    )


def _place(text: str, row: Row) -> tuple[int, int]:
    """Where the object of a row stands, or the one that took its place: the newest of that id."""
    objects = {span: strict_json.loads(text[slice(*span)]) for span in case_spans(text)}
    versions = {span: case.get("version", 1) for span, case in objects.items() if case["id"] == row.case_id}
    exact = [span for span, version in versions.items() if version == row.version]
    return exact[0] if exact else max(versions, key=lambda span: versions[span])


def _shipped(found: Survey, path: str, row: Row) -> str:
    old = shipped_text(found.root, path, row)
    if old is None:
        raise Refused(
            f"the shipped object of {row.case_id!r} version {row.version} is in no commit of this file, "
            "so your edit cannot become a new version of it",
            path=path,
            fix="lastgood catalog ship  # it was never committed, so it may still change",
        )
    return old


def _on_disk(found: Survey, path: str) -> str:
    """A file's text with the line endings that it has on disk: what is not changed stays as it is."""
    with open(os.path.join(found.root, path), encoding="utf-8", newline="") as file:
        return file.read()


def _bytes(found: Survey, files: dict[str, bytes | None], path: str) -> bytes:
    planned = files.get(path)
    return found.tree.read([path])[path] if planned is None else planned


def _current(found: Survey, prompt_id: str) -> bytes:
    path = golden_folder(prompt_id) + CATALOG
    if path not in found.tree:
        return b""
    with open(os.path.join(found.root, path), "rb") as file:
        return file.read().replace(b"\r\n", b"\n")


def _reason(options: Namespace) -> str:
    return visible_reason(options.reason)


def _need_reason(options: Namespace) -> str:
    if not _reason(options):
        raise Refused("a changed contract needs a reason", fix="add --reason 'why the contract changed'")
    return _reason(options)


def _said(prompt_id: str, before: Catalog | None, after: Catalog) -> Sequence[str]:
    old = {row.key: row for row in before.rows} if before else {}
    lines = [f"{printable(prompt_id)}: suite {after.suite_hash}"]
    for row in sorted(after.rows, key=lambda row: row.key):
        was = old.get(row.key)
        name = f"{printable(row.case_id)} version {row.version}"
        if was is None:
            lines.append(f"  shipped   {name}  {row.case_hash}")
        elif was.active and not row.active:
            lines.append(f"  retired   {name}: {printable(row.reason)}")
        elif was.case_hash != row.case_hash:
            lines.append(f"  rewritten {name}  {was.case_hash} → {row.case_hash} (nobody shares it yet)")
    return lines
