"""A repository in step that exists in memory only, so that the audit is tried without git, file or clock."""

from __future__ import annotations

import json
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from lastgood.commands.survey import Survey, survey
from lastgood.core.acceptance import Signature, change, migrate
from lastgood.core.audit import audit_history
from lastgood.core.case import read_golden
from lastgood.core.catalog import dump_catalog, read_catalog
from lastgood.core.facts import CaseFact, of_path, read
from lastgood.core.judgement import judge
from lastgood.core.shipping import ship
from lastgood.core.trace import Completion
from lastgood.core.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastgood.core.verdict import Finding

Files = dict[str, bytes]

NOWHERE = "/nowhere"  # the root of no work tree: nothing on disk is looked at
CONFIG = """\
    commit_completer = "stub"

    [completers.stub]
    command = ["python3", "stub.py"]
    """
ONE, TWO, HEAD = (f"baselines/stub/billing/{name}" for name in ("one.json", "two.json", "HEAD"))
FIRST, SECOND = (f"baselines/stub/billing/migrations/{name}.json" for name in ("0001_first", "0002_second"))
SUITE, CATALOG, PROMPT = "golden/billing/suite.json", "golden/billing/catalog.json", "prompts/billing.txt"


def dumped(found: Any) -> bytes:
    return (json.dumps(found, indent=2) + "\n").encode("ascii")


def case(case_id: str, version: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": case_id, "version": version, "input": {"order": case_id}, "expect": {"json": True}} | more


def suite(*cases: dict[str, Any], prompt_id: str = "billing", **more: Any) -> bytes:
    return dumped({"prompt_id": prompt_id, **more, "cases": list(cases)})


def plain() -> Files:
    """A prompt, its two cases and its completer; nothing shipped, nothing accepted."""
    return {
        "lastgood.toml": dedent(CONFIG).encode(),
        "stub.py": b"print('{}')\n",
        PROMPT: b"Say paid.\n",
        SUITE: suite(case("one"), case("two")),
    }


def shipped(files: Files, prompt_id: str = "billing", reason: str = "") -> Files:
    """With every case of a prompt in its catalog."""
    path = f"golden/{prompt_id}/catalog.json"
    before = read_catalog(path, files[path]) if path in files else None
    cases = [
        CaseFact(found.id, found.version, found.case_hash, "", "", found.pointer)
        for name in sorted(files)
        if name.startswith(f"golden/{prompt_id}/") and name != path
        for found in read_golden(name, files[name]).cases
    ]
    return {**files, path: dump_catalog(ship(prompt_id, before, cases, {}, reason))}


def accepted(files: Files, said: str = "paid", reason: str = "first", prompt_id: str = "billing") -> Files:
    """With a migration that accepts that the stub says `{"status": said}` to every active case of a prompt."""
    found = look(files)
    audited = found.prompts[prompt_id]
    chain = next((chain for chain in audited.chains if chain.completer == "stub"), None)
    active = set(audited.suite.active)
    golden = [path for path, _ in audited.suite.cases]
    cases = [c for path in dict.fromkeys(golden) for c in read_golden(path, files[path]).cases if c.key in active]
    before = chain.baselines if chain else {}
    planned = change(
        prompt_id,
        "stub",
        (audited.prompt_sha256, audited.suite.suite_hash, found.fingerprints[prompt_id]["stub"]),
        [judge(c, json.dumps({"status": said}), ("", ""), "text", "", {}) for c in cases],
        before,
        dict.fromkeys(before, Completion('{"status": "paid"}', None)),
        [chain.tip] if chain and chain.tip else [],
    )
    _, written = migrate(planned, Signature(reason, "Ada Brandt <ada@example.com>", "2026-12-01T00:00:00Z"))
    return merged(files, written)


def merged(files: Files, changes: Mapping[str, bytes | None]) -> Files:
    """The files with some written, and those that are None removed."""
    found = {**files, **changes}
    return {path: data for path, data in found.items() if data is not None}


def in_step() -> Files:
    """One prompt, two shipped cases, one migration."""
    return accepted(shipped(plain()))


def twice() -> Files:
    """The same after the prompt moved and was accepted again."""
    return accepted({**in_step(), PROMPT: b"Say refunded.\n"}, "refunded", "second")


def look(files: Files) -> Survey:
    return survey(NOWHERE, Tree.of(dict(sorted(files.items()))))


def findings(files: Files) -> tuple[Finding, ...]:
    return look(files).findings


def history(now: Files, base: Files) -> list[Finding]:
    """What the check against a shared base finds, of the files that differ from it."""
    paths = [path for path in base if base[path] != now.get(path) and ("/migrations/" in path or "catalog" in path)]
    facts = {path: read(of_path(path), path, now[path]) for path in paths if path in now}
    return audit_history(facts, {path: read(of_path(path), path, base[path]) for path in paths}, "origin/main")
