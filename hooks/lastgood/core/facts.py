"""What the audit needs to know of each file: a pure function of its bytes, so it can be remembered by oid."""

from __future__ import annotations

from lastgood.core.layout import CATALOG, GOLDEN, HEAD, MIGRATIONS, RESTORE, SCHEMAS
from lastgood.core.prompt import content_sha256
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from lastgood.core.case import Golden
    from lastgood.errors import LastgoodError

# Raise it whenever a fact below gains or changes a meaning: remembered facts of other numbers are forgotten.
FORMAT = 5


@value(frozen=True)
class Bad:
    """A file that could not be read: why, where, and what mends it."""

    message: str
    pointer: str = ""
    fix: str = ""
    newer: bool = False  # of a format that only a newer lastgood reads


@value(frozen=True)
class Content:
    """A file that is hashed and not read: of a prompt, or of a completer."""

    sha256: str


@value(frozen=True)
class CaseFact:
    """One golden case, as far as the audit looks."""

    case_id: str
    version: int
    case_hash: str
    normalize: str
    output_schema: str
    pointer: str

    @property
    def key(self) -> tuple[str, int]:
        return self.case_id, self.version


@value(frozen=True)
class GoldenFact:
    """One file of golden cases."""

    prompt_id: str
    prompt_sha256: str
    cases: tuple[CaseFact, ...]


@value(frozen=True)
class SchemaFact:
    """A JSON Schema that compiles."""

    name: str


@value(frozen=True)
class HeadFact:
    """The one line of a HEAD file: the newest migration and its hash."""

    line: str


def of_path(path: str) -> Callable[[str, bytes], Any] | None:
    """The reader of a path under golden/ or baselines/; None for files that are only hashed."""
    folder, _, name = path.rpartition("/")
    if path.startswith(SCHEMAS):
        return _schema
    if path.startswith(GOLDEN):
        return _catalog if name == CATALOG else _golden
    if name == HEAD:
        return _head
    return _migration if folder.endswith("/" + MIGRATIONS) else _baseline


def bad_of(exc: LastgoodError) -> Bad:
    """The fact of a file that could not be read."""
    from lastgood.core.formats import Newer

    return Bad(exc.what, exc.pointer, exc.fix, isinstance(exc, Newer))


def read(
    reader: Callable[[str, bytes], Any] | None, path: str, data: bytes, golden: dict[str, Golden] | None = None
) -> Any:
    """The fact of one file; Bad when it is malformed. Into `golden`, by path, go the cases it was made of."""
    if reader is None:
        return Content(content_sha256(data))
    try:
        if golden is None or reader is not _golden:
            return reader(path, data)
        whole = _read_golden(path, data)
        fact = _golden_fact(whole)
        golden[path] = whole
        return fact
    except Malformed as exc:
        return bad_of(exc)


def of_part(part: str) -> Callable[[str, bytes], Content]:
    """The reader of a file of which only a part is the prompt."""
    from lastgood.core.part import part_of
    from lastgood.core.sha256 import sha256_hex

    return lambda path, data: Content(sha256_hex(part_of(part, path, data)))


def _golden(path: str, data: bytes) -> GoldenFact:
    return _golden_fact(_read_golden(path, data))


def _read_golden(path: str, data: bytes) -> Golden:
    from lastgood.core.case import read_golden

    if not path.endswith(".json"):
        raise Malformed("is no golden case: cases are .json files (notes may be .md)")
    return read_golden(path, data)


def _golden_fact(golden: Golden) -> GoldenFact:
    from lastgood.core.digest import canonical

    cases = tuple(
        CaseFact(
            case.id,
            case.version,
            case.case_hash,
            canonical(case.normalization.declared()),
            case.output_schema or "",
            case.pointer,
        )
        for case in golden.cases
    )
    return GoldenFact(golden.prompt_id, golden.prompt_sha256 or "", cases)


def _catalog(path: str, data: bytes) -> Any:
    from lastgood.core.catalog import read_catalog

    return read_catalog(path, data)


def _schema(path: str, data: bytes) -> SchemaFact:
    from lastgood.core import nesting
    from lastgood.core.schema import check_schema

    check_schema(nesting.loads(data))
    return SchemaFact(path.removeprefix(SCHEMAS).removesuffix(".json"))


def _no_line(path: str) -> Malformed:
    # Lines of both sides, as a merge by hand makes them, hold nothing that HEAD's commit does not.
    return Malformed("must be one line: the newest migration and its hash", fix=RESTORE + quoted(path))


def _head(path: str, data: bytes) -> HeadFact:
    try:
        line = data.decode("ascii")
    except UnicodeDecodeError:
        raise _no_line(path) from None
    if not line.endswith("\n") or line.count("\n") != 1 or len(line.split()) != 2:
        from lastgood.core.formats import NEWEST, newer, number_of_head

        if (number := number_of_head(line)) > NEWEST:
            raise newer(number)
        raise Malformed("holds conflict markers") if "<<<<<<<" in line else _no_line(path)
    return HeadFact(line.rstrip("\n"))


def _migration(path: str, data: bytes) -> Any:
    from lastgood.core.migration import read_migration

    return read_migration(path, data)


def _baseline(path: str, data: bytes) -> Any:
    from lastgood.core.baseline import read_baseline

    if not path.endswith(".json"):
        raise Malformed("is no baseline: only `lastgood record` writes here")
    return read_baseline(path, data)
