"""Completers asked elsewhere: each request is one task of a concurrent.futures Executor, such as a Dask cluster's."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from contextlib import closing, contextmanager
from time import monotonic

from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.edge.completers import Answer, ask, words
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from lastgood.core.config import Completer
    from lastgood.edge.completers import Request


_ASKED = 5.0  # seconds that a scheduler has to say who works for it
_LOOK = 1.0  # seconds without an answer before the executor is looked at


def spread(
    executor: Executor,
    completer: Completer,
    requests: Sequence[Request],
    *,
    cwd: str,
    jobs: int,
    working: Callable[[], bool] = lambda: True,
    say: Callable[[str], None] = lambda _text: None,
    resume: str = "",
) -> Generator[Answer, None, None]:
    """Exactly one answer a request, as they come; at most `jobs` are with the executor at once.

    A task runs `completer` (protocol `process`) in `cwd` on whatever machine takes it, with that machine's own
    environment: no value of ours travels. A task that is lost is the executor's to start again; one that it gives up
    is a failure of its case. While `working` says that nobody is there to take tasks, they wait, which is told to
    `say`, as long as a completer may take to answer; then LastgoodError, with `resume` as the command that goes on.
    """
    todo = deque(range(len(requests)))
    under_way: dict[Future[Answer], int] = {}
    idle = _Idle(working, completer.timeout_s, say)
    try:
        while todo or under_way:
            answers: list[Answer] = []
            while todo and len(under_way) < jobs:
                index = todo.popleft()
                try:
                    under_way[executor.submit(answer_one, completer, requests[index], cwd)] = index
                except Exception as exc:  # a pool that is broken or was shut down takes nothing more
                    answers.append(_lost(exc, requests, index))
            if under_way and not answers:
                done, _ = wait(under_way, timeout=_LOOK, return_when=FIRST_COMPLETED)
                answers += [_answer(task, requests, under_way.pop(task)) for task in done]
            yield from answers
            if idle.over(answered=bool(answers)):
                left = len(todo) + len(under_way)
                raise LastgoodError(
                    f"no worker of the cluster for {completer.timeout_s:g}s (timeout_s of the completer "
                    f"{completer.name!r}): {left} {'answer is' if left == 1 else 'answers are'} missing, "
                    "those that came are kept",
                    fix=resume,
                )
    finally:
        for task in under_way:
            task.cancel()


class _Idle:
    """How long nobody has been there to take tasks."""

    def __init__(self, working: Callable[[], bool], patience: float, say: Callable[[str], None]) -> None:
        self._working, self._patience, self._say = working, patience, say
        self._since: float | None = None

    def over(self, *, answered: bool) -> bool:
        """Whether it is too long by now."""
        if answered or self._working():
            self._since = None
            return False
        now = monotonic()
        if self._since is None:
            self._since = now
            self._say(f"no worker of the cluster is left; waiting up to {self._patience:g}s for one")
        return now - self._since >= self._patience


def spreading(
    executor: Executor,
    working: Callable[[], bool] = lambda: True,
    say: Callable[[str], None] = lambda _text: None,
    resume: str = "",
) -> Callable[..., Generator[Answer, None, None]]:
    """`ask`, but by way of `executor`; the rest is as in `spread`."""

    def asker(
        completer: Completer, requests: Sequence[Request], *, cwd: str, environ: object, jobs: int | None
    ) -> Generator[Answer, None, None]:
        del environ  # it stays on this machine
        most = jobs or completer.jobs
        return spread(executor, completer, requests, cwd=cwd, jobs=most, working=working, say=say, resume=resume)

    return asker


def answer_one(completer: Completer, request: Request, cwd: str) -> Answer:
    """What runs on the other machine."""
    with closing(ask(completer, [request], cwd=cwd, environ=os.environ, jobs=1)) as coming:
        return next(coming)


def _answer(task: Future[Answer], requests: Sequence[Request], index: int) -> Answer:
    try:
        return replace(task.result(), index=index)
    except (Exception, CancelledError) as exc:  # whatever a scheduler raises: the case has no answer, and that is why
        return _lost(exc, requests, index)


def _lost(exc: BaseException, requests: Sequence[Request], index: int) -> Answer:
    detail = words.line(f"{type(exc).__name__}: {exc}", ())
    return Answer(requests[index].id, None, words.failed("lost by the executor"), detail, index=index)


@contextmanager
def dask_executor(scheduler: str) -> Iterator[tuple[Executor, Callable[[], bool]]]:
    """The executor of a running Dask cluster, and whether a worker is there; LastgoodError when none is at first."""
    try:
        import distributed
    except ImportError:
        raise LastgoodError("Dask is not installed here", fix="pip install 'lastgood[dask]'") from None
    import logging

    logging.disable()  # a cluster that went is one sentence of ours; Dask logs tracebacks, by many loggers
    try:
        client = distributed.Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as exc:
        raise LastgoodError(f"no Dask scheduler answers at {scheduler}: {exc}", fix="dask scheduler") from None

    def working() -> bool:
        try:
            found = client.sync(client.scheduler.identity, callback_timeout=_ASKED)
        except Exception:  # a scheduler that is gone, hangs, or is being looked for again: it raises what it likes
            return False
        return any(one.get("status", "running") == "running" for one in found["workers"].values())

    try:
        if not working():
            raise LastgoodError(f"the Dask scheduler at {scheduler} has no worker", fix=f"dask worker {scheduler}")
        yield client.get_executor(), working
    finally:
        client.close(timeout=5)
