"""How the failure of a completer is said: stable strings for scores, and a detail for people."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers.disguises import disguises

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lastgood.core.config import Completer

    Hidden = tuple[tuple[str, str], ...]

_DETAIL = 500  # characters
_LINE = 200  # characters

# A completer's words reach terminals: no escape sequence of theirs may. C0 without tab and newline, DEL, C1.
_VISIBLE = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}


def failed(why: str) -> str:
    return f"completer_failed:{why}"


def timed_out(seconds: float) -> str:
    return f"completer_timeout:{seconds:g}s"


def ended(status: int) -> str:
    """How a process ended that was still needed."""
    if status < 0:
        return failed(f"signal {-status}")
    return failed(f"exit {status}" if status else "closed early")


def too_long(limit: int) -> str:
    return failed(f"output over {limit} bytes")


def not_started(exc: OSError | ValueError) -> tuple[str, str]:
    """Error and detail of a command that could not be started."""
    missing = isinstance(exc, (FileNotFoundError, NotADirectoryError))
    detail = f"{exc.filename}: {exc.strerror}" if isinstance(exc, OSError) and exc.filename else str(exc)
    return failed("not found" if missing else "cannot start"), detail


def bad_utf8(exc: UnicodeError) -> tuple[str, str]:
    """Error and detail of bytes that are no UTF-8, or of text that cannot be."""
    if isinstance(exc, UnicodeDecodeError):
        return "bad_utf8", f"byte {exc.object[exc.start]:#04x} at offset {exc.start}"
    assert isinstance(exc, UnicodeEncodeError)
    return "bad_utf8", f"lone surrogate {ord(exc.object[exc.start]):#06x} at character {exc.start}"


def secrets(completer: Completer, environ: Mapping[str, str]) -> Hidden:
    """(value, what stands for it) of all that must never be shown or kept, the longest first.

    Short ones (a flag, a region) hide nothing. The others are found escaped and encoded as well.
    """
    found: dict[str, str] = {}
    for name in completer.env:
        found |= dict.fromkeys(disguises(environ.get(name, "")), f"[{name}]")
    return tuple(sorted(found.items(), key=lambda pair: len(pair[0]), reverse=True))


def masked(text: str, hidden: Hidden) -> str:
    """`text` with the name of each secret in its place."""
    for secret, name in hidden:
        if secret in text:
            text = text.replace(secret, name)
    return text


def tail(stderr: bytes, hidden: Hidden) -> str:
    """The end of stderr, fit to be shown."""
    return shown(stderr.decode("utf-8", "backslashreplace").replace("\r\n", "\n").strip(), hidden)[-_DETAIL:]


def line(text: str, hidden: Hidden) -> str:
    """The beginning of `text` in one line, fit to be shown."""
    short = shown(" ".join(masked(text, hidden).split()), hidden)  # a secret may hold two spaces
    return short if len(short) <= _LINE else short[: _LINE - 1] + "…"


def shown(text: str, hidden: Hidden) -> str:
    """`text` without secrets, terminal controls and what cannot be written as UTF-8."""
    return masked(text, hidden).translate(_VISIBLE).encode("utf-8", "backslashreplace").decode("utf-8")
