"""The files of a source, as its documents name them: read when asked for, by whoever is given to read them."""

from __future__ import annotations

from lastgood.core import nesting
from lastgood.core.importing import plain_yaml
from lastgood.core.importing.drafts import Unexpressed
from lastgood.core.value import TYPE_CHECKING
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

REFERENCE = "file://"
_TEXTS = ("txt", "md", "html", "xml", "csv", "json", "j2", "jinja", "jinja2", "prompt")
_YAML = ("yaml", "yml")


class Sources:
    """Files by path, `/` between folders, relative to where the person stands; `fetch` says why not by Unexpressed."""

    def __init__(self, fetch: Callable[[str], bytes], names: Callable[[str], list[str]]) -> None:
        self._fetch, self._names = fetch, names

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Sources:
        """Files in memory, so that an import is tried without a disk."""

        def fetch(path: str) -> bytes:
            if path not in files:
                raise Unexpressed(f"{path} cannot be read: no such file")
            return files[path]

        from lastgood.core import glob

        return cls(fetch, lambda pattern: sorted(filter(glob.matcher(pattern), files)))

    def beside(self, path: str, reference: str) -> str:
        """The path that a document at `path` means by a reference, with or without `file://`."""
        name = reference.removeprefix(REFERENCE)
        folder, slash, _ = path.rpartition("/")
        return _normal(name if name.startswith("/") else folder + slash + name)

    def names(self, pattern: str) -> list[str]:
        """The files that a glob names."""
        return self._names(pattern)

    def text(self, path: str) -> str:
        """The text of a file."""
        try:
            return self._fetch(path).decode("utf-8-sig")
        except UnicodeDecodeError as exc:
            raise Malformed(f"not UTF-8: byte {exc.object[exc.start]:#04x} at offset {exc.start}", path=path) from None

    def document(self, path: str) -> Any:
        """The value in a JSON or YAML file; Malformed with its path otherwise."""
        kind = suffix(path)
        if kind not in ("json", *_YAML):
            raise Malformed(f"is no JSON and no YAML but .{kind}", path=path)
        return parsed(self.text(path), path)

    def held(self, path: str) -> Any:
        """What a reference inside a value stands for: a document, or a text; Unexpressed for programs and pictures."""
        kind = suffix(path)
        if kind in ("json", *_YAML):
            return self.document(path)
        if kind in _TEXTS:
            return self.text(path).strip()
        raise Unexpressed(f"{path} is a program or a picture, and neither is read")


def parsed(text: str, path: str) -> Any:
    """The value in a JSON or YAML text, told apart by the suffix of `path`."""
    try:
        return plain_yaml.loads(text) if suffix(path) in _YAML else nesting.loads(text)
    except Malformed as exc:
        raise Malformed(exc.what, path=path, pointer=exc.pointer, fix=exc.fix) from None


def lines(text: str, path: str) -> list[tuple[str, Any]]:
    """(place, value) of every line of JSON Lines."""
    found = []
    for nth, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append((f"line {nth}", nesting.loads(line)))
            except Malformed as exc:
                raise Malformed(exc.what, path=path, pointer=f"line {nth} {exc.pointer}".strip()) from None
    return found


def suffix(path: str) -> str:
    """The suffix of a file's name in small letters, without its dot; "" for none."""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def _normal(path: str) -> str:
    """The path without `.` and `..`."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return ("/" if path.startswith("/") else "") + "/".join(parts)
