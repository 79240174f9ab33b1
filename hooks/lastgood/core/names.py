"""Names that become files: usable on every system, and told apart on every system."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 120  # bytes; file systems stop at 255, and a suffix and temporary names come on top
_BARRED = frozenset('/\\:*?"<>|')
_TAKEN = frozenset({"head", "migrations", "catalog", "suite"})  # files and folders of our own beside the cases
_DEVICES = frozenset({"con", "prn", "aux", "nul", "conin$", "conout$"}) | {
    f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"
}


def unusable(name: str) -> str:
    """Why `name` cannot be a file name everywhere, as in `'a/b' holds '/'`; empty when it can."""
    if name.replace("-", "_").isidentifier() and name.isascii() and name[0] != "-" and len(name) <= LONGEST:
        lowered = name.lower()  # nearly every name is plain, and cases are many
        if lowered not in _DEVICES and lowered not in _TAKEN:
            return ""
    marks = _BARRED.intersection(name) or {mark for mark in name if not mark.isprintable()}
    reasons = (
        (not name, "is empty"),
        (bool(marks), f"holds {min(marks, default='')!r}"),
        (name[:1] in ".-", f"starts with {name[:1]!r}"),
        (name[-1:] == ".", "ends with a dot"),
        (name != name.strip(), "starts or ends with a space"),
        (len(name.encode("utf-8")) > LONGEST, f"is longer than {LONGEST} bytes"),
        (name.partition(".")[0].rstrip().casefold() in _DEVICES, "is a device on Windows"),
        (name.casefold() in _TAKEN, "is the name of a file of lastgood's own"),
    )
    return next((f"{name[:LONGEST]!r} {reason}" for holds, reason in reasons if holds), "")


def colliding(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Pairs of different names that some system takes for one file: by letter case or by Unicode form."""
    first: dict[str, str] = {}
    pairs = []
    for name in dict.fromkeys(names):
        other = first.setdefault(folded(name), name)
        if other != name:
            pairs.append((other, name))
    return tuple(pairs)


def folded(name: str) -> str:
    """The name as a system sees it that knows no letter case and one form a letter."""
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", name).casefold())
