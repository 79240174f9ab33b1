"""Pending runs: answers not yet accepted, one journal a (completer, prompt) pair, a line an answer."""

from __future__ import annotations

import json
import os

from lastgood.core.value import TYPE_CHECKING, value
from lastgood.edge.folder import NAME, file_name, replace_file, run_folder
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lastgood.edge.completers import Answer

_FORMAT = 1


@value(frozen=True)
class Header:
    """What a run was taken of. `started_at` is UTC, ISO 8601 with Z."""

    prompt_id: str
    completer: str
    prompt_sha256: str
    suite_hash: str
    fingerprint: str
    command: tuple[str, ...]
    output: str
    started_at: str


@value(frozen=True)
class Recorded:
    """One answer as the journal keeps it: the exact text, or the error."""

    case_id: str
    version: int
    case_hash: str
    output: str | None
    error: str
    detail: str
    seconds: float


@value(frozen=True)
class Run:
    """A pending run; `answers` by (case id, version)."""

    header: Header
    answers: dict[tuple[str, int], Recorded]


def folder_of(root: str, completer: str, prompt_id: str) -> str:
    """The run's folder, made when missing."""
    return run_folder(root, "runs", completer, file_name(prompt_id))


class Journal:
    """Appends answers; each is in the file before `add` returns, so an interrupted run keeps what finished."""

    def __init__(self, root: str, header: Header) -> None:
        self.path = os.path.join(folder_of(root, header.completer, header.prompt_id), "run.jsonl")
        self._write_header(header)
        self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND)

    def _write_header(self, header: Header) -> None:
        first = {"lastgood_run": _FORMAT, **{name: getattr(header, name) for name in _HEADER}}
        try:
            replace_file(self.path, _line(first))
        except OSError as exc:
            raise _unwritable(self.path, exc) from None

    def add(self, case_id: str, version: int, case_hash: str, answer: Answer) -> None:
        line = {
            "id": case_id,
            "version": version,
            "case_hash": case_hash,
            "output": answer.output,
            "error": answer.error,
            "detail": answer.detail,
            "seconds": round(answer.seconds, 3),
        }
        rest = memoryview(_line(line))
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as exc:
            raise _unwritable(self.path, exc) from None

    def close(self) -> None:
        os.close(self._fd)


_HEADER = ("prompt_id", "completer", "prompt_sha256", "suite_hash", "fingerprint", "command", "output", "started_at")


def _line(found: Mapping[str, Any]) -> bytes:
    return (json.dumps(found) + "\n").encode("ascii")


def _unwritable(path: str, exc: OSError) -> LastgoodError:
    return LastgoodError(f"the run cannot be written: {exc.strerror}", path=path, fix=f"df -h . && ls -ld {NAME}")


def read_run(root: str, completer: str, prompt_id: str) -> Run | None:
    """The pending run of a pair, or None."""
    path = os.path.join(root, NAME, "runs", completer, file_name(prompt_id), "run.jsonl")
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise LastgoodError(f"the run cannot be read: {exc.strerror}", path=path, fix="lastgood eval") from None
    # What stands after the last line feed is the answer that a killed run was writing: it was never finished.
    try:
        header, *answers = [json.loads(line) for line in lines[:-1]]
        if header["lastgood_run"] != _FORMAT:
            raise ValueError
        kept = [
            Recorded(*(line[name] for name in ("id", "version", "case_hash", "output", "error", "detail", "seconds")))
            for line in answers
        ]
        found = Header(**{name: header[name] for name in _HEADER} | {"command": tuple(header["command"])})
        if not all(isinstance(header[name], str) for name in _HEADER if name != "command"):
            raise ValueError
        if not all(map(_sound, kept)):
            raise ValueError
        return Run(found, {(answer.case_id, answer.version): answer for answer in kept})
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LastgoodError("the run is not readable", path=path, fix="lastgood eval") from None


def _sound(answer: Recorded) -> bool:
    texts = (answer.case_id, answer.case_hash, answer.error, answer.detail)
    said = (isinstance(answer.output, str) and not answer.error) or (answer.output is None and bool(answer.error))
    return all(isinstance(text, str) for text in texts) and isinstance(answer.version, int) and said


def forget_run(root: str, completer: str, prompt_id: str) -> None:
    """Remove a run that was accepted, or will not be."""
    import shutil

    shutil.rmtree(os.path.join(root, NAME, "runs", completer, file_name(prompt_id)), ignore_errors=True)


def write_snapshot(root: str, area: str, completer: str, name: str, files: Mapping[str, bytes]) -> str:
    """Put exactly these bytes where a completer can read them; the folder that has them under their own paths.

    `area` keeps apart who asks: a commit must not change the files that a running evaluation reads. `name` is a
    prompt's id, or "" for files of the completer itself.
    """
    import shutil

    # What an earlier snapshot held and this one does not must not be there to be read.
    shutil.rmtree(os.path.join(run_folder(root, area, completer, file_name(name)), "files"), ignore_errors=True)
    top = run_folder(root, area, completer, file_name(name), "files")
    for path, data in files.items():
        target = os.path.join(top, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        replace_file(target, data, durable=False)
    return top
