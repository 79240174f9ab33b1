"""Golden cases in lastgood's own form already, as both articles have them: suites, cases, one-file baselines."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.acceptance import repin
from lastgood.core.case import read_golden
from lastgood.core.catalog import read_catalog
from lastgood.core.importing.drafts import Loss, Said, Unexpressed
from lastgood.core.layout import CATALOG, golden_folder
from lastgood.core.pairing import read_pair_baseline
from lastgood.core.sha256 import SHORT
from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from lastgood.core.case import Golden
    from lastgood.core.catalog import Catalog
    from lastgood.core.pairing import PairBaseline

_SUITE = "suite.json"
_HEX = frozenset("0123456789abcdef")


@value(frozen=True)
class Copy:
    """One file of golden cases that is taken over as it is: where it lies, and where it goes."""

    source: str
    target: str
    data: bytes
    golden: Golden


@value(frozen=True)
class Native:
    """Files to copy, the catalogs that came with them, completions by (prompt id, case id), and what was left out."""

    copies: tuple[Copy, ...]
    catalogs: Mapping[str, Catalog]
    said: Mapping[tuple[str, str], Said]
    losses: tuple[Loss, ...]


def read(files: Mapping[str, bytes], prompts: Mapping[str, str]) -> Native:
    """What can be taken over of these files; `prompts` is prompt id → prompt_sha256 of those that are here."""
    copies: list[Copy] = []
    losses: list[Loss] = []
    catalogs: dict[str, Catalog] = {}
    baselines: list[PairBaseline] = []
    for path, data in sorted(files.items()):
        name = path.rpartition("/")[2]
        try:
            if name == CATALOG:
                catalog = read_catalog(path, data)
                catalogs[catalog.prompt_id] = catalog
            elif baseline := _baseline(path, data):
                baselines.append(baseline)
            else:
                copies.append(_copy(path, data, prompts))
                losses += _of_another_prompt(copies[-1], prompts)
        except (Malformed, Unexpressed) as exc:
            losses.append(Loss(path, exc.pointer, name, exc.what))
    said, unsaid = _said(baselines, copies, prompts)
    return Native(tuple(copies), catalogs, said, (*losses, *unsaid))


def _baseline(path: str, data: bytes) -> PairBaseline | None:
    """A one-file baseline, which may be empty; None when the file is something else."""
    found = nesting.loads(data) if data.strip() else {}
    if not isinstance(found, dict):
        raise Unexpressed("is no golden case, no suite and no baseline")
    if "scores" in found and "suite_hash" in found:
        raise Unexpressed("is a score document: it says what held, and holds no completion")
    if found.keys() <= {"prompt_sha256", "cases"} and isinstance(found.get("cases", {}), dict):
        return read_pair_baseline(path, data)
    if not found.keys() & {"cases", "expect", "assertions"}:
        raise Unexpressed("is no golden case, no suite and no baseline")
    return None


def _copy(path: str, data: bytes, prompts: Mapping[str, str]) -> Copy:
    golden = read_golden(path, data)
    if golden.prompt_id not in prompts:
        known = ", ".join(sorted(prompts)) or "none"
        raise Unexpressed(f"is of the prompt {golden.prompt_id!r}, which is not here (there are: {known})")
    name = path.rpartition("/")[2]
    if golden.form == "suite" and name in ("golden.json", "cases.json"):
        name = _SUITE
    if name.startswith("."):
        raise Unexpressed("is hidden, and hidden files are passed over")
    if golden.prompt_sha256 is not None and not _is_sha256(golden.prompt_sha256):  # a text that says what to put here
        data = repin(data, golden.prompt_sha256, prompts[golden.prompt_id])
        golden = read_golden(path, data)
    return Copy(path, golden_folder(golden.prompt_id) + name, data, golden)


def _of_another_prompt(copy: Copy, prompts: Mapping[str, str]) -> Iterable[Loss]:
    pinned, now = copy.golden.prompt_sha256, prompts[copy.golden.prompt_id]
    if pinned and pinned != now:
        why = (
            f"names {pinned[:SHORT]}, and the prompt here is {now[:SHORT]}: `lastgood record` rewrites it once accepted"
        )
        yield Loss(copy.source, "/prompt_sha256", "prompt_sha256", why)


def _is_sha256(text: str) -> bool:
    return len(text) == 64 and set(text) <= _HEX


def _said(
    baselines: Iterable[PairBaseline], copies: Iterable[Copy], prompts: Mapping[str, str]
) -> tuple[dict[tuple[str, str], Said], list[Loss]]:
    cases = {case.id: case for copy in copies for case in copy.golden.cases}
    said: dict[tuple[str, str], Said] = {}
    losses = []
    for baseline in baselines:
        for case_id, accepted in baseline.accepted.items():
            case, pointer = cases.get(case_id), f"/cases/{escape(case_id)}"
            completion = accepted.completion
            if case is None:
                why = "is of no case that is imported here"
            elif completion is None:
                why = "only a digest and a sample were kept, and a baseline is the whole completion: ask it anew"
            elif baseline.prompt_sha256 != prompts[case.prompt_id]:
                why = f"was taken of another prompt, {baseline.prompt_sha256[:SHORT] or 'which it does not name'}"
            elif accepted.case_hash != case.case_hash:
                why = "was accepted of the case as it was before an edit"
            else:
                said[case.prompt_id, case_id] = Said(completion.final_text, completion.tool_calls)
                continue
            losses.append(Loss(baseline.path, pointer, "baseline", why))
    return said, losses


def prompt_ids(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The prompts that these files say they are of."""
    found: list[Any] = []
    for data in files.values():
        try:
            document = nesting.loads(data)
        except Malformed:
            continue
        found += [document["prompt_id"]] if isinstance(document, dict) and "prompt_id" in document else []
    return tuple(dict.fromkeys(one for one in found if isinstance(one, str)))
