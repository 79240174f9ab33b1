"""`lastgood.mk`: Make targets that stand beside those of a Makefile that exists."""

from __future__ import annotations

import re

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "lastgood.mk"
_SELECT = '$${LASTGOOD_COMPLETER:+-c "$$LASTGOOD_COMPLETER"} $${LASTGOOD_PROMPT:+-p "$$LASTGOOD_PROMPT"}'
_RECIPES = {
    "check": "check --all",
    "eval": f'eval {_SELECT} $${{LASTGOOD_CASE:+-k "$$LASTGOOD_CASE"}} $${{LASTGOOD_JOBS:+-j "$$LASTGOOD_JOBS"}}',
    "diff": f"diff {_SELECT}",
    "review": f"review {_SELECT}",
    "record": f"record {_SELECT} "
    '$${LASTGOOD_REASON:+--reason "$$LASTGOOD_REASON"} $${LASTGOOD_ACCEPT:+--accept "$$LASTGOOD_ACCEPT"}',
    "status": 'status $${LASTGOOD_PROMPT:+-p "$$LASTGOOD_PROMPT"}',
    "log": 'log $${LASTGOOD_PROMPT:+"$$LASTGOOD_PROMPT"}',
    "report": f"report {_SELECT}",
    "prove": "prove",
}
_RULE = re.compile(r"^(?P<names>[^\s:=#$][^:=#$]*?)[ \t]*&?::?(?!=)", re.MULTILINE)
_PHONY = re.compile(r"^\.PHONY[ \t]*:(?P<names>(?:[^\n\\]|\\\r?\n)*)", re.MULTILINE)
_INCLUDE = re.compile(r"^[ \t]*-?s?include[ \t]+(?:.*[ \t])?(?:\./)?lastgood\.mk\b", re.MULTILINE)
_HEAD = """\
# Targets of lastgood, written by `lastgood init`. Each is lastgood-<command>; the short names are those that were free.
# make eval PROMPT=<id> CASE=<id> COMPLETER=<name> JOBS=<n>      make record REASON='why' ACCEPT=<token>

LASTGOOD ?= lastgood

# Only what was typed counts, as it was typed: a REASON may hold quotes, $ and backticks. Your own variables of these
# names stay yours.
$(foreach name,COMPLETER PROMPT CASE JOBS REASON ACCEPT,$(eval export LASTGOOD_$(name) := \\
$(if $(filter command,$(origin $(name))),$$(value $(name)))))
"""


def taken(texts: Iterable[str]) -> frozenset[str]:
    """The targets that these make files have."""
    found: set[str] = set()
    for text in texts:
        for pattern in (_RULE, _PHONY):
            for match in pattern.finditer(text):
                found.update(match["names"].replace("\\", " ").split())
    return frozenset(found)


def include_text(busy: frozenset[str]) -> str:
    """The text of lastgood.mk, with short names where nobody has them."""
    free = [name for name in _RECIPES if name not in busy]
    phony = " ".join([*(f"lastgood-{name}" for name in _RECIPES), *free])
    rows = "".join(f"\nlastgood-{name}:\n\t@$(LASTGOOD) {recipe}\n" for name, recipe in _RECIPES.items())
    short = "".join(f"{name}: lastgood-{name}\n" for name in free)
    return f"{_HEAD}\n.PHONY: {phony}\n{rows}" + (f"\n{short}" if short else "")


def including(text: str) -> str:
    """A Makefile that includes it, by one line at its end: the default goal stays."""
    if _INCLUDE.search(text):
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    apart = "" if not text or text.endswith("\n") else end
    if text.rstrip("\r\n").endswith("\\"):
        apart += end  # else the line would go on
    return f"{text}{apart}include {NAME}{end}"
