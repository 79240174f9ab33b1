"""The hash of a prompt: of its bytes as git stores them."""

from __future__ import annotations

from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LFS = "version https://git-lfs.github.com/spec/v1"
_OID = "oid sha256:"


def content_sha256(blob: bytes) -> str:
    """SHA-256 of what a blob stands for: its bytes, or the bytes that an LFS pointer names (64 hex digits)."""
    return _pointed_at(blob) or sha256_hex(blob)


def file_sha256(path: str, blob: bytes, parts: Mapping[str, str]) -> str:
    """SHA-256 of what a file gives to its prompt: all of it, or the part that `parts` (path → part) names."""
    if path not in parts:
        return content_sha256(blob)
    from lastgood.core.part import part_of

    return sha256_hex(part_of(parts[path], path, blob))


def _pointed_at(blob: bytes) -> str:
    """The SHA-256 in an LFS pointer; "" for anything that is not exactly one, which would hide what else it holds."""
    if len(blob) >= 1024 or not blob.startswith(_LFS.encode("ascii")) or not blob.isascii():
        return ""
    version, *lines, end = blob.decode("ascii").split("\n")
    if version != _LFS or end or len(lines) < 2:
        return ""
    *extensions, oid, size = lines
    digest = oid.removeprefix(_OID)
    if not oid.startswith(_OID) or len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        return ""
    sized = size.startswith("size ") and size[5:].isdecimal()
    return digest if sized and all(line.startswith("ext-") for line in extensions) else ""


def prompt_sha256(files: Mapping[str, str]) -> str:
    """The one hash of a prompt's files (path → content SHA-256): a single file's own, else of the listing of all."""
    if len(files) == 1:
        return next(iter(files.values()))
    listing = "".join(f"{digest}  {path}\n" for path, digest in sorted(files.items()))
    return sha256_hex(listing.encode("utf-8", "surrogateescape"))
