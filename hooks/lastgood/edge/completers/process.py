"""Protocol `process`: one process a request, several at once; stdin is the input, stdout the completion."""

from __future__ import annotations

import errno
from collections import deque

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers import words
from lastgood.edge.completers.engine import Child
from lastgood.edge.completers.job import Failed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lastgood.edge.completers import Answer
    from lastgood.edge.completers.engine import Loop
    from lastgood.edge.completers.job import Job

# Out of descriptors, processes or memory: fewer at once will do.
_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)


class _Running:
    """A process and the request it answers."""

    def __init__(self, index: int, child: Child) -> None:
        self.index, self.child = index, child
        self.since = child.loop.now()
        self.error = ""


def complete(loop: Loop, job: Job) -> Iterator[list[Answer]]:
    """The answers, in lists as they come."""
    waiting = deque(range(len(job.requests)))
    running: dict[Child, _Running] = {}
    at_once = job.jobs
    answers: list[Answer] = []
    while waiting or running:
        while waiting and len(running) < at_once:
            try:
                case = _start(loop, job, waiting[0])
            except (OSError, ValueError) as exc:
                if running and getattr(exc, "errno", None) in _SHORTAGES:
                    at_once = max(1, len(running) * 3 // 4)  # not all that is left: the caller opens files too
                    break
                answers.append(job.failure(waiting.popleft(), *words.not_started(exc)))
            else:
                running[case.child] = case
                waiting.popleft()
        if answers:  # only now: the machine is kept busy while the caller is
            yield answers
            answers = []
        for child in loop.turn() if running else ():
            case = running[child]
            if child.status is None:
                _judge(job, case)
            else:
                del running[child]
                answers.append(_answer(job, case))
    if answers:
        yield answers


def _start(loop: Loop, job: Job, index: int) -> _Running:
    request = job.requests[index]
    stdin = job.stdin(request)
    child = Child(loop, job.command(), job.environ(request))
    child.stdin.send(stdin, last=True)
    child.deadline = loop.now() + job.completer.timeout_s
    return _Running(index, child)


def _judge(job: Job, case: _Running) -> None:
    """Ends a process that has written too much or taken too long."""
    if case.child.size > job.completer.max_output_bytes:
        case.error = case.error or words.too_long(job.completer.max_output_bytes)
    elif case.child.deadline <= case.child.loop.now():
        case.error = case.error or words.timed_out(job.completer.timeout_s)
    if case.error:
        case.child.stop()


def _answer(job: Job, case: _Running) -> Answer:
    """What a process that has ended said."""
    child, seconds = case.child, case.child.loop.now() - case.since
    complaint = words.tail(child.stderr, job.hidden)
    assert child.status is not None
    if not case.error and child.size > job.completer.max_output_bytes:
        case.error = words.too_long(job.completer.max_output_bytes)
    if case.error or child.status:
        return job.failure(case.index, case.error or words.ended(child.status), complaint, seconds)
    try:
        return job.answer(case.index, child.take().decode("utf-8"), seconds)
    except UnicodeDecodeError as exc:
        return job.failure(case.index, *words.bad_utf8(exc), seconds)
    except Failed as exc:
        return job.failure(case.index, exc.error, exc.detail, seconds)
