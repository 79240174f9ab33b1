"""A file of captured traces, one after another: JSON Lines are never held whole, and can be read in shares."""

from __future__ import annotations

import os

from lastgood.core import captured
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.files import reading
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from lastgood.core.captured import Captured

_LINES = (".jsonl", ".ndjson")


def read_traces(path: str, output: str = "trace") -> Iterator[Captured]:
    """Every trace of a file, in its order; Malformed, with the line or pointer, where it cannot be read.

    `output` says how each is read, as a completer's does.
    """
    try:
        with reading(path), open(path, "rb") as file:
            yield from _traces(path, file, output)
    except Malformed as exc:
        raise Malformed(exc.what, path=path, pointer=exc.pointer, fix=exc.fix) from None


def shares(path: str, size: int) -> int:
    """How many shares of about `size` bytes a file has; 1 when it must be read as a whole."""
    if not os.path.isfile(path):  # a pipe can be read once
        return 1
    with reading(path), open(path, "rb") as file:
        lines = path.endswith(_LINES) or captured.is_line(captured.as_text(file.readline(size)))
        return -(-os.fstat(file.fileno()).st_size // size) if lines else 1


def read_share(path: str, number: int, size: int, output: str = "trace") -> Iterator[Captured]:
    """The traces on the lines that begin in one share of a file; places count from the share's first line."""
    of_line, end = captured.of_lines(output), (number + 1) * size
    with reading(path), open(path, "rb") as file:
        if number:
            file.seek(end - size - 1)
            file.readline()  # the end of a line of the share before, if only its line break
        at = file.tell()
        for nth, line in enumerate(file, 1):
            if at >= end:
                return
            at += len(line)
            if not line.isspace():
                yield of_line(line, f"line {nth}")


def _traces(path: str, file: BinaryIO, output: str) -> Iterator[Captured]:
    number, first = next(((n, line) for n, line in enumerate(file, 1) if line.strip()), (0, b""))
    if not first:
        raise Malformed("is empty")
    if not path.endswith(_LINES) and not captured.is_line(captured.as_text(first)):
        yield from captured.of_object(captured.as_text(first + file.read()), output)
        return
    of_line = captured.of_lines(output)
    yield of_line(first, f"line {number}")
    for line in file:
        number += 1
        if not line.isspace():
            yield of_line(line, f"line {number}")
