"""Run budgets (rounds, tokens, cost, time) and token prices."""

from dataclasses import dataclass

from pydantic import Field

from veridical.contracts.answer import Usage
from veridical.contracts.wire import Wire

DEFAULT_TIMEOUT = 120.0
"""Seconds that a provider may keep silent."""
_PER_MILLION = 1_000_000


class Budget(Wire):
    """The limits of one run; the first that is reached ends it."""

    rounds: int = Field(default=8, ge=1)
    """The model's answers, each with any number of tool calls."""
    tokens: int | None = Field(default=200_000, ge=1)
    """Tokens read and written, over all rounds."""
    cost: float | None = Field(default=None, gt=0)
    """In US dollars; needs the model's price."""
    wall_seconds: float = Field(default=300.0, gt=0)
    """Seconds in model and tool calls, which is all that takes time."""


class Price(Wire):
    """US dollars for a million tokens."""

    input: float = Field(ge=0)
    """For what the model reads."""
    output: float = Field(ge=0)
    """For what it writes."""
    cached_input: float | None = Field(default=None, ge=0)
    """The price of tokens read from the provider's cache; None for the price of input."""


@dataclass(frozen=True, slots=True)
class Spent:
    """An exhausted limit and its value."""

    limit: str
    value: float


def spent(budget: Budget, usage: Usage) -> Spent | None:
    """The first limit that leaves no room for another round."""
    tokens = usage.input_tokens + usage.output_tokens
    if usage.rounds >= budget.rounds:
        return Spent("rounds", usage.rounds)
    if budget.tokens is not None and tokens >= budget.tokens:
        return Spent("tokens", tokens)
    if budget.cost is not None and usage.cost is not None and usage.cost >= budget.cost:
        return Spent("cost", usage.cost)
    if seconds_left(budget, usage) <= 0:
        return Spent("wallSeconds", usage.elapsed_ms / 1000)
    return None


def seconds_left(budget: Budget, usage: Usage) -> float:
    """The wall time that remains."""
    return budget.wall_seconds - usage.elapsed_ms / 1000


def cost_of(
    price: Price | None, input_tokens: int, output_tokens: int, cached: int
) -> float | None:
    """The cost of these tokens; None if the price is not known. Cached tokens count as input."""
    if price is None:
        return None
    for_cached = price.input if price.cached_input is None else price.cached_input
    total = (input_tokens - cached) * price.input + cached * for_cached
    return (total + output_tokens * price.output) / _PER_MILLION


def counted(usage: Usage, input_tokens: int, output_tokens: int, cost: float | None) -> Usage:
    """The usage with one more request to the model; without a cost once one is not known."""
    return usage.model_copy(
        update={
            "rounds": usage.rounds + 1,
            "model_calls": usage.model_calls + 1,
            "input_tokens": usage.input_tokens + input_tokens,
            "output_tokens": usage.output_tokens + output_tokens,
            "cost": None if usage.cost is None or cost is None else usage.cost + cost,
        }
    )
