"""Keeps prompts, golden cases and last-good completions in step. What programs build on: lastgood.api."""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lastgood.api import (
        BROKEN,
        CANNOT_TELL,
        HELD,
        MOVED,
        OUT_OF_STEP,
        Audit,
        Case,
        Comparison,
        Completion,
        Failure,
        Finding,
        LastgoodError,
        Malformed,
        Tree,
        compare,
        digest,
        grade,
        load,
        moved,
        score,
    )

__all__ = [
    "BROKEN",
    "CANNOT_TELL",
    "HELD",
    "MOVED",
    "OUT_OF_STEP",
    "Audit",
    "Case",
    "Comparison",
    "Completion",
    "Failure",
    "Finding",
    "LastgoodError",
    "Malformed",
    "Tree",
    "compare",
    "digest",
    "grade",
    "load",
    "moved",
    "score",
]


def __getattr__(name: str) -> object:
    # A hook imports this package too, and must not pay for what it never asks for.
    if name in __all__:
        from lastgood import api

        found: object = getattr(api, name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
