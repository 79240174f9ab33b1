"""Completers asked elsewhere: each request is one task of a concurrent.futures Executor, such as a Dask cluster's."""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, wait
from contextlib import closing, contextmanager

from lastgood.core.value import TYPE_CHECKING, replace
from lastgood.edge.completers import Answer, ask, words
from lastgood.errors import LastgoodError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from lastgood.core.config import Completer
    from lastgood.edge.completers import Request


def spread(
    executor: Executor, completer: Completer, requests: Sequence[Request], *, cwd: str, jobs: int
) -> Generator[Answer, None, None]:
    """Exactly one answer a request, as they come; at most `jobs` are with the executor at once.

    A task runs `completer` (protocol `process`) in `cwd` on whatever machine takes it, with that machine's own
    environment: no value of ours travels. A task that is lost is the executor's to start again; one that it gives up
    is a failure of its case.
    """
    todo = deque(range(len(requests)))
    under_way: dict[Future[Answer], int] = {}
    try:
        while todo or under_way:
            answers: list[Answer] = []
            while todo and len(under_way) < jobs:
                index = todo.popleft()
                try:
                    under_way[executor.submit(answer_one, completer, requests[index], cwd)] = index
                except Exception as exc:  # a pool that is broken or was shut down takes nothing more
                    answers.append(_lost(exc, requests, index))
            if under_way:
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                answers += [_answer(task, requests, under_way.pop(task)) for task in done]
            yield from answers
    finally:
        for task in under_way:
            task.cancel()


def spreading(executor: Executor) -> Callable[..., Generator[Answer, None, None]]:
    """`ask`, but by way of `executor`."""

    def asker(
        completer: Completer, requests: Sequence[Request], *, cwd: str, environ: object, jobs: int | None
    ) -> Generator[Answer, None, None]:
        del environ  # it stays on this machine
        return spread(executor, completer, requests, cwd=cwd, jobs=jobs or completer.jobs)

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
def dask_executor(scheduler: str) -> Iterator[Executor]:
    """The executor of a running Dask cluster; LastgoodError when there is none at that address."""
    try:
        import distributed
    except ImportError:
        raise LastgoodError("Dask is not installed here", fix="pip install 'lastgood[dask]'") from None
    try:
        client = distributed.Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as exc:
        raise LastgoodError(f"no Dask scheduler answers at {scheduler}: {exc}", fix="dask scheduler") from None
    try:
        if not client.nthreads():
            raise LastgoodError(f"the Dask scheduler at {scheduler} has no worker", fix=f"dask worker {scheduler}")
        yield client.get_executor()
    finally:
        client.close(timeout=5)
