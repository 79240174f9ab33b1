"""`lastgood complete`: the shipped completers, commands like any other, of which the grader knows nothing."""

from __future__ import annotations

from importlib import import_module

from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> int:
    """Answer what stdin asks. Under protocol `lines` a request without an answer is told so, and the exit is 0."""
    import_module(f"lastgood.commands.complete_{options.kind}").serve_requests(options)
    return HELD
