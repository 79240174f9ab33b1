"""What answers report of themselves beside what they say: a model, tokens, a latency. Never part of a digest."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

_MOST_MODELS = 20
_LONGEST = 200  # characters of a model's name
# Vendors count differently: what one calls prompt tokens holds what was cached, another tells that apart.
_INPUT = ("input_tokens", "prompt_tokens")
_OUTPUT = ("output_tokens", "completion_tokens")
_INPUT_TOO = ("cache_creation_input_tokens", "cache_read_input_tokens")


@value(frozen=True)
class Reported:
    """What one answer reports; None and "" where it does not. Tokens are whole numbers, `latency_s` seconds."""

    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_s: float | None = None

    def declared(self) -> dict[str, Any]:
        """As an answer line and a journal hold it; nothing where nothing was reported."""
        usage = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        counted = {name: count for name, count in usage.items() if count is not None}
        found = {"model": self.model, "usage": counted, "latency_s": self.latency_s}
        return {name: told for name, told in found.items() if told not in ("", None, {})}


NOTHING = Reported()


@value(frozen=True)
class Usage:
    """Tokens of several answers, of which `answers` told theirs."""

    answers: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def cost(self, price: Sequence[float]) -> float:
        """What they cost at a price of (input, output) a million tokens, in the price's own unit."""
        return (self.input_tokens * price[0] + self.output_tokens * price[1]) / 1_000_000

    def of(self, answers: int) -> Usage:
        """What as many answers of this kind would use; nothing when nobody told."""
        share = answers / self.answers if self.answers else 0
        return Usage(answers, round(self.input_tokens * share), round(self.output_tokens * share))


def reported_in(found: Mapping[str, Any]) -> Reported:
    """What an object reports under `model`, `usage` and `latency_s`; what is of another kind is not reported."""
    model, usage = found.get("model"), found.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    tokens_in = _tokens(usage, _INPUT)
    if tokens_in is not None:
        tokens_in += sum(_tokens(usage, (name,)) or 0 for name in _INPUT_TOO)
    return Reported(
        model=model[:_LONGEST] if isinstance(model, str) and model.isprintable() else "",
        input_tokens=tokens_in,
        output_tokens=_tokens(usage, _OUTPUT),
        latency_s=_seconds(found.get("latency_s")),
    )


def _seconds(found: Any) -> float | None:
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found < 1e9:
        return None
    return float(found)


def _tokens(usage: Mapping[str, Any], names: Iterable[str]) -> int | None:
    return next((usage[name] for name in names if type(usage.get(name)) is int and 0 <= usage[name] < 10**15), None)


def total(told: Iterable[Reported]) -> Usage:
    """The tokens of all that report any."""
    counted = [one for one in told if one.input_tokens is not None or one.output_tokens is not None]
    return Usage(
        len(counted), sum(one.input_tokens or 0 for one in counted), sum(one.output_tokens or 0 for one in counted)
    )


def added(usages: Iterable[Usage]) -> Usage:
    """All of them together."""
    each = list(usages)
    return Usage(
        sum(one.answers for one in each), sum(one.input_tokens for one in each), sum(one.output_tokens for one in each)
    )


def models_of(told: Iterable[Reported]) -> tuple[str, ...]:
    """The names that models gave, sorted, each once. Of a great many the last counts the rest."""
    names = sorted({one.model for one in told} - {""})
    more = len(names) - _MOST_MODELS
    return (*names[:_MOST_MODELS], f"{more} more") if more > 0 else tuple(names)
