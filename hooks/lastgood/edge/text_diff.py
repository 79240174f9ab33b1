"""Diffs of completions: one `git diff` process for all of them, read by unidiff, bounded in what is shown."""

from __future__ import annotations

import os
from contextlib import contextmanager
from itertools import islice

from lastgood.core.text_diff import SHOWN_WHOLE, TextDiff
from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO, TypeAlias, TypeVar

    Pair: TypeAlias = tuple[str, str, str]  # label, old text, new text
    Found = TypeVar("Found")

MOST_LINES = 200  # shown of one case
_COUNTED = " -+"  # marks of lines of text; the others are headers and "\\ No newline at end of file"

_DIFF = (
    *(
        "git",
        "-c",
        "core.autocrlf=false",
        "-c",
        "core.attributesFile=attributes",
        "-c",
        "diff.suppressBlankEmpty=false",
    ),
    *("diff", "--no-index", "--histogram", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"),
    *("--src-prefix=a/", "--dst-prefix=b/"),
)


def unified(
    pairs: Sequence[Pair],
    *,
    scratch: str,
    context: int = 3,
    max_lines: int | None = MOST_LINES,
    keep: Mapping[str, str] | None = None,
) -> dict[str, TextDiff]:
    """Label → diff of each (label, old, new), in the order given; equal texts have an empty one.

    `scratch` is a folder for temporary files, made when missing; nothing stays in it. `context` is in lines, and so is
    `max_lines`, the most that one diff shows (None: all). `keep`: label → file for all of a diff, written only where
    `max_lines` or the length of a line keeps a reader from seeing it. Labels must differ. Raises LastgoodError when
    git fails.
    """
    found, moved = {label: TextDiff() for label, _, _ in pairs}, _moved(pairs)
    if moved:
        with _compared(moved, scratch, f"--unified={context}", "--inter-hunk-context=0") as printed:
            places = [(keep or {}).get(label, "") for label, _, _ in moved]
            read = {
                number: _kept(_read(section, max_lines), section, places[number])
                for number, section in _sections(printed)
            }
            found |= _labelled(moved, read)
    return found


def _kept(diff: TextDiff, section: list[str], path: str) -> TextDiff:
    if not path or not (diff.truncated or any(len(line) > SHOWN_WHOLE for line in diff.lines)):
        return diff
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(("\n".join(section[_start(section) :]) + "\n").encode("utf-8", "surrogatepass"))
    return replace(diff, whole=path)


def _start(section: list[str]) -> int:
    """Where git's own headers end."""
    return next((at for at, line in enumerate(section) if line.startswith("@@")), len(section))


def counted(pairs: Sequence[Pair], *, scratch: str) -> dict[str, tuple[int, int]]:
    """Label → (lines added, lines removed) of each (label, old, new): what `unified` counts, at git's own cost."""
    found, moved = {label: (0, 0) for label, _, _ in pairs}, _moved(pairs)
    if moved:
        with _compared(moved, scratch, "--numstat", "-z") as printed:
            fields = printed.read().split(b"\0")
        counts = {}
        for numbers, _, new in zip(*[iter(fields)] * 3, strict=False):  # "added TAB removed TAB", old name, new name
            added, removed, _ = numbers.split(b"\t")
            counts[_number(new)] = (int(added), int(removed))
        found |= _labelled(moved, counts)
    return found


def _moved(pairs: Sequence[Pair]) -> list[Pair]:
    assert len({label for label, _, _ in pairs}) == len(pairs), "labels must differ"
    return [pair for pair in pairs if pair[1] != pair[2]]


def _labelled(pairs: Sequence[Pair], found: dict[int, Found]) -> dict[str, Found]:
    if len(found) != len(pairs):  # never show as equal what differs
        raise LastgoodError(f"git diff told {len(found)} of {len(pairs)} completions apart", fix="git version")
    return {label: found[number] for number, (label, _, _) in enumerate(pairs)}


@contextmanager
def _compared(pairs: Sequence[Pair], scratch: str, *options: str) -> Iterator[BinaryIO]:
    """What `git diff` prints of the pairs, as a file: completions may be larger than memory is free."""
    import subprocess
    from tempfile import TemporaryDirectory

    try:
        os.makedirs(scratch, exist_ok=True)
        with TemporaryDirectory(prefix="diff-", dir=os.path.realpath(scratch)) as folder:
            _write(pairs, folder)
            with open(os.path.join(folder, "printed"), "w+b") as printed:
                done = subprocess.run(
                    [*_DIFF, *options, "old", "new"],
                    cwd=folder,
                    env=_environment(folder),
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=subprocess.PIPE,
                    check=False,
                )
                if done.returncode not in (0, 1):  # 1 says that something differs
                    said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit {done.returncode}"]
                    raise LastgoodError(f"git diff failed: {said[-1]}", fix="git version")
                printed.seek(0)
                yield printed
    except OSError as exc:
        raise LastgoodError(f"completions cannot be compared: {exc.strerror}", path=exc.filename or scratch) from None


def _write(pairs: Sequence[Pair], folder: str) -> None:
    for side in ("old", "new"):
        os.mkdir(os.path.join(folder, side))
    with open(os.path.join(folder, "attributes"), "wb") as attributes:
        attributes.write(b"* diff\n")  # --numstat takes a text with a NUL for binary even under --text
    for number, (_, *texts) in enumerate(pairs):
        # A completion seldom ends its last line. Where neither does, saying so below every diff would only distract.
        ending = "" if any(text.endswith("\n") for text in texts) else "\n"
        for side, text in zip(("old", "new"), texts, strict=True):
            with open(os.path.join(folder, side, str(number)), "wb") as stream:
                stream.write((text and text + ending).encode("utf-8", "surrogatepass"))


def _environment(folder: str) -> dict[str, str]:
    """Neither the repository around us nor anyone's configuration has a say in what a diff looks like."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("GIT_", "XDG_CONFIG"))}
    return kept | {
        "HOME": folder,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": os.path.dirname(folder),
    }


def _number(name: bytes) -> int:
    return int(name.rpartition(b"/")[2])


def _sections(printed: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    """The pair's number and the lines that git printed of it, one pair at a time."""
    section: list[bytes] = []
    for line in printed:  # of a binary file, whose lines end at "\n" and nowhere else
        if line.startswith(b"diff --git ") and section:  # no line of a hunk looks so: each begins with a mark
            yield _number(section[0][:-1]), _decoded(section)
            section = []
        section.append(line)
    if section:
        yield _number(section[0][:-1]), _decoded(section)


def _decoded(lines: list[bytes]) -> list[str]:
    return b"".join(lines).decode("utf-8", "surrogatepass").split("\n")[:-1]


def _read(section: list[str], most: int | None) -> TextDiff:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        # By lines: given one string it would also break at form feeds and their like, which completions may hold.
        # Without their content it reads them several times faster, and still checks them against the hunks' headers.
        read = PatchSet(section, metadata_only=True)
    except UnidiffParseError as exc:
        raise LastgoodError(f"git diff printed what cannot be read: {exc}", fix="git version") from None
    added, removed = sum(file.added for file in read), sum(file.removed for file in read)
    total = added + sum(hunk.source_length for file in read for hunk in file)
    start = _start(section)
    hidden = 0 if most is None else max(total - most, 0)
    lines = _first(section[start:], total - hidden) if hidden else section[start:]
    # Without git's guess at an enclosing function, noise in a completion.
    shown = (line[: line.index(" @@") + 3] if line.startswith("@@") else line for line in lines)
    return TextDiff(added, removed, tuple(shown), hidden)


def _first(lines: list[str], most: int) -> list[str]:
    """The first lines of the hunks; more than `most`, headers not counted, there must be."""
    places = (at for at, line in enumerate(lines) if line[0] in _COUNTED)
    end = next(islice(places, most, None))
    header = max(at for at in range(end) if lines[at].startswith("@@"))
    if header == end - 1:  # nothing of that hunk is shown
        return lines[:header]
    return [*lines[:header], _header(lines[header:end]), *lines[header + 1 : end]]


def _header(hunk: list[str]) -> str:
    """The header of a hunk cut short: the same places, the lengths of what is left."""
    _, old, new, *_ = hunk[0].split(" ")
    marks = [line[0] for line in hunk[1:]]
    lengths = [sum(mark in kept for mark in marks) for kept in (" -", " +")]
    places = [f"{place.partition(',')[0]},{length}" for place, length in zip((old, new), lengths, strict=True)]
    return " ".join(("@@", *places, "@@"))
