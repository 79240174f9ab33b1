"""Hashes, byte for byte as documented, so that score files written by others compare."""

from __future__ import annotations

import json
from json.encoder import encode_basestring_ascii as _quoted

from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


def _encoder(*, sort_keys: bool) -> Callable[[Any], str]:
    """Compact JSON, ASCII only. What is hashed was parsed, so nothing in it holds itself.

    JSONEncoder.encode makes the encoder in C anew for every value, which takes as long as a small value does.
    """
    whole = json.JSONEncoder(sort_keys=sort_keys, separators=(",", ":"), check_circular=False)
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:  # an interpreter without it
        return whole.encode
    chunks = make(None, whole.default, _quoted, None, ":", ",", sort_keys, False, True)
    return lambda found: "".join(chunks(found, 0))


_CANONICAL, _COMPACT = _encoder(sort_keys=True), _encoder(sort_keys=False)


def canonical(found: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, ASCII escapes. Hashes are of values, never of layout."""
    return _CANONICAL(found)


def value_hash(found: Any) -> str:
    """First 16 hex digits of SHA-256 of the canonical JSON: case hashes, migration hashes, fingerprints."""
    return sha256_hex(canonical(found).encode("ascii"))[:16]


def joined_hash(hashes: Iterable[str]) -> str:
    """First 16 hex digits of SHA-256 of hashes joined with nothing: the suite hash of case hashes."""
    return sha256_hex("".join(hashes).encode("ascii"))[:16]


@value(frozen=True)
class Normalization:
    """How a completion is made comparable: `replace` rules (pattern, placeholder) first, then `mode`."""

    mode: str = "whitespace"
    replace: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, declared: Any) -> Normalization:
        """From a file's `normalize` value: a mode, or `{"mode", "replace": [{"pattern", "with"}…]}`."""
        if isinstance(declared, str):
            return cls(declared)
        rules = tuple((rule["pattern"], rule["with"]) for rule in declared.get("replace", ()))
        return cls(declared.get("mode", "whitespace"), rules)

    def declared(self) -> Any:
        """The shortest `normalize` value that says this."""
        if not self.replace:
            return self.mode
        return {"mode": self.mode, "replace": [{"pattern": p, "with": w} for p, w in self.replace]}


DEFAULT_NORMALIZATION = Normalization()


def normalize(text: str, how: Normalization = DEFAULT_NORMALIZATION) -> str:
    """The text that is hashed. Nothing here ever strips a preface."""
    for pattern, placeholder in how.replace:
        from lastgood.core.pattern import compiled

        text = compiled(pattern).sub(placeholder, text)
    if how.mode == "exact":
        return text
    if how.mode == "json":
        from lastgood.core import strict_json

        try:
            return canonical(strict_json.loads(text))
        except Malformed:
            pass  # not JSON: compared as text, and left to the grader to fail
    if text.isprintable() and "  " not in text:  # then it holds no white space but single spaces
        return text.strip(" ")
    return " ".join(text.split())  # split leaves none at the ends


def text_digest(text: str, how: Normalization = DEFAULT_NORMALIZATION) -> str:
    """Digest of a text completion, 64 hex digits."""
    return sha256_hex(normalize(text, how).encode("utf-8"))


def _compact(found: dict[str, Any]) -> str:
    """Compact JSON of an object. A string by itself needs no encoder, and most arguments are strings."""
    members = [
        f"{_quoted(key)}:{_quoted(held) if type(held) is str else _COMPACT(held)}" for key, held in found.items()
    ]
    return f"{{{','.join(members)}}}"


def trace_digest(tool_calls: list[dict[str, Any]], final_text: str, how: Normalization = DEFAULT_NORMALIZATION) -> str:
    """Digest of a trace, 64 hex digits: names, arguments in the order given (parsed), and the normalized final text."""
    calls = [f'{{"name":{_quoted(call["name"])},"arguments":{_compact(call["arguments"])}}}' for call in tool_calls]
    whole = f'{{"tool_calls":[{",".join(calls)}],"final_text":{_quoted(normalize(final_text, how))}}}'
    return sha256_hex(whole.encode("ascii"))
