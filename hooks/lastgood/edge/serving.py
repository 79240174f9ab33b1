"""The completer's own side of both protocols: requests in, answers out. The engine's side is `edge/completers`."""

from __future__ import annotations

import json
import os
import sys
import threading
from queue import SimpleQueue

from lastgood.core import nesting
from lastgood.core.value import TYPE_CHECKING, value
from lastgood.errors import LastgoodError, Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import IO, Any


@value(frozen=True)
class Asked:
    """One request, by whichever protocol it came."""

    case_id: str
    prompt_id: str
    input: dict[str, Any]
    prompt_files: tuple[str, ...]
    tools: tuple[str, ...] | None


@value(frozen=True)
class Said:
    """A completion, and what is known of how it came about: `model`, `usage`, … where the other end tells."""

    output: str
    reported: dict[str, Any]


def serve(
    complete: Callable[[Asked], Said],
    *,
    in_flight: int,
    explain: Callable[[LastgoodError], str],
    environ: Mapping[str, str] = os.environ,
) -> None:
    """Answer what stdin asks, by the protocol it is asked in.

    `process` where a prompt file stands in the environment: one request, its output to stdout; errors are raised.
    `lines` otherwise: until stdin ends, `in_flight` of them at once, each answered as it is ready; `explain` puts an
    error into words.
    """
    if "LASTGOOD_PROMPT_FILE" in environ:
        sys.stdout.write(complete(_from_environment(sys.stdin.buffer.read(), environ)).output)
        return
    _Lines(complete, explain, sys.stdout.buffer).run(sys.stdin.buffer, in_flight)


def _from_environment(data: bytes, environ: Mapping[str, str]) -> Asked:
    payload = nesting.loads(data)
    if not isinstance(payload, dict):
        raise Malformed("the request on stdin must be one JSON object")
    file = environ["LASTGOOD_PROMPT_FILE"]
    files = _texts(environ.get("LASTGOOD_PROMPT_FILES", "null"), "LASTGOOD_PROMPT_FILES")
    return Asked(
        case_id=environ.get("LASTGOOD_CASE_ID", ""),
        prompt_id=str(payload.pop("prompt_id", "")),
        input=payload,
        prompt_files=files or (file,),
        tools=_texts(environ.get("LASTGOOD_CASE_TOOLS", "null"), "LASTGOOD_CASE_TOOLS"),
    )


def _texts(text: str, name: str) -> tuple[str, ...] | None:
    return _list(nesting.loads(text), name)


def _list(found: Any, name: str) -> tuple[str, ...] | None:
    if found is not None and not (isinstance(found, list) and all(isinstance(one, str) for one in found)):
        raise Malformed(f"{name} must be a JSON list of texts or null")
    return None if found is None else tuple(found)


def _from_line(found: dict[str, Any]) -> Asked:
    payload, file = found.get("input"), found.get("prompt_file")
    if not isinstance(payload, dict) or not isinstance(file, str):
        raise Malformed("a request must hold an input, an object, and a prompt_file")
    files = _list(found.get("prompt_files"), "prompt_files")
    tools = _list(found.get("tools"), "tools")
    return Asked(str(found["id"]), str(found.get("prompt_id", "")), payload, files or (file,), tools)


class _Lines:
    """Protocol `lines`: threads, since nearly all of the time is spent in waiting for somebody else."""

    def __init__(
        self, complete: Callable[[Asked], Said], explain: Callable[[LastgoodError], str], out: IO[bytes]
    ) -> None:
        self._complete, self._explain, self._out = complete, explain, out
        self._lock = threading.Lock()  # lines must not mix
        self._idle = threading.Semaphore(0)
        self._todo: SimpleQueue[dict[str, Any] | None] = SimpleQueue()

    def run(self, lines: Iterable[bytes], in_flight: int) -> None:
        threads: list[threading.Thread] = []
        for line in lines:
            self._todo.put(_request(line))
            if not self._idle.acquire(blocking=False) and len(threads) < in_flight:
                # daemon: whoever interrupts this must not wait for answers that nobody will read
                threads.append(threading.Thread(target=self._work, daemon=True))
                threads[-1].start()
        for _ in threads:
            self._todo.put(None)
        for thread in threads:
            thread.join()

    def _work(self) -> None:
        while (found := self._todo.get()) is not None:
            answer = json.dumps({"id": found["id"], **self._answer(found)}).encode("ascii") + b"\n"
            try:
                with self._lock:
                    self._out.write(answer)
                    self._out.flush()
            except OSError:  # nobody reads any more
                os._exit(4)
            self._idle.release()

    def _answer(self, found: dict[str, Any]) -> dict[str, Any]:
        try:
            said = self._complete(_from_line(found))
            return {"output": said.output, **said.reported}
        except LastgoodError as exc:
            return {"error": self._explain(exc)}
        except Exception as exc:
            import traceback

            traceback.print_exc()
            return {"error": f"unexpected {type(exc).__name__}; this is a fault of lastgood, please report it"}


def _request(line: bytes) -> dict[str, Any]:
    found = nesting.loads(line)
    if not isinstance(found, dict) or not isinstance(found.get("id"), str):
        raise Malformed("a request must be a line of JSON, an object with an id", fix="lastgood complete --help")
    return found
