"""The golden half of the audit: case files against their catalog."""

from __future__ import annotations

from lastgood.core.catalog import Catalog, Row
from lastgood.core.facts import Bad, CaseFact, GoldenFact, SchemaFact
from lastgood.core.layout import CATALOG, SCHEMAS, golden_folder
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import CANNOT_TELL, OUT_OF_STEP, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from lastgood.core.layout import Prompt


@value(frozen=True)
class Suite:
    """The cases of one prompt as the tree holds them.

    `cases`: (path, case) in suite order, shipped or not; `active` the keys that are asked; `suite_hash` that of the
    active ones, computed from the objects, not believed from the catalog; `pins`: suite path → its `prompt_sha256`.
    """

    cases: tuple[tuple[str, CaseFact], ...]
    active: tuple[tuple[str, int], ...]
    suite_hash: str
    catalog: Catalog | None
    pins: dict[str, str]
    readable: bool
    findings: tuple[Finding, ...]

    def active_cases(self) -> list[CaseFact]:
        """The cases that are asked, in suite order."""
        active = set(self.active)
        return [case for _, case in self.cases if case.key in active]


def malformed(path: str, bad: Bad, prompt_id: str = "", completer: str = "") -> Finding:
    """The finding of a file that could not be read."""
    return Finding(
        "newer-format" if bad.newer else "malformed",
        CANNOT_TELL,
        path,
        bad.message,
        pointer=bad.pointer,
        fix=(bad.fix,) if bad.fix else (),
        prompt_id=prompt_id,
        completer=completer,
    )


def audit_suite(prompt: Prompt, files: Mapping[str, Any], schemas: Mapping[str, Any]) -> Suite:
    """Hold the golden files of one prompt against its catalog."""
    folder = golden_folder(prompt.prompt_id)
    catalog = files.get(folder + CATALOG)
    golden = {path: fact for path, fact in files.items() if path != folder + CATALOG}
    bad = [malformed(path, fact, prompt.prompt_id) for path, fact in files.items() if isinstance(fact, Bad)]
    cases = [
        (path, case) for path in sorted(golden) if isinstance(golden[path], GoldenFact) for case in golden[path].cases
    ]
    found = catalog if isinstance(catalog, Catalog) else None
    rows = found.rows if found else ()
    retired = {row.key for row in rows if not row.active}
    active = tuple(case.key for _, case in cases if case.key not in retired)
    findings = [
        *bad,
        *_misplaced(prompt, golden),
        *_doubles(prompt, cases, active),
        *_schemas(prompt, cases, schemas),
    ]
    if not bad:
        findings.extend(_rows(prompt, folder, found, cases) if found else _no_catalog(prompt, folder, cases))
    return Suite(
        cases=tuple(cases),
        active=active,
        suite_hash=_suite_hash(cases, active),
        catalog=found,
        pins={path: fact.prompt_sha256 for path, fact in golden.items() if _pinned(fact)},
        readable=not bad,
        findings=tuple(findings),
    )


def _pinned(fact: Any) -> bool:
    return isinstance(fact, GoldenFact) and bool(fact.prompt_sha256)


def _suite_hash(cases: list[tuple[str, CaseFact]], active: tuple[tuple[str, int], ...]) -> str:
    from lastgood.core.sha256 import sha256_hex

    keys = set(active)
    return sha256_hex("".join(case.case_hash for _, case in cases if case.key in keys).encode("ascii"))[:16]


def _misplaced(prompt: Prompt, golden: Mapping[str, Any]) -> Iterable[Finding]:
    for path, fact in golden.items():
        if isinstance(fact, GoldenFact) and fact.prompt_id != prompt.prompt_id:
            yield Finding(
                "misplaced",
                CANNOT_TELL,
                path,
                f"says prompt_id {fact.prompt_id!r}, but lies in the folder of {prompt.prompt_id!r}",
                pointer="/prompt_id",
                fix=(f"git mv {quoted(path)} {quoted(golden_folder(fact.prompt_id))}", "or correct its prompt_id"),
                prompt_id=prompt.prompt_id,
            )


def _doubles(
    prompt: Prompt, cases: list[tuple[str, CaseFact]], active: tuple[tuple[str, int], ...]
) -> Iterable[Finding]:
    from lastgood.core.names import colliding

    seen: dict[tuple[str, int], str] = {}
    asked: dict[str, int] = {}
    current = set(active)
    for path, case in cases:
        if case.key in seen:
            yield _double(
                prompt, path, case, f"is also in {seen[case.key]}", "delete one of the two, or give one a new version"
            )
        elif case.key in current and case.case_id in asked:
            older = asked[case.case_id]
            ship = f"lastgood catalog ship -p {quoted(prompt.prompt_id)} --reason '…'"
            yield _double(prompt, path, case, f"and version {older} are both active; only one can be asked", ship)
        seen[case.key] = path
        if case.key in current:
            asked[case.case_id] = case.version
    for left, right in colliding(sorted({case.case_id for _, case in cases})):
        yield Finding(
            "case-collision",
            CANNOT_TELL,
            golden_folder(prompt.prompt_id),
            f"the case ids {left!r} and {right!r} would be one file on some disks",
            fix=("rename one of them",),
            prompt_id=prompt.prompt_id,
        )


