"""Baseline files: one accepted completion each, as lines, so that a pull request shows a readable diff."""

from __future__ import annotations

from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.core.case import Case
    from lastgood.core.trace import Completion


@value(frozen=True)
class Baseline:
    """The accepted completion of one case, with the digest it declares and the one its own lines give."""

    case_id: str
    version: int
    case_hash: str
    declared_digest: str
    digest: str
    normalize: str  # canonical JSON of the normalization it was digested under

    @property
    def triple(self) -> tuple[str, str, str]:
        return self.case_id, self.case_hash, self.digest


def dump_baseline(case: Case, completion: Completion, digest: str) -> bytes:
    """The bytes of a baseline file. Nothing in it depends on who records it, when or where."""
    from lastgood.core import strict_json

    found = {
        "case": case.id,
        "version": case.version,
        "case_hash": case.case_hash,
        "digest": digest,
        "normalize": case.normalization.declared(),
    }
    lines = completion.final_text.split("\n")
    if completion.tool_calls is None:
        found["text"] = lines
    else:
        found["tool_calls"] = [{"name": call["name"], "arguments": call["arguments"]} for call in completion.tool_calls]
        found["final_text"] = lines
    return strict_json.dump(found)


def read_completion_of(path: str, data: bytes) -> Completion:
    """The accepted completion that a baseline file holds; Malformed otherwise."""
    from lastgood.core import schema

    return _completion(schema.read("baseline", path, data))


def completion_of(data: bytes) -> Completion:
    """The accepted completion in bytes that are known to be a baseline file: the audit has read these very ones."""
    from lastgood.core import strict_json

    return _completion(strict_json.loads(data))


def read_baseline(path: str, data: bytes) -> Baseline:
    """Parse a baseline file and digest its lines anew; Malformed with its JSON Pointer otherwise."""
    from lastgood.core import schema
    from lastgood.core.digest import Normalization, canonical
    from lastgood.core.trace import completion_digest

    found = schema.read("baseline", path, data)
    schema.whole(found["version"], path, "/version")
    how = Normalization.of(found["normalize"])
    return Baseline(
        case_id=found["case"],
        version=found["version"],
        case_hash=found["case_hash"],
        declared_digest=found["digest"],
        digest=completion_digest(_completion(found), how, ""),
        normalize=canonical(how.declared()),
    )


def _completion(found: dict[str, object]) -> Completion:
    from lastgood.core.trace import Completion

    lines: list[str] = found.get("text", found.get("final_text"))  # type: ignore[assignment]  # the schema said so
    calls = found.get("tool_calls")
    return Completion("\n".join(lines), None if calls is None else tuple(calls))  # type: ignore[arg-type]  # likewise


def baseline_hash(triples: Iterable[tuple[str, str, str]]) -> str:
    """Hash of the sorted (case id, case_hash, digest) triples: a hand-edited, lost or half-merged baseline shows.

    It is `value_hash` of their list, written out so that a commit hook need not import json.
    """
    rows = [f"[{','.join(map(_quoted, triple))}]" for triple in sorted(triples)]
    return sha256_hex(f"[{','.join(rows)}]".encode("ascii"))[:16]


def _quoted(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json

    return json.dumps(text)
