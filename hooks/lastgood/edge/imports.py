"""The files of other tools, read for an import: never a device, nothing too large, nothing outside of where it lies."""

from __future__ import annotations

import os
from glob import glob

from lastgood.core import nesting
from lastgood.core.importing.drafts import Loss, Unexpressed
from lastgood.core.importing.plain_yaml import loads
from lastgood.core.importing.sources import Sources
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError, Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_MOST = 64_000_000  # bytes of one file
_MOST_FILES = 100_000
_BROODER = ("brooder.yaml", "brooder.yml")


def sources(root: str, path: str) -> Sources:
    """The files that a document at `path` may name: those of this repository, and of its own folder."""
    tops = [os.path.realpath(root), os.path.realpath(os.path.dirname(path) or ".")]

    def fetch(name: str) -> bytes:
        where = os.path.realpath(name)
        if not any(where == top or where.startswith(top.rstrip(os.sep) + os.sep) for top in tops):
            raise Unexpressed(f"{name} lies outside of this repository and is not read")
        return _read(name)

    return Sources(fetch, _names)


def _read(name: str) -> bytes:
    try:
        if os.path.exists(name) and not os.path.isfile(name):
            raise Unexpressed(f"{name} is no file")
        if os.path.getsize(name) > _MOST:
            raise Unexpressed(f"{name} is larger than {_MOST // 1_000_000} MB and is not read")
        with open(name, "rb") as file:
            return file.read()
    except OSError as exc:
        raise Unexpressed(f"{name} cannot be read: {exc.strerror}") from None
    except ValueError:  # a zero byte in the name
        raise Unexpressed(f"{name!r} is no file name") from None


def _names(pattern: str) -> list[str]:
    found = sorted(name for name in glob(pattern, recursive=True) if os.path.isfile(name))
    if len(found) > _MOST_FILES:
        raise Unexpressed(f"{pattern} names more than {_MOST_FILES} files")
    return [name.replace(os.sep, "/") for name in found]


def main_file(path: str, names: Iterable[str]) -> str:
    """`path`, or where it is a folder the first of `names` in it; LastgoodError when there is none."""
    if os.path.isfile(path):
        return path
    if not os.path.lexists(path):
        raise LastgoodError("no such file or folder", path=path)
    if not os.path.isdir(path):
        raise LastgoodError("is no file and no folder", path=path)
    names = list(names)
    found = [os.path.join(path, name) for name in names if os.path.isfile(os.path.join(path, name))]
    if not found:
        what = f"holds none of {', '.join(names)}" if names else "is a folder"
        raise LastgoodError(what, path=path, fix="name the file itself")
    return found[0]


def json_below(path: str, inside: Iterable[str], passed: Iterable[str]) -> dict[str, bytes]:
    """Path → bytes of every JSON file in a folder, or in the first folder of `inside` that it has; or the one file."""
    if os.path.isfile(path):
        return {path: _read(path)}
    if not os.path.isdir(path):
        raise LastgoodError("no such file or folder", path=path)
    tops = [os.path.join(path, name) for name in inside if os.path.isdir(os.path.join(path, name))]
    found: list[str] = []
    for folder, folders, names in os.walk(tops[0] if tops else path):
        folders[:] = sorted(name for name in folders if name not in passed and not name.startswith("."))
        found += [os.path.join(folder, name) for name in sorted(names) if name.endswith(".json") and name[:1] != "."]
        if len(found) > _MOST_FILES:
            raise LastgoodError(f"holds more than {_MOST_FILES} files", path=path)
    return {name: _read(name) for name in found}


def documents(files: dict[str, bytes]) -> tuple[dict[str, Any], tuple[Loss, ...]]:
    """Path → the value in each file, and the files that hold none."""
    found: dict[str, Any] = {}
    losses = []
    for path, data in files.items():
        try:
            found[path] = nesting.loads(data)
        except Malformed as exc:
            losses.append(Loss(path, exc.pointer, "file", exc.what))
    return found, tuple(losses)


def brooder_config(path: str) -> Any:
    """What brooder.yaml says, from the folder of the baselines or one of the three above; None without one."""
    folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path))
    for _ in range(4):
        for name in _BROODER:
            where = os.path.join(folder, name)
            if os.path.isfile(where):
                try:
                    return loads(_read(where))
                except Malformed as exc:
                    raise Malformed(exc.what, path=where, pointer=exc.pointer, fix=exc.fix) from None
        folder = os.path.dirname(folder)
    return None


def on_disk(root: str, path: str) -> bytes | None:
    """What stands at a path of the repository: its bytes, b"" of what is no file, None where nothing is."""
    where = os.path.join(root, path)
    if not os.path.lexists(where):
        return None
    if not os.path.isfile(where):
        return b""
    with open(where, "rb") as file:
        return file.read()


def refuse_outside(root: str, paths: Iterable[str]) -> None:
    """Refused where a file would land outside of the repository, through a link."""
    top = os.path.realpath(root)
    for path in paths:
        if not os.path.realpath(os.path.join(root, path)).startswith(top + os.sep):
            raise Refused("leads out of the repository: nothing was written", path=path)


def owner(root: str, path: str) -> str:
    """The path in the repository of a file named from here, "" when it lies outside."""
    found = os.path.relpath(os.path.realpath(path), os.path.realpath(root)).replace(os.sep, "/")
    return "" if found.startswith("../") else found