def _double(prompt: Prompt, path: str, case: CaseFact, what: str, fix: str) -> Finding:
    return Finding(
        "case-doubled",
        CANNOT_TELL,
        path,
        f"case {case.case_id!r} version {case.version} {what}",
        pointer=case.pointer,
        fix=(fix,),
        prompt_id=prompt.prompt_id,
    )


def _schemas(prompt: Prompt, cases: list[tuple[str, CaseFact]], schemas: Mapping[str, Any]) -> Iterable[Finding]:
    named: dict[str, list[str]] = {}
    for _, case in cases:
        if case.output_schema:
            named.setdefault(f"{SCHEMAS}{case.output_schema}.json", []).append(case.case_id)
    for path, case_ids in named.items():
        fact = schemas.get(path)
        if isinstance(fact, Bad):
            yield malformed(path, fact, prompt.prompt_id)
        elif not isinstance(fact, SchemaFact):
            more = f" and {len(case_ids) - 1} more" if len(case_ids) > 1 else ""
            yield Finding(
                "schema-missing",
                CANNOT_TELL,
                path,
                f"is not in the tree, and is the output schema of case {case_ids[0]!r}{more}",
                fix=(f"git add {quoted(path)}",),
                prompt_id=prompt.prompt_id,
            )


def _no_catalog(prompt: Prompt, folder: str, cases: list[tuple[str, CaseFact]]) -> list[Finding]:
    if not cases:
        return []
    return [
        Finding(
            "no-catalog",
            OUT_OF_STEP,
            folder + CATALOG,
            f"no catalog: {len(cases)} golden case{'s' * (len(cases) > 1)} of this prompt never shipped",
            fix=("lastgood catalog ship",),
            prompt_id=prompt.prompt_id,
        )
    ]


def _rows(prompt: Prompt, folder: str, catalog: Catalog, cases: list[tuple[str, CaseFact]]) -> Iterable[Finding]:
    by_key = {case.key: (path, case) for path, case in cases}
    path = folder + CATALOG
    if catalog.prompt_id != prompt.prompt_id:
        what = f"is the catalog of {catalog.prompt_id!r}"
        yield Finding("misplaced", CANNOT_TELL, path, what, "/prompt_id", prompt_id=prompt.prompt_id)
    for row in catalog.rows:
        if row.key not in by_key:
            yield _row(
                "case-lost",
                prompt,
                path,
                row,
                "is shipped, but its object is not in the tree",
                (f"git checkout HEAD -- {quoted(folder)}",),
            )
        elif by_key[row.key][1].case_hash != row.case_hash:
            where, case = by_key[row.key]
            which = f"{quoted(row.case_id)} -p {quoted(prompt.prompt_id)}"
            restore = f"lastgood catalog restore {which}" + f" --case-version {row.version}" * (not row.active)
            bump = f"lastgood catalog bump {which} --reason '…'"
            yield _row(
                "case-edited",
                prompt,
                where,
                row,
                f"was edited in place after it shipped (case_hash {row.case_hash} → {case.case_hash})",
                (bump, f"or {restore}") if row.active else (restore,),  # nothing follows what is retired
                case.pointer,
            )
    shipped = {row.key for row in catalog.rows}
    for where, case in cases:
        if case.key not in shipped:
            row = Row(case.case_id, case.version, case.case_hash)
            fix = ("lastgood catalog ship",)
            yield _row("case-unshipped", prompt, where, row, "is not in the catalog yet", fix, case.pointer)
    active = tuple(row.key for row in catalog.rows if row.active)
    believed = _suite_hash([(p, c) for p, c in cases if c.key in shipped], active)
    hashes_agree = all(row.key in by_key and by_key[row.key][1].case_hash == row.case_hash for row in catalog.rows)
    if hashes_agree and catalog.suite_hash != believed:
        yield Finding(
            "catalog-edited",
            OUT_OF_STEP,
            path,
            f"says suite_hash {catalog.suite_hash}, its rows give {believed}: edited by hand, or half merged",
            pointer="/suite_hash",
            fix=("lastgood catalog ship",),
            prompt_id=prompt.prompt_id,
        )
    if not active and all(case.key in shipped for _, case in cases):
        yield Finding(
            "empty-suite",
            CANNOT_TELL,
            path,
            "no case is active: nothing would be checked",
            fix=("write a case, then lastgood catalog ship",),
            prompt_id=prompt.prompt_id,
        )


def _row(code: str, prompt: Prompt, path: str, row: Row, what: str, fix: tuple[str, ...], pointer: str = "") -> Finding:
    message = f"case {row.case_id!r} version {row.version} {what}"
    return Finding(code, OUT_OF_STEP, path, message, pointer, fix=fix, prompt_id=prompt.prompt_id)
