"""Globs as git users know them: `*` and `?` stay inside one folder, `**` crosses folders."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_MAGIC = frozenset("*?[")


def is_magic(glob: str) -> bool:
    """Whether it can match more than its own name."""
    return bool(_MAGIC & set(glob))


def fixed_part(glob: str) -> str:
    """The folders before the first magic one, with a final `/`, or "": `prompts/` of `prompts/**`."""
    parts = glob.split("/")
    fixed = []
    for part in parts[:-1]:
        if _MAGIC & set(part):
            break
        fixed.append(part)
    return "".join(part + "/" for part in fixed)


def matcher(glob: str) -> Callable[[str], bool]:
    """A test of one path against `glob`; ValueError when it is none."""
    folder = glob.removesuffix("**")
    if not _MAGIC & set(folder) and (folder.endswith("/") or not folder):  # `prompts/**`, what nearly everybody has
        return lambda path: path.startswith(folder)
    if not _MAGIC & set(glob):
        return lambda path: path == glob
    import re

    try:
        pattern = re.compile(_regex(glob), re.DOTALL)
    except re.error as exc:
        raise ValueError(exc.msg) from None
    return lambda path: pattern.fullmatch(path) is not None


def _regex(glob: str) -> str:
    import re

    found, rest = "", glob
    while rest:
        if rest.startswith("**/"):
            found, rest = found + "(?:[^/]+/)*", rest[3:]
        elif rest == "**":
            found, rest = found + ".+", ""
        elif rest[0] == "*":
            found, rest = found + "[^/]*", rest[1:]
        elif rest[0] == "?":
            found, rest = found + "[^/]", rest[1:]
        elif rest[0] == "[" and "]" in rest[2:]:
            end = rest.index("]", 2)
            members = rest[1:end].replace("\\", "\\\\")
            found += "[^/" + members[1:] + "]" if members[0] == "!" else f"(?!/)[{members}]"
            rest = rest[end + 1 :]
        else:
            found, rest = found + re.escape(rest[0]), rest[1:]
    return found
