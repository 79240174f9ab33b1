"""The lines of protocol `lines`, one by one: how a request is written, and what an answer line holds."""

from __future__ import annotations

import json

from lastgood.core import strict_json
from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers import words
from lastgood.edge.completers.job import Failed, as_text
from lastgood.errors import Malformed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from lastgood.edge.completers import Request
    from lastgood.edge.completers.job import Job
    from lastgood.edge.completers.words import Hidden

SOUND = ("", "")


def names(ids: Sequence[str]) -> list[str]:
    """Each request's id on the wire: its own, with `#2` and so on where it repeats."""
    taken = set(ids)
    given: dict[str, None] = {}
    for name in ids:
        unique, number = name, 2
        while unique in given or (number > 2 and unique in taken):
            unique, number = f"{name}#{number}", number + 1
        given[unique] = None
    return list(given)


def request(name: str, asked: Request) -> bytes:
    """One request, with its newline."""
    line = {
        "id": name,
        "prompt_id": asked.prompt_id,
        "prompt_file": asked.prompt_file,
        "prompt_files": asked.files,
        "prompt_sha256": asked.prompt_sha256,
        "tools": asked.tools,
        "input": asked.input,
    }
    # Escapes, not UTF-8: some languages' line readers (Node's) also end a line at U+2028.
    return json.dumps(line).encode("ascii") + b"\n"


def parsed(line: bytes, hidden: Hidden) -> tuple[str | None, dict[str, Any], tuple[str, str]]:
    """Whose answer a line is, the object, and what is wrong with it (error and detail; SOUND when nothing is).

    None when nobody can say whose; there is always something wrong then.
    """
    text = line.decode("utf-8", "backslashreplace")
    fault = SOUND
    try:
        found = strict_json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as exc:
        found, fault = _leniently(text), words.bad_utf8(exc)
    except Malformed as exc:
        where = f" at {exc.pointer}" if exc.pointer else ""
        found, fault = _leniently(text), _bad_line(f"{exc.what}{where}: {words.line(text, hidden)}")
    name = found.get("id") if isinstance(found, dict) else None
    if isinstance(name, str):
        return name, found, fault
    return None, {}, fault if fault != SOUND else _bad_line(f"no object with an id: {words.line(text, hidden)}")


def output(job: Job, found: dict[str, Any], fault: tuple[str, str]) -> str:
    """The output that an answer line holds; Failed when it holds none."""
    if fault != SOUND:
        raise Failed(*fault)
    if ("output" in found) == ("error" in found):
        raise Failed(*_bad_line("an answer holds either output or error"))
    if "error" in found:
        raise Failed(words.failed(words.line(as_text(found["error"]), job.hidden) or "no reason given"))
    if not isinstance(found["output"], (str, dict, list)):
        raise Failed(*_bad_line("output must be a string, an object or a list"))
    return as_text(found["output"])


def _bad_line(detail: str) -> tuple[str, str]:
    return words.failed("bad line"), detail


def _leniently(text: str) -> Any:
    """Read only to tell whose line it is."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
