"""`lastgood record`: make the pending run the baseline. Plan, show, ask, apply: all of it or nothing."""

from __future__ import annotations

from contextlib import ExitStack

from lastgood.commands.accepting import Wish, accept, refuse_machine
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD
from lastgood.edge import roots, store
from lastgood.errors import LastgoodError
from lastgood.report.printable import shown_path

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> int:
    """Record; every refusal is an exception, and nothing was written."""
    refuse_machine()
    root = roots.find_root()
    prompts = tuple(options.prompt)
    wish = Wish(options.completer, prompts, options.reason, options.accept, options.merge, options.restore)
    with ExitStack() as stack:
        stack.enter_context(store.locked(root))
        return _resume(root) if options.resume else accept(root, wish, stack)


def _resume(root: str) -> int:
    if not store.interrupted(root):
        raise LastgoodError("no record was interrupted here", fix="lastgood status")
    for path in store.resume(root):
        print(f"wrote {shown_path(path)}")
    return HELD
