"""Counters of a run, from its events alone.

A *validation failure* is a tool call that was refused: it carries a ``validationFailureCode``.
A *repair attempt* is a call of a later round, by the same tool on the same table, after that tool
failed on that table. It is a *success after repair* when it works. A *deflection* is a failure
after which the next call, in a later round, goes to another tool or another table.

The finer points:

- Calls of one round are siblings: none repairs another. Of several siblings on one table, at most
  as many count as repairs as calls were refused before; refused together, they make one deflection.
- Tools are independent: what one tool achieves repairs no other tool's failure. While the model
  mends one of several failures, the others wait; they are deflected when it turns to anything new.
- Nothing after a failure is no deflection: the model gave up or answered.
- A table that doesn't exist stands for the one that the refusal suggested, so following the
  suggestion is a repair. Tools without a table have one target each; SQL is not looked into.
"""

from collections.abc import Sequence

from veridical.contracts.proof import Verdict
from veridical.contracts.trace import AgentTrace, Event, Gated, ModelCalled
from veridical.contracts.wire import Wire
from veridical.trace.call_outcomes import call_outcomes
from veridical.trace.timestamps import ended

_MS = 1000


class Counters(Wire):
    """The counters of one run."""

    validation_failures: int = 0
    repair_attempts: int = 0
    success_after_repair: int = 0
    deflections: int = 0
    answers_blocked: int = 0
    """Attempts that the answer gate held back."""
    tool_calls: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    """In US dollars; none when a model's price is not known."""
    elapsed_ms: float = 0.0
    """From the first event to the end of the last."""


def counters(trace: AgentTrace) -> Counters:
    """The counters of a run, from its events."""
    found = call_outcomes(trace)
    model_calls = [event for event in trace.events if isinstance(event, ModelCalled)]
    return Counters(
        validation_failures=sum(fate.is_failure for fate in found),
        repair_attempts=sum(fate.is_repair for fate in found),
        success_after_repair=sum(fate.is_success_after_repair for fate in found),
        deflections=sum(fate.is_deflected for fate in found),
        answers_blocked=sum(_is_blocked(event) for event in trace.events),
        tool_calls=len(found),
        model_calls=len(model_calls),
        input_tokens=sum(call.input_tokens for call in model_calls),
        output_tokens=sum(call.output_tokens for call in model_calls),
        cost=_cost(model_calls),
        elapsed_ms=_elapsed_ms(trace.events),
    )


def _is_blocked(event: Event) -> bool:
    return isinstance(event, Gated) and event.verdict is Verdict.BLOCK


def _elapsed_ms(events: Sequence[Event]) -> float:
    if not events:
        return 0.0
    return (max(map(ended, events)) - min(event.at for event in events)) * _MS


def _cost(calls: Sequence[ModelCalled]) -> float | None:
    """A call that used tokens at no known price makes the whole unknown."""
    if any(call.cost is None and call.input_tokens + call.output_tokens for call in calls):
        return None
    return sum(call.cost or 0.0 for call in calls)
