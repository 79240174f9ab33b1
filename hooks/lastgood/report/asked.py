"""What `eval` says around its cases: before asking, while it waits, and what it took."""

from __future__ import annotations

from lastgood.core.sha256 import SHORT
from lastgood.core.shell import quoted
from lastgood.core.value import TYPE_CHECKING
from lastgood.report.printable import printable
from lastgood.report.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lastgood.core.plan import Plan
    from lastgood.core.usage import Usage


def announcement(plan: Plan, pinned: str) -> str:
    """`billing: moved 480df93bb0d6 → b1d2c7c96848, 9 cases (2 answered already), completer stub`.

    `pinned` is the prompt hash that the baseline was taken of, "" where there is no baseline.
    """
    header = plan.header
    now, then = header.prompt_sha256[:SHORT], pinned[:SHORT]
    state = f"moved {then} → {now}" if then and then != now else f"{now} {'pinned' if then else 'no baseline'}"
    already = f" ({plan.skipped} answered already)" if plan.skipped else ""
    often = f", {header.repeat} answers each" if header.repeat > 1 else ""
    cases = counted(len(plan.times), "case")
    return f"{printable(header.prompt_id)}: {state}, {cases}{already}{often}, completer {header.completer}"


def took(asked: int, skipped: int, seconds: float, usage: Usage, price: Sequence[float]) -> str:
    """What an evaluation took: `9 answers in 2.1 s, 1204 tokens in, 310 out, cost 0.0004`."""
    already = f"{counted(skipped, 'case')} answered already; --all asks anew" if skipped else ""
    if not asked:
        return f"nothing asked: {already}"
    line = f"{counted(asked, 'answer')} in {duration(seconds)}{_used(usage, asked, price)}"
    return f"{line}\n{already}" if already else line


def would_ask(plans: Sequence[Plan], command: Sequence[str], usage: Usage | None, price: Sequence[float]) -> str:
    """What a run would do. `usage` is what it would use as far as earlier answers tell, None when they do not."""
    wanted = sum(plan.to_ask for plan in plans)
    skipped = sum(plan.skipped for plan in plans)
    cases = sum(map(bool, (times for plan in plans for times in plan.times.values())))
    lines = [f"would ask for {counted(wanted, 'answer')} to {counted(cases, 'case')}, {skipped} answered already"]
    if wanted:
        lines.append(f"command  {printable(' '.join(map(quoted, command)))}")
    if wanted and usage:
        lines.append(f"estimate{_used(usage, usage.answers, price).lstrip(',')}, as earlier answers used")
    return "\n".join([*lines, "nothing was asked, nothing written"])


def _used(usage: Usage, asked: int, price: Sequence[float]) -> str:
    if not usage.answers:
        return ""
    some = f" (told by {usage.answers})" if usage.answers != asked else ""
    tokens = f", {usage.input_tokens} tokens in, {usage.output_tokens} out{some}"
    return f"{tokens}, cost {money(usage.cost(price))}" if price else tokens


def money(cost: float) -> str:
    """An amount in the unit of the configured price; small ones are not rounded to nothing."""
    return f"{cost:.2f}" if cost >= 1 else f"{cost:.4f}"


def duration(seconds: float) -> str:
    """`0.4 s`, `2 min 5 s`, `1 h 3 min`."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def progress(done: int, total: int, found: dict[str, int], seconds: float) -> str:
    """`12/200 answers, 3 moved, 0 failed, 2.1/s, 1 min 30 s left`."""
    moved = sum(found.get(status, 0) for status in ("DIFF", "NEW", "UNSTABLE"))
    parts = [f"{done}/{total} answers", f"{moved} moved", f"{found.get('FAIL', 0)} failed"]
    if done and seconds > 0:
        parts += [f"{done / seconds:.1f}/s", f"{duration((total - done) * seconds / done)} left"]
    return ", ".join(parts)
