"""Plain files that a person names on the command line, outside any tree: read, written, and said so when not."""

from __future__ import annotations

import os
from contextlib import contextmanager

from lastgood.core import nesting, schema
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.folder import replace_file
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from lastgood.core.case import Case


def read_file(path: str) -> bytes:
    """The bytes of a file; LastgoodError when it cannot be read."""
    with reading(path), open(path, "rb") as file:
        return file.read()


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Says in a sentence why the file or folder at `path` cannot be read."""
    try:
        yield
    except OSError as exc:
        raise LastgoodError(f"cannot be read: {exc.strerror}", path=path) from None


def write_file(path: str, data: bytes) -> None:
    """Write all of a file or nothing, in a folder that is made when missing; LastgoodError when it cannot be written.

    A symbolic link stays one; a device or a pipe is written to.
    """
    target = os.path.realpath(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as file:
                file.write(data)
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            replace_file(target, data)
    except OSError as exc:
        raise LastgoodError(f"cannot be written: {exc.strerror}", path=path) from None


@contextmanager
def snapshot(path: str, data: bytes) -> Iterator[str]:
    """A file of that name that holds exactly `data` for as long as the context lasts."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="lastgood-") as folder:
        copy = os.path.join(folder, os.path.basename(path))
        with open(copy, "wb") as file:
            file.write(data)
        yield copy


def json_files(folder: str) -> dict[str, bytes]:
    """Path → bytes of every `*.json` in a folder, sorted by path; not of those below it, and of no hidden one."""
    with reading(folder):
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json") and not name.startswith("."))
    return {path: read_file(path) for path in (os.path.join(folder, name) for name in names)}


def output_schemas(cases: Iterable[Case], folders: Iterable[str]) -> dict[str, Any]:
    """Name → JSON Schema that the cases name, from the first of the folders that has it.

    LastgoodError when none has; Malformed when it is no usable schema.
    """
    places = list(dict.fromkeys(os.path.normpath(folder) for folder in folders if folder))
    found: dict[str, Any] = {}
    for case in cases:
        name = case.output_schema
        if name and name not in found:
            found[name] = _output_schema(case, name, [os.path.join(place, f"{name}.json") for place in places])
    return found


def _output_schema(case: Case, name: str, candidates: list[str]) -> Any:
    path = next(filter(os.path.isfile, candidates), "")
    if not path:
        raise LastgoodError(
            f"case {case.id!r} names the output schema {name!r}, which is not at {' or '.join(candidates)}",
            path=case.path,
            pointer=case.pointer,
            fix="name its folder: --schemas FOLDER",
        )
    try:
        found = nesting.loads(read_file(path))
    except Malformed as exc:
        raise Malformed(exc.what, path=path, pointer=exc.pointer, fix=exc.fix) from None
    schema.check_schema(found, path=path)
    return found
