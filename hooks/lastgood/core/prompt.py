"""The hash of a prompt: of its bytes as git stores them."""

from __future__ import annotations

from lastgood.core.sha256 import sha256_hex
from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_LFS = b"version https://git-lfs.github.com/spec/v1\n"
_OID = b"oid sha256:"


def content_sha256(blob: bytes) -> str:
    """SHA-256 of what a blob stands for: its bytes, or the bytes that an LFS pointer names (64 hex digits)."""
    if blob.startswith(_LFS) and len(blob) < 1024:
        for line in blob.splitlines():
            oid = line.removeprefix(_OID).decode("ascii", "replace")
            if line.startswith(_OID) and len(oid) == 64 and set(oid) <= set("0123456789abcdef"):
                return oid
    return sha256_hex(blob)


def prompt_sha256(files: Mapping[str, str]) -> str:
    """The one hash of a prompt's files (path → content SHA-256): a single file's own, else of the listing of all."""
    if len(files) == 1:
        return next(iter(files.values()))
    listing = "".join(f"{digest}  {path}\n" for path, digest in sorted(files.items()))
    return sha256_hex(listing.encode("utf-8", "surrogateescape"))
