"""The one-file baseline of single-file mode: the last accepted completions of one suite, of one prompt."""

from __future__ import annotations

from lastgood.core import schema, strict_json
from lastgood.core.case import read_golden
from lastgood.core.digest import Normalization, canonical
from lastgood.core.moves import moves
from lastgood.core.sha256 import SHORT
from lastgood.core.trace import Completion, completion_digest
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.core.verdict import OUT_OF_STEP, Finding
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from lastgood.core.case import Case, Golden
    from lastgood.core.judgement import Judgement


@value(frozen=True)
class Accepted:
    """One accepted completion; `source` is its entry as it stands in the file.

    `case_hash`, `normalization` and `completion` are empty or None in an entry of a digest and a sample, as the first
    article's program writes it: its digest can be compared, and nothing else is known of it.
    """

    digest: str
    case_hash: str
    normalization: Normalization | None
    completion: Completion | None
    source: Mapping[str, Any]


@value(frozen=True)
class PairBaseline:
    """What one file holds. `prompt_sha256` is that of the prompt the completions were taken of, "" where not kept."""

    path: str
    prompt_sha256: str
    accepted: dict[str, Accepted]  # by case id

    def digest_of(self, case: Case) -> str:
        """The accepted digest of a case, 64 hex digits, "" for none."""
        found = self.accepted.get(case.id)
        return found.digest if found else ""

    def kinds_of(self, judgement: Judgement) -> tuple[str, ...]:
        """Kinds of move of a judged completion; none where the old one was not kept whole."""
        old = self.accepted.get(judgement.case.id)
        if not old or not old.completion or not judgement.completion or old.digest == judgement.digest:
            return ()
        return moves(old.completion, judgement.completion)


def read_pair_baseline(path: str, data: bytes) -> PairBaseline:
    """Parse a one-file baseline, which may start empty; Malformed with its JSON Pointer otherwise."""
    found = schema.read("pair_baseline", path, data) if data.strip() else {}
    accepted = {case_id: _accepted(entry) for case_id, entry in found.get("cases", {}).items()}
    return PairBaseline(path, found.get("prompt_sha256", ""), accepted)


def _accepted(entry: Mapping[str, Any]) -> Accepted:
    kept = entry.get("completion")
    if kept is None:
        return Accepted(entry["digest"], "", None, None, entry)
    if isinstance(kept, list):
        completion = Completion("\n".join(kept), None)
    else:
        completion = Completion("\n".join(kept["final_text"]), tuple(kept["tool_calls"]))
    return Accepted(entry["digest"], entry["case_hash"], Normalization.of(entry["normalize"]), completion, entry)


def read_suite(path: str, data: bytes) -> Golden:
    """The suite that is asked; Malformed when it is a single case, or asks one case in two versions."""
    golden = read_golden(path, data)
    if golden.form != "suite":
        raise Malformed("is a single case; here a suite is needed: prompt_id, prompt_sha256, cases", path=path)
    seen: set[str] = set()
    for case in golden.cases:
        if case.id in seen:
            raise Malformed(f"asks {case.id!r} in two versions; keep one of them", path=path, pointer=case.pointer)
        seen.add(case.id)
    return golden


def other_prompt(golden: Golden, prompt: str, prompt_sha256: str) -> Finding:
    """That the suite is not of the prompt in the file `prompt`, what the hash is, and where it goes."""
    what = f"is not that of {prompt}" if golden.prompt_sha256 else f"is missing, so nothing says it is of {prompt}"
    mend = f'once its cases fit this prompt, write "prompt_sha256": "{prompt_sha256}" into {golden.path}'
    message = f"{what}; it is the SHA-256 of the prompt file's bytes, 64 hex digits"
    return Finding("suite-pin", OUT_OF_STEP, golden.path, message, pointer="/prompt_sha256", fix=(mend,))


def out_of_step(baseline: PairBaseline, cases: Sequence[Case], prompt_sha256: str) -> tuple[Finding, ...]:
    """Why the accepted completions say nothing of these cases and this prompt; recording anew mends all of it."""
    found: list[Finding] = []

    def add(code: str, message: str, pointer: str) -> None:
        mend = ("read the completions above, then run the same command with --record",)
        found.append(Finding(code, OUT_OF_STEP, baseline.path, message, pointer, fix=mend))

    if baseline.accepted and baseline.prompt_sha256 != prompt_sha256:
        taken = baseline.prompt_sha256[:SHORT] or "a prompt nobody named"
        message = f"the photograph is of a different building: taken of {taken}, the prompt is {prompt_sha256[:SHORT]}"
        add("prompt-moved", message, "/prompt_sha256")
    for case in cases:
        old = baseline.accepted.get(case.id)
        for code, message in _faults(case, old) if old else ():
            add(code, message, _pointer(case.id))
    for case_id in sorted(set(baseline.accepted) - {case.id for case in cases}):
        message = f"holds a completion of {case_id!r}, which is no case any more: it was not asked"
        add("baseline-obsolete", message, _pointer(case_id))
    return tuple(found)


def _faults(case: Case, old: Accepted) -> Iterator[tuple[str, str]]:
    if old.completion is None or old.normalization is None:
        return
    own = completion_digest(old.completion, old.normalization, "")
    if own != old.digest:
        yield "baseline-edited", f"says digest {old.digest[:SHORT]}, its own lines give {own[:SHORT]}: edited by hand"
    if old.case_hash != case.case_hash:
        hashes = f"case_hash {old.case_hash} → {case.case_hash}"
        yield "baseline-stale", f"case {case.id!r} was edited since its completion was accepted ({hashes})"
    if canonical(old.normalization.declared()) != canonical(case.normalization.declared()):
        yield "normalization-moved", f"case {case.id!r} is normalized otherwise than when its completion was accepted"


def _pointer(case_id: str) -> str:
    return f"/cases/{strict_json.escape(case_id)}"


def recorded(baseline: PairBaseline, prompt_sha256: str, judgements: Iterable[Judgement]) -> bytes:
    """The bytes of the baseline that accepts these completions, none of which fails.

    The same completions give the same bytes: an unmoved one keeps its entry, and with it white space no digest sees.
    """
    cases = {}
    for judgement in judgements:
        case, old = judgement.case, baseline.accepted.get(judgement.case.id)
        unmoved = old and old.completion and old.digest == judgement.digest and not list(_faults(case, old))
        cases[case.id] = old.source if old and unmoved else _entry(judgement)
    return strict_json.dump({"prompt_sha256": prompt_sha256, "cases": cases})


def _entry(judgement: Judgement) -> dict[str, Any]:
    completion = judgement.completion
    assert completion is not None
    lines = completion.final_text.split("\n")
    calls = completion.tool_calls
    if calls is not None:  # what came of a call is graded, and never accepted
        calls = tuple({"name": call["name"], "arguments": call["arguments"]} for call in calls)
    return {
        "digest": judgement.digest,
        "case_hash": judgement.case.case_hash,
        "normalize": judgement.case.normalization.declared(),
        "completion": lines if calls is None else {"tool_calls": list(calls), "final_text": lines},
    }
