"""What `record` would write: a pure plan of files, from a judged run to the next migration. Plan, show, apply."""

from __future__ import annotations

from lastgood.core import strict_json
from lastgood.core.baseline import baseline_hash, dump_baseline
from lastgood.core.json_text import members
from lastgood.core.layout import HEAD, MIGRATIONS, baseline_folder
from lastgood.core.migration import Pin, migration_name, of_object, slugify
from lastgood.core.moves import moves
from lastgood.core.sha256 import SHORT
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from lastgood.core.baseline import Baseline
    from lastgood.core.judgement import Judgement
    from lastgood.core.migration import Migration
    from lastgood.core.trace import Completion

# Findings that recording is the answer to. Any other of the same prompt has to be mended first.
MENDED_BY_RECORDING = frozenset(
    {
        "no-baseline",
        "prompt-moved",
        "suite-moved",
        "suite-pin",
        "completer-moved",
        "baseline-missing",
        "baseline-stale",
        "baseline-obsolete",
        "normalization-moved",
    }
)


@value(frozen=True)
class Change:
    """How a baseline would move, before anybody said why."""

    prompt_id: str
    completer: str
    source: Pin | None
    target: Pin
    parents: tuple[Migration, ...]
    moved: dict[str, dict[str, Any]]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    kept: int
    files: dict[str, bytes | None]  # path → new bytes, None to delete; without the migration itself
    models: tuple[str, ...] = ()  # sorted; what the answers said had made them

    @property
    def empty(self) -> bool:
        """Recording this would say nothing new: same pin, same completions, same files, no heads to join."""
        # Another normalization may move no digest and so no pin, but each baseline file says which one it is under.
        return self.source == self.target and not self.files and len(self.parents) < 2


@value(frozen=True)
class Signature:
    """Why, who and when: all that a person adds."""

    reason: str
    accepted_by: str
    accepted_at: str


def change(
    prompt_id: str,
    completer: str,
    pin: tuple[str, str, str],
    judgements: Sequence[Judgement],
    before: Mapping[str, Baseline],
    completions: Mapping[str, Completion],
    parents: Sequence[Migration],
    models: Sequence[str] = (),
    present: Mapping[str, Baseline] | None = None,
) -> Change:
    """The change that accepting `judgements` (all active cases, all answered) makes.

    `pin` is (prompt_sha256, suite_hash, fingerprint); `before` and `completions` are the accepted ones, by case id.
    `present` are those that the files hold, where a merge left others there than `before`.
    """
    folder = baseline_folder(completer, prompt_id)
    files: dict[str, bytes | None] = {}
    moved: dict[str, dict[str, Any]] = {}
    present = before if present is None else present
    for judgement in judgements:
        case, completion = judgement.case, judgement.completion
        assert completion is not None
        old = before.get(case.id)
        if old and old.digest != judgement.digest:
            kinds = list(moves(completions[case.id], completion))
            moved[case.id] = {"from": old.digest[:SHORT], "to": judgement.digest[:SHORT], "moves": kinds}
        held = present.get(case.id)
        # An unmoved completion keeps its bytes: white space that no digest sees must not make a diff either.
        if not held or (held.digest, held.case_hash) != (judgement.digest, case.case_hash) or _renormalized(held, case):
            files[f"{folder}{case.id}.json"] = dump_baseline(case, completion, judgement.digest)
    now = {judgement.case.id for judgement in judgements}
    removed = tuple(sorted(set(before) - now))
    files |= {f"{folder}{case_id}.json": None for case_id in sorted(set(present) - now)}
    triples = [(judgement.case.id, judgement.case.case_hash, judgement.digest) for judgement in judgements]
    return Change(
        prompt_id=prompt_id,
        completer=completer,
        source=parents[0].target if parents else None,
        target=Pin(*pin, baseline_hash(triples)),
        parents=tuple(parents),
        moved=dict(sorted(moved.items())),
        added=tuple(sorted(now - set(before))),
        removed=removed,
        kept=len(now & set(before)) - len(moved),
        files=files,
        models=tuple(models),
    )


def _renormalized(old: Baseline, case: Any) -> bool:
    from lastgood.core.digest import canonical

    return old.normalize != canonical(case.normalization.declared())


def migrate(planned: Change, signature: Signature) -> tuple[str, dict[str, bytes | None]]:
    """(name of the migration, every file to write or delete) that accepts a change."""
    number = max((parent.number for parent in planned.parents), default=0) + 1
    slug = slugify(signature.reason)
    found = {
        "migration": number,
        "slug": slug,
        "parents": [parent.hash for parent in planned.parents],
        "prompt_id": planned.prompt_id,
        "completer": planned.completer,
        "from": planned.source.declared() if planned.source else None,
        "to": planned.target.declared(),
        "moved": planned.moved,
        "added": list(planned.added),
        "removed": list(planned.removed),
        "kept": planned.kept,
        # Absent where nothing was reported, so that no migration of before has another hash.
        **({"models": list(planned.models)} if planned.models else {}),
        "reason": signature.reason,
        "accepted_by": signature.accepted_by,
        "accepted_at": signature.accepted_at,
    }
    folder = baseline_folder(planned.completer, planned.prompt_id)
    path = f"{folder}{MIGRATIONS}/{migration_name(number, slug)}.json"
    head = of_object(path, found).head_line + "\n"
    # HEAD last: until it names the migration, the old state is the one that was accepted.
    files = {**planned.files, path: strict_json.dump(found), folder + HEAD: head.encode("ascii")}
    return migration_name(number, slug), files


def repin(suite: bytes, old: str, new: str) -> bytes:
    """A suite file with its `prompt_sha256` value replaced, and not a byte else."""
    text = suite.decode("utf-8")
    span = members(text).get("prompt_sha256")
    if span is None or strict_json.loads(text[slice(*span)]) != old:
        return suite
    return f'{text[: span[0]]}"{new}"{text[span[1] :]}'.encode()
