"""Writes a command as people type it where they are: through make where the Makefile runs lastgood."""

from __future__ import annotations

import os

from lastgood.core.config import FILES, declares
from lastgood.core.shell import quoted

_VARIABLES = {"-p": "PROMPT", "-c": "COMPLETER", "-k": "CASE", "--reason": "REASON", "--accept": "ACCEPT"}
_TARGETS = frozenset({"eval", "diff", "review", "record", "status", "log", "report", "check"})
# Commands of ours that name files from the top of the repository: git's take that folder, the others are run in it.
_GIT = frozenset({"add", "checkout", "clean", "mv", "restore", "rm"})
_FILES = frozenset({"chmod", "df", "echo", "ls", "mkdir", "printf", "rm"})


class Speller:
    """`lastgood eval -p x` → `make eval PROMPT=x`, where that is how it is called.

    `up` leads from where the command is typed to the root; "" where it is typed in it. `named`: from there another
    root is nearer, or none is found, so that lastgood has to be told. `down` is the way to a root further down, with
    its slash: what stands before its paths for whoever reads them further up.
    """

    def __init__(self, *, make: bool = False, up: str = "", named: bool = False) -> None:
        self.make = make
        self.up = quoted(up) if up else ""
        self.down = f"{up}/" if named and not up.startswith("..") else ""
        self._root = f"--root {self.up or '.'} " if named else ""

    @classmethod
    def of(cls, root: str) -> Speller:
        """The speller of the root at `root`."""
        path = os.path.join(root, "Makefile")
        up, named = _way_up(root)
        if not os.path.isfile(path):  # nor a pipe, which would keep us waiting
            return cls(up=up, named=named)
        try:
            with open(path, "rb") as file:
                return cls(make=b"bin/lastgood" in file.read(100_000), up=up, named=named)
        except OSError:
            return cls(up=up, named=named)

    def __call__(self, command: str) -> str:
        if command.startswith("or "):
            return "or " + self(command[3:])
        return self._from_here(self._called(command)) if self.up else self._called(command)

    def place(self, path: str) -> str:
        """A path of an error: of the root, unless it is one that was typed here."""
        below = self.down and path and not path.startswith("/") and not os.path.lexists(path)
        return self.down + path if below and os.path.lexists(self.down + path) else path

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
        if not command.startswith("lastgood ") or command.startswith("lastgood --root "):
            return command
        told = f"lastgood {self._root}{command[len('lastgood ') :]}"
        if not self.make:
            return told
        if "$'" in command:  # a name with control characters: only the shell's own form can be pasted
            return ".venv/bin/" + told
        import shlex

        words = shlex.split(command)
        target, options = words[1], words[2:]
        pairs = list(zip(options[::2], options[1::2], strict=False))
        names = [name for name, _ in pairs]
        plain = not len(options) % 2 and set(names) <= _VARIABLES.keys() and len(set(names)) == len(names)
        if target not in _TARGETS or not plain:  # a variable of make holds one word
            return ".venv/bin/" + told
        return " ".join(["make", target, *(f"{_VARIABLES[name]}={_value(word)}" for name, word in pairs)])


def _way_up(root: str) -> tuple[str, bool]:
    """From where the person is to the root, and whether lastgood finds another one from there.

    git runs hooks at the top and says where it was called itself; a manager may have gone on to the root.
    """
    try:
        goal, here = os.path.realpath(root), os.getcwd()
        if "GIT_PREFIX" in os.environ and (top := _top(goal)) and here in (goal, top):
            here = os.path.normpath(os.path.join(top, os.environ["GIT_PREFIX"]))
        way = os.path.relpath(goal, here)
    except OSError:  # the folder that we were started in is gone
        return "", False
    if way == ".":
        return "", False
    return way, set(way.split("/")) != {".."} or _nearer(here, goal)


def _top(root: str) -> str:
    """The top of the work tree of a root, or ""."""
    told = os.path.realpath(os.environ["GIT_WORK_TREE"]) if "GIT_WORK_TREE" in os.environ else ""
    if told and f"{root}/".startswith(f"{told}/"):
        return told
    folder = root
    while not os.path.lexists(os.path.join(folder, ".git")):
        if folder == os.path.dirname(folder):
            return ""
        folder = os.path.dirname(folder)
    return folder


def _nearer(here: str, root: str) -> bool:
    """Whether another root lies on the way from a folder up to a root."""
    while here != root:
        if os.path.lexists(os.path.join(here, FILES[0])) or _declares(os.path.join(here, FILES[1])):
            return True
        here = os.path.dirname(here)
    return False


def _declares(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return declares(path, file.read())
    except OSError:
        return False


def _value(word: str) -> str:
    return "'…'" if word == "…" else quoted(word)
