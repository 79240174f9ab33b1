"""The audit: facts of one tree, and optionally of its shared base, to findings. Needs no git, file or clock.

Commit hook, CI and `status` are this function over different trees.
"""

from __future__ import annotations

from lastgood.core.chain_audit import Chain, audit_chain
from lastgood.core.facts import Bad, Content
from lastgood.core.layout import CATALOG, golden_folder
from lastgood.core.migration import Migration
from lastgood.core.prompt import prompt_sha256
from lastgood.core.shell import quoted
from lastgood.core.suite_audit import Suite, audit_suite
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import OUT_OF_STEP, Finding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.core.config import Config
    from lastgood.core.layout import Layout, Prompt


@value(frozen=True)
class Audited:
    """What the audit of one prompt found, and what it computed on the way."""

    prompt: Prompt
    prompt_sha256: str
    suite: Suite
    chains: tuple[Chain, ...]
    findings: tuple[Finding, ...]

    def chain(self, completer: str) -> Chain | None:
        """The baseline of one completer, as far as there is one."""
        return next((chain for chain in self.chains if chain.completer == completer), None)


def paths_of(layout: Layout, prompt: Prompt) -> tuple[str, ...]:
    """Every path whose fact the audit of `prompt` looks at (the files of completers apart)."""
    chains = [layout.baselines[pair] for pair in layout.baselines if pair[1] == prompt.prompt_id]
    return prompt.files + layout.golden.get(prompt.prompt_id, ()) + sum(chains, ()) + layout.schemas


def audit_prompt(
    config: Config, layout: Layout, prompt: Prompt, facts: Mapping[str, Any], fingerprints: Mapping[str, str]
) -> Audited:
    """Hold one prompt's files against each other. `fingerprints`: configured completer → its identity in this tree."""
    now = prompt_sha256({path: _content(facts[path]) for path in prompt.files})
    schemas = {path: facts[path] for path in layout.schemas}
    suite = audit_suite(prompt, {path: facts[path] for path in layout.golden.get(prompt.prompt_id, ())}, schemas)
    findings = list(suite.findings)
    chains = []
    completers = _completers(config, layout, prompt)
    if not completers:
        findings.append(_no_completer(config, prompt))
    for completer in completers:
        files = {path: facts[path] for path in layout.baselines.get((completer, prompt.prompt_id), ())}
        chain = audit_chain(prompt, completer, now, suite, fingerprints.get(completer), files)
        chains.append(chain)
        findings.extend(chain.findings)
    findings.extend(
        _suite_pins(prompt, now, suite, moved=any(f.code in ("prompt-moved", "two-heads") for f in findings))
    )
    if not layout.golden.get(prompt.prompt_id):
        findings = [_unguarded(config, prompt)]
    return Audited(prompt, now, suite, tuple(chains), tuple(findings))


def _content(fact: Any) -> str:
    assert isinstance(fact, Content)
    return fact.sha256


def _completers(config: Config, layout: Layout, prompt: Prompt) -> list[str]:
    return list(dict.fromkeys([*config.require, *layout.completers_of(prompt.prompt_id)]))


def _suite_pins(prompt: Prompt, now: str, suite: Suite, *, moved: bool) -> list[Finding]:
    """A suite's own `prompt_sha256`. When a baseline already says that the prompt moved, it would say it twice."""
    return [
        Finding(
            "suite-pin",
            OUT_OF_STEP,
            path,
            "the suite was written for other bytes of this prompt",
            pointer="/prompt_sha256",
            details=(("suite says", pinned[:12]), ("prompt is", now[:12])),
            fix=(
                f"lastgood eval -p {quoted(prompt.prompt_id)}",
                f"lastgood diff -p {quoted(prompt.prompt_id)}",
                f"lastgood record -p {quoted(prompt.prompt_id)} --reason '…'",
                f"git add {' '.join(map(quoted, [*prompt.files, golden_folder(prompt.prompt_id)]))}",
            ),
            prompt_id=prompt.prompt_id,
        )
        for path, pinned in suite.pins.items()
        if pinned != now and not moved
    ]


def _no_completer(config: Config, prompt: Prompt) -> Finding:
    return Finding(
        "no-completer",
        OUT_OF_STEP,
        config.path,
        "no completer has to have a baseline of this prompt, so nothing would notice when it moves",
        pointer="require",
        fix=(f"set commit_completer or require in {config.path}",),
        prompt_id=prompt.prompt_id,
    )


def _unguarded(config: Config, prompt: Prompt) -> Finding:
    return Finding(
        "no-cases",
        OUT_OF_STEP,
        prompt.path,
        "this prompt has no golden cases, so nothing would notice when it moves",
        fix=(
            f"write {golden_folder(prompt.prompt_id)}suite.json, then lastgood catalog ship",
            f"or list it under `unguarded` in {config.path}",
        ),
        prompt_id=prompt.prompt_id,
    )


def audit_history(facts: Mapping[str, Any], base: Mapping[str, Any], name: str) -> list[Finding]:
    """What was shipped must still be there: `base` holds the facts, in the base called `name`, of files that differ.

    Rows may be added or retired, never rewritten or dropped; migrations are never edited or removed.
    """
    findings: list[Finding] = []
    for path, before in sorted(base.items()):
        if isinstance(before, Migration):
            now = facts.get(path)
            if not isinstance(now, Migration) or now.hash != before.hash:
                findings.append(_migration_changed(path, before, name, gone=path not in facts))
        elif path.endswith("/" + CATALOG) and not isinstance(before, Bad):
            findings.extend(_rows_changed(path, before, facts.get(path), name))
    return findings


def _migration_changed(path: str, before: Migration, name: str, *, gone: bool) -> Finding:
    return Finding(
        "migration-removed" if gone else "migration-edited",
        OUT_OF_STEP,
        path,
        f"a shipped migration was {'removed' if gone else 'edited'}; the chain is append-only",
        fix=(f"git checkout {quoted(name)} -- {quoted(path)}",),
        prompt_id=before.prompt_id,
        completer=before.completer,
    )


def _rows_changed(path: str, before: Any, now: Any, name: str) -> list[Finding]:
    if isinstance(now, Bad):  # said already, and nothing can be told of its rows
        return []
    if now is None:
        return [_catalog_gone(path, before, name)]
    rows = {row.key: row for row in now.rows}
    findings = []
    for row in before.rows:
        after = rows.get(row.key)
        if after is None:
            what, code = "was dropped", "row-dropped"
        elif after.case_hash != row.case_hash:
            what, code = f"was rewritten ({row.case_hash} → {after.case_hash})", "row-rewritten"
        elif after.active and not row.active:
            what, code = "was retired and is active again", "row-revived"
        else:
            continue
        findings.append(
            Finding(
                code,
                OUT_OF_STEP,
                path,
                f"the shipped case {row.case_id!r} version {row.version} {what}; a changed contract is a new version",
                fix=(
                    f"git checkout {quoted(name)} -- {quoted(golden_folder(before.prompt_id))}",
                    f"lastgood catalog bump {quoted(row.case_id)} -p {quoted(before.prompt_id)} --reason '…'",
                ),
                prompt_id=before.prompt_id,
            )
        )
    return findings


def _catalog_gone(path: str, before: Any, name: str) -> Finding:
    return Finding(
        "row-dropped",
        OUT_OF_STEP,
        path,
        f"the catalog is gone, and with it {len(before.rows)} shipped case{'s' * (len(before.rows) > 1)}",
        fix=(f"git checkout {quoted(name)} -- {quoted(golden_folder(before.prompt_id))}",),
        prompt_id=before.prompt_id,
    )
