"""Writes a command as people type it where they are: through make where the Makefile runs lastgood."""

from __future__ import annotations

import os

from lastgood.core.shell import quoted

_VARIABLES = {"-p": "PROMPT", "-c": "COMPLETER", "-k": "CASE", "--reason": "REASON", "--accept": "ACCEPT"}
_TARGETS = frozenset({"eval", "diff", "review", "record", "status", "log", "report", "check"})
# Commands of ours that name files from the top of the repository: git's take that folder, the others are run in it.
_GIT = frozenset({"add", "checkout", "clean", "mv", "restore", "rm"})
_FILES = frozenset({"chmod", "df", "echo", "ls", "mkdir", "printf", "rm"})


class Speller:
    """`lastgood eval -p x` → `make eval PROMPT=x`, where that is how it is called.

    `up` leads from where the command is typed to the top of the repository; "" where it is typed at the top.
    """

    def __init__(self, *, make: bool = False, up: str = "") -> None:
        self.make = make
        self.up = quoted(up) if up else ""

    @classmethod
    def of(cls, root: str) -> Speller:
        """The speller of the repository at `root`."""
        path, up = os.path.join(root, "Makefile"), _way_up(root)
        if not os.path.isfile(path):  # nor a pipe, which would keep us waiting
            return cls(up=up)
        try:
            with open(path, "rb") as file:
                return cls(make=b"bin/lastgood" in file.read(100_000), up=up)
        except OSError:
            return cls(up=up)

    def __call__(self, command: str) -> str:
        if command.startswith("or "):
            return "or " + self(command[3:])
        return self._from_here(self._called(command)) if self.up else self._called(command)

    def _from_here(self, command: str) -> str:
        first, _, rest = command.partition(" ")
        if first in _FILES or (" && " in command and rest.partition(" ")[0] in _GIT):
            return f"(cd {self.up} && {command})"
        if first == "make" or (first == "git" and rest.partition(" ")[0] in _GIT):
            return f"{first} -C {self.up} {rest}"
        return f"{self.up}/{command}" if first.startswith(".venv/bin/") else command

    def _called(self, command: str) -> str:
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


def _way_up(root: str) -> str:
    """From where the person is to the top; git runs hooks at the top and says where it was called itself."""
    try:
        top, here = os.path.realpath(root), os.getcwd()
        if here == top:
            here = os.path.join(here, os.environ.get("GIT_PREFIX", ""))
        way = os.path.relpath(top, here)
    except OSError:  # the folder that we were started in is gone
        return ""
    return "" if way == "." else way


def _value(word: str) -> str:
    return "'…'" if word == "…" else quoted(word)
