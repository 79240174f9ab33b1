"""Runs completers: any command, JSON on stdin, UTF-8 on stdout.

`ask` is the whole interface. Below it `process` and `lines` are the two protocols, `engine` and `spawn` the mechanics
of child processes, `command` what is started, `words` how failures are said.
"""

from __future__ import annotations

from time import monotonic

from lastgood.core.usage import NOTHING, Reported
from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any

    from lastgood.core.config import Completer


@value(frozen=True)
class Request:
    """One frozen input to be completed.

    `prompt_file` is a file that holds exactly the bytes that `prompt_sha256` (64 hex) is of; `prompt_files` are all of
    the prompt's, that one first, in the order declared. `tools`: names of those the case allows, None for any.
    """

    id: str
    prompt_id: str
    input: dict[str, Any]
    prompt_file: str
    prompt_sha256: str
    prompt_files: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None

    @property
    def files(self) -> list[str]:
        """All files of the prompt."""
        return list(self.prompt_files or (self.prompt_file,))


@value(frozen=True)
class Answer:
    """What came back for the request at position `index`.

    `output` is None exactly when there is an `error`: a stable string such as `completer_failed:exit 3`,
    `completer_timeout:60s` or `bad_utf8`; `detail` is text for people (the end of stderr, an offset). `seconds` is how
    long the completer had the request; `reported` what it says of itself.
    """

    id: str
    output: str | None
    error: str = ""
    detail: str = ""
    seconds: float = 0.0
    index: int = 0
    reported: Reported = NOTHING


def ask(
    completer: Completer,
    requests: Sequence[Request],
    *,
    cwd: str,
    environ: Mapping[str, str],
    jobs: int | None = None,
) -> Generator[Answer, None, None]:
    """Exactly one answer a request, as they come, in any order; whatever the completer does, it ends.

    Ids may repeat (one case of two prompts, one case asked again): `index` tells them apart. `jobs` (the completer's
    own unless given) bounds what is under way at once: processes, or requests of a `lines` completer. Raises nothing
    of its own. When the iterator is closed, or an exception passes through it, every process it started is gone; hold
    it in `contextlib.closing` where the loop over it may be left early.
    """
    from lastgood.edge.completers import lines, process
    from lastgood.edge.completers.engine import Loop
    from lastgood.edge.completers.job import Job

    protocol = {"process": process.complete, "lines": lines.complete}[completer.protocol]
    if not requests:
        return
    with Loop() as loop:
        job = Job(completer, requests, cwd=cwd, environ=environ, jobs=jobs or completer.jobs)
        for answers in protocol(loop, job):
            handed_over = monotonic()
            yield from answers
            # A caller that takes its time (a person reading, a slow disk) must not make completers time out.
            loop.away += monotonic() - handed_over
