"""SHA-256 without OpenSSL: the hook hashes little, and OpenSSL costs more to load than to use."""

from __future__ import annotations

try:
    from _sha2 import sha256  # type: ignore[import-not-found,unused-ignore]  # Python 3.12 and newer
except ImportError:
    try:
        from _sha256 import sha256  # type: ignore[import-not-found,unused-ignore]
    except ImportError:  # an interpreter built without its own
        from hashlib import sha256


SHORT = 12  # hex digits shown of a digest


def sha256_hex(data: bytes) -> str:
    """SHA-256 of `data`, 64 hex digits."""
    return str(sha256(data).hexdigest())
