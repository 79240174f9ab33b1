"""Protocol `lines`: one process, a JSON line a request, a JSON line an answer, in any order.

Requests are pipelined: at most `jobs` of them are unanswered at once, so that one number bounds both how many a
concurrent completer works on and how many a death can touch.

Who is to blame when nobody can say. A completer that works through its lines in order was at the oldest unanswered
one when it died, fell silent or wrote a line that belongs to no request. That case fails. The others in flight are
suspects: each is asked again, once and alone, so that the next fault has one possible cause. So every fault fails a
case, the same ones in every run, and the call ends.

The timeout is on silence: seconds since the last answer (or since the first request after an idle moment). For a
completer that works in order this is the time of one case; counted from when a request was sent, the last of many in
flight would pay for all before it.
"""

from __future__ import annotations

from collections import deque

from lastgood.core.value import TYPE_CHECKING
from lastgood.edge.completers import wire, words
from lastgood.edge.completers.engine import NEVER, Child
from lastgood.edge.completers.job import Failed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from lastgood.edge.completers import Answer
    from lastgood.edge.completers.engine import Loop
    from lastgood.edge.completers.job import Job

_FRUITLESS = 5  # processes in a row that ended without one answer; the rest would fare no better
_LEAVE = 1.0  # seconds a completer has to end once its stdin is closed, or it has closed its stdout
_SILENCE = "it answered nothing; does it flush after each line?"


def complete(loop: Loop, job: Job) -> Iterator[list[Answer]]:
    """The answers, in lists as they come."""
    talk = _Talk(loop, job)
    while talk.todo or talk.flight:
        talk.ask()
        if talk.answers:  # only now: the completer is kept busy while the caller is
            yield talk.take()
        if talk.child and talk.child in loop.turn():
            talk.listen(talk.child)
    if talk.answers:
        yield talk.take()
    talk.leave()


