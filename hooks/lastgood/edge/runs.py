"""Pending runs: answers not yet accepted, one journal a (completer, prompt) pair, a line an answer."""

from __future__ import annotations

import json
import os

from lastgood.core.formats import NEWEST, refuse_newer
from lastgood.core.run import Header, Recorded, Run
from lastgood.core.usage import NOTHING, Usage, reported_in
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.folder import NAME, file_name, replace_file, run_folder
from lastgood.errors import LastgoodError, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from lastgood.core.usage import Reported
    from lastgood.edge.completers import Answer

_MOST_REPEATS = 1_000_000
_NUMBER = "answer"


def folder_of(root: str, completer: str, prompt_id: str) -> str:
    """The run's folder, made when missing."""
    return run_folder(root, "runs", completer, file_name(prompt_id))


def locked(root: str, completer: str, prompt_id: str) -> Any:
    """A context in which nobody else asks this completer this prompt, or records what it said; Refused otherwise."""
    from filelock import FileLock, Timeout

    # Not in the run's own folder: that one is removed when the run is recorded.
    path = os.path.join(run_folder(root, "locks", completer), file_name(prompt_id) + ".lock")
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise Refused(
            f"another lastgood is at {prompt_id} with {completer}", fix="wait for it to end, then run this again"
        ) from None
    except OSError as exc:
        raise _unwritable(path, exc) from None
    return lock


class Journal:
    """Appends answers; each is in the file before `add` returns, so an interrupted run keeps what finished.

    It begins with what is kept of an earlier run, put in its place at once: until then the earlier one stands.
    """

    def __init__(self, root: str, header: Header, kept: Iterable[Recorded] = ()) -> None:
        self.path = os.path.join(folder_of(root, header.completer, header.prompt_id), "run.jsonl")
        first = {"lastgood_run": NEWEST, **{name: getattr(header, name) for name in _HEADER}}
        self._counted: dict[tuple[str, int, str], int] = {}
        lines = [first | {"repeat": header.repeat, "only": header.only}, *map(self._numbered, kept)]
        try:
            replace_file(self.path, b"".join(map(_line, lines)))
            self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        except OSError as exc:
            raise _unwritable(self.path, exc) from None

    def add(self, case_id: str, version: int, case_hash: str, answer: Answer) -> None:
        parts = (answer.output, answer.error, answer.detail, round(answer.seconds, 3))
        rest = memoryview(_line(self._numbered(Recorded(case_id, version, case_hash, *parts, answer.reported))))
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as exc:
            raise _unwritable(self.path, exc) from None

    def _numbered(self, answer: Recorded) -> dict[str, Any]:
        """Its line. The number tells a second answer from a line that stands there twice."""
        key = (answer.case_id, answer.version, answer.case_hash)
        self._counted[key] = self._counted.get(key, 0) + 1
        return _kept(answer) | {_NUMBER: self._counted[key]}

    def close(self) -> None:
        os.close(self._fd)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_HEADER = ("prompt_id", "completer", "prompt_sha256", "suite_hash", "fingerprint", "command", "output", "started_at")


def _kept(answer: Recorded) -> dict[str, Any]:
    line = {
        "id": answer.case_id,
        "version": answer.version,
        "case_hash": answer.case_hash,
        "output": answer.output,
        "error": answer.error,
        "detail": answer.detail,
        "seconds": answer.seconds,
    }
    return line if answer.reported is NOTHING else line | answer.reported.declared()


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
        refuse_newer(json.loads(lines[0]), path=path, key="lastgood_run", pointer="/lastgood_run")
        header, *answers = [json.loads(line) for line in lines[:-1]]
        found = _header(header)
        if (found.completer, found.prompt_id) != (completer, prompt_id):
            raise ValueError
        kept: dict[tuple[str, int], list[Recorded]] = {}
        for line in _once(answers):
            answer = Recorded(*[*(line[name] for name in _ANSWER), _reported(line)])
            if not _sound(answer):
                raise ValueError
            kept.setdefault((answer.case_id, answer.version), []).append(answer)
        return Run(found, {key: tuple(several) for key, several in kept.items()})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableRun("the run is not readable", path=path, fix="lastgood eval") from None


def _once(lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines without those that are another's double; ValueError for two answers of one number."""
    seen: dict[tuple[Any, ...], dict[str, Any]] = {}
    for line in lines:
        number = line.get(_NUMBER)
        if number is None:  # written before answers had one
            yield line
            continue
        first = seen.setdefault((line["id"], line["version"], line["case_hash"], number), line)
        if first is line:
            yield line
        elif first != line or type(number) is not int:
            raise ValueError


def _header(line: dict[str, Any]) -> Header:
    """The first line; ValueError, KeyError or TypeError when it is something else."""
    texts = {name: line[name] for name in _HEADER if name != "command"}
    command, only, repeat = line["command"], line.get("only", []), line.get("repeat", 1)
    sound = line["lastgood_run"] == NEWEST and type(repeat) is int and 0 < repeat <= _MOST_REPEATS
    if not (sound and isinstance(command, list) and isinstance(only, list)):
        raise ValueError
    if not all(isinstance(text, str) for text in (*texts.values(), *command, *only)):
        raise ValueError
    return Header(**texts, command=tuple(command), repeat=repeat, only=tuple(only))


def set_aside(root: str, completer: str, prompt_id: str) -> None:
    """Keep a run that cannot be read beside the one that takes its place: what it holds may have been paid for."""
    path = os.path.join(root, NAME, "runs", completer, file_name(prompt_id), "run.jsonl")
    try:
        os.replace(path, path + ".unreadable")
    except OSError as exc:
        raise _unwritable(path, exc) from None


class UnreadableRun(LastgoodError):
    """A journal that holds something else. A new run may take its place; nothing can go on with it."""


_ANSWER = ("id", "version", "case_hash", "output", "error", "detail", "seconds")


def _reported(line: dict[str, Any]) -> Reported:
    return reported_in(line) if len(line) - (_NUMBER in line) > len(_ANSWER) else NOTHING


def _sound(answer: Recorded) -> bool:
    texts = (answer.case_id, answer.case_hash, answer.error, answer.detail)
    said = (isinstance(answer.output, str) and not answer.error) or (answer.output is None and bool(answer.error))
    counted = type(answer.version) is int and isinstance(answer.seconds, (int, float))
    return all(isinstance(text, str) for text in texts) and counted and said


def forget_run(root: str, completer: str, prompt_id: str) -> None:
    """Remove a run that was accepted, or will not be."""
    import shutil

    shutil.rmtree(os.path.join(root, NAME, "runs", completer, file_name(prompt_id)), ignore_errors=True)


def remember_usage(root: str, completer: str, prompt_id: str, usage: Usage) -> None:
    """Keep what the answers of a prompt used, for estimates of the next run: the run itself goes when it is recorded.

    Nothing is said where it cannot be kept: an estimate is all that is lost.
    """
    try:
        path = os.path.join(run_folder(root, "usage", completer), file_name(prompt_id) + ".json")
        counts = {"answers": usage.answers, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
        replace_file(path, _line(counts), durable=False)
    except (OSError, LastgoodError):
        return


def usage_before(root: str, completer: str, prompt_id: str) -> Usage:
    """What the answers of the last run that told any used; nothing where none did."""
    path = os.path.join(root, NAME, "usage", completer, file_name(prompt_id) + ".json")
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read())
        counts = [found[name] for name in ("answers", "input_tokens", "output_tokens")]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Usage()
    return Usage(*counts) if all(type(count) is int and 0 <= count < 10**18 for count in counts) else Usage()


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
