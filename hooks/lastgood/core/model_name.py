"""Names of models: which of them say for certain what answered."""

from __future__ import annotations

import re

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# A date (2024-08-06, 20240806, 0613), a numbered release (v0.2, -002), a digest, or a file of weights.
_PINNED = re.compile(
    r"20\d{2}-?\d{2}-?\d{2}(?!\d)|-\d{3,4}$|(?<![a-z0-9])v\d|@|sha256|(?<![0-9a-f])[0-9a-f]{12,}(?![0-9a-f])"
    r"|\.(?:gguf|safetensors|onnx)$",
    re.IGNORECASE,
)
_ALIAS = re.compile(r"[-:@/]latest$", re.IGNORECASE)


def unpinnable(name: str) -> bool:
    """Whether a model's name is an alias: whoever serves it may put another model behind it without a word."""
    return bool(name) and (bool(_ALIAS.search(name)) or not _PINNED.search(name))


def alias_note(completer: str, name: str) -> str:
    """What is to be said of such a name; "" for one that pins."""
    if not unpinnable(name):
        return ""
    return f"the model {name!r} of {completer} is an alias: no date, digest or version in it says what answers"


def changed_note(prompt_id: str, accepted: Sequence[str], reported: Sequence[str]) -> str:
    """What is to be said when another model answered than was accepted; "" when the same, or when nobody told."""
    if not accepted or not reported or tuple(accepted) == tuple(reported):
        return ""
    return f"{prompt_id} was answered by {', '.join(reported)}; what was accepted came from {', '.join(accepted)}"
