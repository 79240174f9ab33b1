"""Writes a command as this repository's people type it: through make where the Makefile runs lastgood."""

from __future__ import annotations

import os

from lastgood.core.shell import quoted

_VARIABLES = {"-p": "PROMPT", "-c": "COMPLETER", "-k": "CASE", "--reason": "REASON", "--accept": "ACCEPT"}
_TARGETS = frozenset({"eval", "diff", "review", "record", "status", "log", "report", "check"})


class Speller:
    """`lastgood eval -p x` → `make eval PROMPT=x`, where that is how it is called."""

    def __init__(self, *, make: bool = False) -> None:
        self.make = make

    @classmethod
    def of(cls, root: str) -> Speller:
        """The speller of the repository at `root`."""
        path = os.path.join(root, "Makefile")
        if not os.path.isfile(path):  # nor a pipe, which would keep us waiting
            return cls()
        try:
            with open(path, "rb") as file:
                return cls(make=b"bin/lastgood" in file.read(100_000))
        except OSError:
            return cls()

    def __call__(self, command: str) -> str:
        if command.startswith("or "):
            return "or " + self(command[3:])
        if self.make and command.startswith(("pre-commit ", "prek ")):
            return ".venv/bin/" + command
        if not self.make or not command.startswith("lastgood "):
            return command
        if "$'" in command:  # a name with control characters: only the shell's own form can be pasted
            return ".venv/bin/" + command
        import shlex

        words = shlex.split(command)
        target, options = words[1], words[2:]
        pairs = list(zip(options[::2], options[1::2], strict=False))
        names = [name for name, _ in pairs]
        plain = not len(options) % 2 and set(names) <= _VARIABLES.keys() and len(set(names)) == len(names)
        if target not in _TARGETS or not plain:  # a variable of make holds one word
            return ".venv/bin/" + command
        return " ".join(["make", target, *(f"{_VARIABLES[name]}={_value(word)}" for name, word in pairs)])


def _value(word: str) -> str:
    return "'…'" if word == "…" else quoted(word)
