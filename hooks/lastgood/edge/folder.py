"""The run folder `.lastgood/`: the only place, besides what `record` moves, that lastgood writes to."""

from __future__ import annotations

import os

from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = ".lastgood"
_LONGEST = 200  # bytes of one file name; file systems take 255
_HEX = "0123456789ABCDEF"
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


def run_folder(root: str, *parts: str) -> str:
    """A folder below `.lastgood/`, made when missing, ignored by git whatever the repository's own rules."""
    top = os.path.join(root, NAME)
    if os.path.islink(top):
        raise LastgoodError("the run folder is a symbolic link: it could lead anywhere", path=NAME, fix=f"rm {NAME}")
    folder = os.path.join(top, *parts)
    try:
        os.makedirs(folder, exist_ok=True)
        ignore = os.path.join(top, ".gitignore")
        if not os.path.exists(ignore):
            replace_file(ignore, b"*\n")
    except OSError as exc:
        raise LastgoodError(
            f"the run folder cannot be written: {exc.strerror}", path=exc.filename or top, fix=f"chmod u+rwx {NAME}"
        ) from None
    return folder


def replace_file(path: str, data: bytes, *, durable: bool = True) -> None:
    """Write beside, then replace: a stopped run leaves the old file whole. `durable`: even when the machine stops."""
    beside = f"{path}.{os.getpid()}.new"
    try:
        fd = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(beside, path)
        if durable:
            _sync_folder(os.path.dirname(path) or ".")
    except BaseException:
        if os.path.lexists(beside):
            os.unlink(beside)
        raise


def _sync_folder(folder: str) -> None:
    """A rename is on disk when its folder is."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sweep_beside(path: str) -> None:
    """Remove what a killed `replace_file` of this path left beside it. Only while nobody else can be writing it."""
    folder, name = os.path.split(path)
    try:
        found = os.listdir(folder)
    except FileNotFoundError:
        return
    for other in found:
        if other.startswith(name + ".") and other.endswith(".new") and other[len(name) + 1 : -4].isdigit():
            os.unlink(os.path.join(folder, other))


def file_name(name: str) -> str:
    """A name of any characters (a prompt id) as one file name, so that no two names share one."""
    safe = [char if char in _SAFE else "".join(_escaped(char)) for char in name]
    found = "%2E" if name == "." else "".join(safe).replace("..", "%2E%2E") or "%"
    if len(found) <= _LONGEST:
        return found
    return found[: _LONGEST - 17] + "%" + sha256_hex(found.encode("ascii"))[:16]


def _escaped(char: str) -> Iterator[str]:
    for byte in char.encode("utf-8", "surrogateescape"):
        yield f"%{_HEX[byte >> 4]}{_HEX[byte & 15]}"
