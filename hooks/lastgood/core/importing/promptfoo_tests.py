"""The tests of a promptfoo configuration, wherever they stand: in it, or in files of YAML, JSON, JSON Lines or CSV."""

from __future__ import annotations

import re

from lastgood.core.importing.drafts import Loss, Unexpressed
from lastgood.core.importing.sources import REFERENCE, lines, suffix
from lastgood.core.strict_json import escape
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from lastgood.core.importing.sources import Sources

_ELSEWHERE = ("http://", "https://", "huggingface://", "sharepoint://", "s3://")
_DEEPEST = 10  # files that name files
_COMPACT = re.compile(r"(not-)?([a-z0-9:-]+?)(?:\((\d+(?:\.\d+)?)\))?(?::([\s\S]*))?")
_LEGACY = {"fn": "javascript", "eval": "javascript", "grade": "llm-rubric"}


@value(frozen=True)
class Test:
    """One test as its file has it; `pointer` is a JSON Pointer, or a line of a file of lines."""

    path: str
    pointer: str
    found: dict[str, Any]


class Tests:
    """Collects tests and, in `losses`, what is none."""

    def __init__(self, sources: Sources, types: frozenset[str]) -> None:
        self._sources, self._types = sources, types
        self.losses: list[Loss] = []

    def of(self, path: str, pointer: str, found: Any, depth: int = 0) -> Iterator[Test]:
        """The tests in a value: an object is one, a string names a file of them, a list holds several."""
        if isinstance(found, list):
            for nth, inner in enumerate(found):
                yield from self.of(path, f"{pointer}/{nth}", inner, depth + 1)
        elif isinstance(found, str):
            yield from self._file(path, pointer, found, depth)
        elif isinstance(found, dict) and isinstance(found.get("path"), str) and "assert" not in found:
            if "config" in found:
                self._lose(path, f"{pointer}/config", "config", "is handed to a program, and none is run")
            yield from self._file(path, f"{pointer}/path", found["path"], depth)
        elif isinstance(found, dict):
            yield Test(path, pointer, found)
        elif found is not None:
            self._lose(path, pointer, "test", "is no test: must be an object, or name a file")

    def _file(self, path: str, pointer: str, reference: str, depth: int) -> Iterator[Test]:
        if depth > _DEEPEST:
            self._lose(path, pointer, "tests", "files name files, and these too many in a row")
            return
        if reference.startswith(_ELSEWHERE):
            self._lose(path, pointer, reference[:60], "lies elsewhere, and nothing is ever fetched")
            return
        target = self._sources.beside(path, reference)
        try:
            every = self._sources.names(target) if "*" in target else [target]
            if not every:
                self._lose(path, pointer, reference[:60], "names no file that is there")
            for name in every:
                yield from self._tests_in(path, pointer, name, depth)
        except (LastgoodError, ValueError) as exc:
            self._lose(path, pointer, reference[:60], exc.what if isinstance(exc, LastgoodError) else str(exc))

    def _tests_in(self, path: str, pointer: str, name: str, depth: int) -> Iterator[Test]:
        kind = suffix(name)
        if kind == "csv":
            yield from self._rows(name)
        elif kind in ("jsonl", "ndjson"):
            for place, found in lines(self._sources.text(name), name):
                yield from self.of(name, place, found, depth + 1)
        elif kind in ("json", "yaml", "yml"):
            yield from self.of(name, "", self._sources.document(name), depth + 1)
        else:
            self._lose(path, pointer, name, f"is no file of tests that is read (.{kind or '?'}): CSV, JSON or YAML is")

    def _rows(self, name: str) -> Iterator[Test]:
        import csv

        try:
            rows = list(csv.reader(self._sources.text(name).splitlines(keepends=True), strict=True))
        except csv.Error as exc:
            self._lose(name, "", name, f"not CSV: {exc}")
            return
        if not rows:
            self._lose(name, "", name, "is empty")
            return
        head = [title.strip() for title in rows[0]]
        if len(set(head)) < len(head):
            self._lose(name, "row 1", name, "two columns have one name")
            return
        for nth, row in enumerate(rows[1:], 2):
            if len(row) > len(head):
                self._lose(name, f"row {nth}", name, "has more cells than the head has names")
            elif any(cell.strip() for cell in row):
                yield Test(name, f"row {nth}", self._of_row(dict(zip(head, row, strict=False)), name, f"row {nth}"))

    def _of_row(self, row: dict[str, str], name: str, place: str) -> dict[str, Any]:
        found: dict[str, Any] = {"vars": {}, "assert": []}
        for title, cell in row.items():
            if title.startswith("__expected"):
                found["assert"] += [self.compact(cell)] if cell.strip() else []
            elif title == "__description" and cell:
                found["description"] = cell
            elif title == "__threshold" and cell.strip():
                found["threshold"] = _number(cell)
            elif title in ("__prefix", "__suffix") and cell:
                found.setdefault("options", {})[title[2:]] = cell
            elif title == "__providerOutput" and cell:
                found["providerOutput"] = cell
            elif title.startswith("__config") and cell.strip():
                self._lose(name, place, title, "is a setting of an assertion; write such tests in YAML")
            elif not title.startswith("__"):
                found["vars"][title] = cell
        return found

    def compact(self, text: str) -> dict[str, Any]:
        """An assertion in one string, as the cells of a CSV file have it; a text alone must be the whole answer."""
        kind, colon, rest = text.partition(":")
        if colon and kind in _LEGACY:
            return {"type": _LEGACY[kind], "value": rest}
        if text.startswith(REFERENCE):
            return {"type": "javascript" if ".py" not in text else "python", "value": text}
        found = _COMPACT.fullmatch(text)
        if not found or found[2] not in self._types:
            return {"type": "equals", "value": text}
        held: dict[str, Any] = {"type": (found[1] or "") + found[2]}
        if found[4] is not None:
            held["value"] = found[4].strip()
        return held | ({"threshold": _number(found[3])} if found[3] else {})

    def _lose(self, path: str, pointer: str, name: str, why: str) -> None:
        self.losses.append(Loss(path, pointer, name, why))


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def resolved(root: Any, reference: Any) -> Any:
    """What `{"$ref": "#/…"}` stands for in the configuration; Unexpressed where it is not there."""
    from lastgood.core.strict_json import resolve

    if not isinstance(reference, str) or not reference.startswith("#"):
        raise Unexpressed("refers to something outside of the configuration")
    try:
        return resolve(root, reference[1:])
    except KeyError:
        raise Unexpressed(f"refers to {reference!r}, which is not there") from None


def pointed(pointer: str, *names: object) -> str:
    """A place inside a test: below its JSON Pointer, or after its line."""
    rest = "".join(f"/{escape(str(name))}" for name in names)
    return f"{pointer} {rest}" if pointer[:1] not in ("", "/") else pointer + rest