class _Talk:
    """What was asked, of which process, and what came back."""

    def __init__(self, loop: Loop, job: Job) -> None:
        self.loop, self.job = loop, job
        self.child: Child | None = None
        self.todo = deque(range(len(job.requests)))
        self.flight: dict[int, float] = {}  # sent and unanswered, the oldest first → when it was sent
        self.answers: list[Answer] = []
        self._names = wire.names([request.id for request in job.requests])
        self._index = {name: index for index, name in enumerate(self._names)}
        self._answered: set[int] = set()
        self._suspects: set[int] = set()
        self._line = bytearray()  # the beginning of a line that has not ended
        self._fruitless = 0

    def take(self) -> list[Answer]:
        """The answers since the last time."""
        answers, self.answers = self.answers, []
        return answers

    def ask(self) -> None:
        """Sends what may be sent, to a new process when there is none."""
        if self.child is None:
            try:
                self.child = Child(self.loop, self.job.command(), self.job.environ())
            except (OSError, ValueError) as exc:
                self._fail_rest(*words.not_started(exc))
                return
        lines = []
        while self.todo and not self.child.silent and self._may_send(self.todo[0]):
            index = self.todo.popleft()
            now = self.loop.now()
            if not self.flight:
                self.child.deadline = now + self.job.completer.timeout_s
            self.flight[index] = now
            lines.append(wire.request(self._names[index], self.job.requests[index]))
        if lines:
            self.child.stdin.send(b"".join(lines))

    def _may_send(self, index: int) -> bool:
        if index in self._suspects or not self._suspects.isdisjoint(self.flight):
            return not self.flight
        return len(self.flight) < self.job.jobs

    def listen(self, child: Child) -> None:
        """Reads what the process has said, and sees whether it can still say anything."""
        limit = self.job.completer.max_output_bytes
        for line in self._lines(child):
            if len(line) > limit:
                self._fault(words.too_long(limit))
            elif line.strip():
                self._read(bytes(line))
            if self.child is not child:
                return  # a fault: what else it said is not to be trusted
        if len(self._line) > limit:
            self._fault(words.too_long(limit))
        elif child.status is not None:
            self._blame(words.ended(child.status))
        elif child.deadline <= self.loop.now():
            if child.silent:
                self._fault(words.ended(0))
            else:
                self._fault(words.timed_out(self.job.completer.timeout_s), "" if self._answered else _SILENCE)
        elif child.silent:  # how it ends says more than that it stopped talking
            child.deadline = min(child.deadline, self.loop.now() + _LEAVE)

    def _lines(self, child: Child) -> list[bytearray]:
        """The lines that have ended; at the end of the process, the last one even so."""
        data = child.take()
        self._line += data
        if child.status is not None:
            lines, self._line = self._line.split(b"\n"), bytearray()
        elif b"\n" in data:
            *lines, self._line = self._line.split(b"\n")
        else:
            lines = []
        return lines

    def _read(self, line: bytes) -> None:
        name, found, fault = wire.parsed(line, self.job.hidden)
        if name is None:
            self._fault(*fault)
            return
        index = self._index.get(name, -1)
        if index in self.flight:
            self._settle(index, found, fault)
        elif index in self._answered:
            self._distrust(words.failed("answered twice"), f"id {words.line(name, self.job.hidden)}")
        else:
            self._distrust(words.failed("unknown id"), f"id {words.line(name, self.job.hidden)} was not asked")

    def _settle(self, index: int, found: dict[str, Any], fault: tuple[str, str]) -> None:
        """The answer of one request, good or bad."""
        assert self.child is not None
        now = self.loop.now()
        seconds = now - self.flight.pop(index)
        self.child.deadline = now + self.job.completer.timeout_s if self.flight else NEVER
        self._answered.add(index)
        self._fruitless = 0
        try:
            self.answers.append(self.job.answer(index, wire.output(self.job, found, fault), seconds, found))
        except Failed as exc:
            self.answers.append(self.job.failure(index, exc.error, exc.detail, seconds))

    def _fault(self, error: str, detail: str = "") -> None:
        """The process cannot go on, and the case it was at fails."""
        assert self.child is not None
        self.child.stop()
        while self.child.status is None:  # two at once might fight over a port, a lock, a GPU
            self.loop.turn()
        if not self.flight and self.todo:
            self.flight[self.todo.popleft()] = self.loop.now()  # a fault between two cases fails the next
        self._blame(error, detail)

    def _blame(self, error: str, detail: str = "") -> None:
        """The process is gone. The oldest in flight fails, the others are suspects; an idle one may leave."""
        assert self.child is not None
        detail = "\n".join(filter(None, (detail, words.tail(self.child.stderr, self.job.hidden))))
        self.child, self._line = None, bytearray()
        if not self.flight:
            return
        self._fruitless += 1
        oldest, *suspects = self.flight
        seconds = self.loop.now() - self.flight[oldest]
        self.answers.append(self.job.failure(oldest, error, detail, seconds))
        self._suspects.update(suspects)
        self.todo.extendleft(reversed(suspects))
        self.flight = {}
        if self._fruitless == _FRUITLESS:
            self._fail_rest(error, f"not asked: {_FRUITLESS} processes in a row ended without an answer\n{detail}")

    def _distrust(self, error: str, detail: str) -> None:
        """Answers and cases no longer pair up: whichever were told apart by luck, none of the rest can be."""
        assert self.child is not None
        self.child.stop()
        self.child = None
        self._fail_rest(error, detail)

    def _fail_rest(self, error: str, detail: str) -> None:
        rest = [*self.flight, *self.todo]
        self.answers += [self.job.failure(index, error, detail) for index in rest]
        self.flight = {}
        self.todo.clear()

    def leave(self) -> None:
        """Everything is answered: the process gets to end by itself, but not to take its time."""
        child = self.child
        if child is None:
            return
        child.stdin.send(b"", last=True)
        child.deadline = self.loop.now() + _LEAVE
        while child.status is None:
            self.loop.turn()
            child.take()
            if child.deadline <= self.loop.now():
                child.stop()
