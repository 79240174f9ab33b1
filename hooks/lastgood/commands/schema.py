"""`lastgood schema`: the JSON Schema of a file kind, for editors and for other programs that write such files."""

from __future__ import annotations

import sys

from lastgood.core.published import published
from lastgood.core.strict_json import dump
from lastgood.core.value import TYPE_CHECKING
from lastgood.core.verdict import HELD

if TYPE_CHECKING:
    from argparse import Namespace


def run(options: Namespace) -> int:
    """Print it, whole in itself; LastgoodError, naming the kinds, when there is no such kind."""
    sys.stdout.write(dump(published(options.kind)).decode("utf-8"))
    return HELD
