"""Which cases to ask, and how often: given a pending run, what it would be taken of now, and what was asked for."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lastgood.core.case import Case
    from lastgood.core.run import Header, Recorded, Run


@value(frozen=True)
class Plan:
    """What is left to ask of one prompt.

    `header` is that of the run as it will stand, `kept` the answers that stay in it, also of cases nobody asks for
    now, and `times` how often each wanted case is asked, by (id, version); 0 when it is answered already.
    """

    header: Header
    kept: dict[tuple[str, int], tuple[Recorded, ...]]
    times: dict[tuple[str, int], int]

    @property
    def to_ask(self) -> int:
        """How many answers are wanted."""
        return sum(self.times.values())

    @property
    def skipped(self) -> int:
        """How many wanted cases are answered already."""
        return sum(not times for times in self.times.values())

    def answered(self, case: Case) -> tuple[Recorded, ...]:
        """The answers that a case has already."""
        return self.kept.get((case.id, case.version), ())


def plan(header: Header, cases: Iterable[Case], run: Run | None, *, anew: bool = False) -> Plan:
    """The plan for `cases`, `header.repeat` answers each, on top of a pending `run` of the same pin.

    A run of another pin answers nothing. An answer counts while its case is the one it was given to, and also when it
    breaks an assertion: to ask until one passes would be to wait for a lucky one. A completer's failure is no answer.
    `anew` lets no answer count.
    """
    goes_on = run is not None and run.header.pin == header.pin
    kept = dict(run.answers) if run and goes_on else {}
    times = {}
    for case in cases:
        key = (case.id, case.version)
        held = run.of(*key, case.case_hash) if run and goes_on and not anew else ()
        kept[key] = tuple(answer for answer in held if answer.output is not None)
        times[key] = max(0, header.repeat - len(kept[key]))
    return Plan(header, {key: answers for key, answers in kept.items() if answers}, times)
