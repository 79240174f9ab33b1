"""Writes a command as this repository's people type it: through make where the Makefile runs lastgood."""

from __future__ import annotations

import os

_VARIABLES = {"-p": "PROMPT", "-c": "COMPLETER", "-k": "CASE", "--reason": "REASON", "--accept": "ACCEPT"}
_TARGETS = frozenset({"eval", "diff", "record", "status", "log", "check"})


class Speller:
    """`lastgood eval -p x` → `make eval PROMPT=x`, where that is how it is called."""

    def __init__(self, *, make: bool = False) -> None:
        self.make = make

    @classmethod
    def of(cls, root: str) -> Speller:
        """The speller of the repository at `root`."""
        try:
            with open(os.path.join(root, "Makefile"), "rb") as file:
                return cls(make=b"bin/lastgood" in file.read(100_000))
        except OSError:
            return cls()

    def __call__(self, command: str) -> str:
        if not self.make or not command.startswith("lastgood "):
            return command
        words = command.split(" ")
        target, options = words[1], words[2:]
        if target not in _TARGETS or any(word.startswith("-") and word not in _VARIABLES for word in options):
            return ".venv/bin/" + command
        return " ".join(["make", target, *_assignments(options)])


def _assignments(options: list[str]) -> list[str]:
    """`-p x --reason 'a b'` → `PROMPT=x REASON='a b'`: each option takes all words up to the next."""
    found: list[str] = []
    for word in options:
        if word in _VARIABLES:
            found.append(_VARIABLES[word] + "=")
        elif found[-1].endswith("="):
            found[-1] += word
        else:
            found.append(word)
    return found
