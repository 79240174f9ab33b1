"""What may be raised: one root, caught in one place (cli)."""

from __future__ import annotations


class LastgoodError(Exception):
    """We cannot tell (exit 4). One sentence: what, where, why; and the command that mends it.

    `path` is a repository path or file name, `pointer` a JSON Pointer or `table.key` inside it, `fix` a command.
    """

    def __init__(self, what: str, *, path: str = "", pointer: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.path = path
        self.pointer = pointer
        self.fix = fix


class Malformed(LastgoodError):
    """Bytes that do not say what their kind of file must say."""


class Refused(LastgoodError):
    """A record (or another act) that must not happen now; nothing was written."""
