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

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TypeVar

from veridical.contracts.language import Language
from veridical.contracts.proof import Verdict
from veridical.contracts.trace import (
    AgentTrace,
    Answered,
    Event,
    Gated,
    ModelCalled,
    Routed,
    RunStarted,
    ToolCalled,
)
from veridical.contracts.violation import Code
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.trace.timestamps import ended, moment

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


class CountedTrace(AgentTrace):
    """A run with its counters."""

    counters: Counters


def with_counters(trace: AgentTrace) -> CountedTrace:
    """The run with its counters."""
    return CountedTrace(trace_id=trace.trace_id, events=trace.events, counters=counters(trace))


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


Target = tuple[str, str, str]
"""The tool, the file and the table of a call."""


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """One call with its outcome."""

    call: ToolCalled
    is_repair: bool = False
    """Whether it repeats a call that was refused in an earlier round."""
    is_deflected: bool = False
    """Whether it was refused, and the model turned to something else."""

    @property
    def is_failure(self) -> bool:
        """Whether it was refused before it ran."""
        return self.call.validation_failure_code is not None

    @property
    def is_success_after_repair(self) -> bool:
        """Whether it repairs a refused call, and succeeded."""
        return self.is_repair and self.call.success


def call_outcomes(trace: AgentTrace) -> tuple[CallOutcome, ...]:
    """Every tool call of a run, in order, with its outcome."""
    calls = [event for event in trace.events if isinstance(event, ToolCalled)]
    repairs: set[int] = set()
    deflected: set[int] = set()
    refused: dict[Target, list[int]] = {}
    unanswered: dict[Target, int] = {}
    for numbers in _rounds(calls):
        by_target = _by_target(calls, numbers)
        if by_target.keys() - unanswered.keys():
            turned_from = unanswered.keys() - by_target.keys()
            deflected.update(unanswered.pop(target) for target in turned_from)
        for target, siblings in by_target.items():
            repairs.update(_repairs(calls, siblings, len(refused.get(target, ()))))
            refused[target] = [
                number for number in siblings if calls[number].validation_failure_code is not None
            ]
            unanswered.pop(target, None)
            if refused[target]:
                unanswered[target] = refused[target][-1]
    return tuple(
        CallOutcome(call, is_repair=number in repairs, is_deflected=number in deflected)
        for number, call in enumerate(calls)
    )


def _rounds(calls: Sequence[ToolCalled]) -> Iterable[list[int]]:
    """The calls by number, those of one round together."""
    order = sorted(range(len(calls)), key=lambda number: calls[number].round)
    for _, numbers in groupby(order, key=lambda number: calls[number].round):
        yield list(numbers)


def _by_target(calls: Sequence[ToolCalled], numbers: Iterable[int]) -> dict[Target, list[int]]:
    found: defaultdict[Target, list[int]] = defaultdict(list)
    for number in numbers:
        found[_target(calls[number])].append(number)
    return dict(found)


def _target(call: ToolCalled) -> Target:
    table = call.arguments.get("tableName")
    if call.validation_failure_code == Code.TABLE_NOT_FOUND:
        table = (call.error_details or {}).get("suggestion") or table
    return (call.tool, _name(call.arguments.get("fileName")), _name(table))


def _name(given: object) -> str:
    return given.casefold() if isinstance(given, str) else ""


def _repairs(calls: Sequence[ToolCalled], siblings: Iterable[int], refused: int) -> list[int]:
    """One sibling for each refused call, those that worked first: the others ask something new."""
    return sorted(siblings, key=lambda number: not calls[number].success)[:refused]


Kind = TypeVar("Kind")


class TraceSummary(Wire):
    """Question, route and outcome of a run. What has not happened yet is none."""

    trace_id: str
    started_at: datetime | None = None
    question: str | None = None
    caller: str | None = None
    tenant: str | None = None
    route: str | None = None
    outcome: str | None = None
    counters: Counters


def summary_of(trace: AgentTrace) -> TraceSummary:
    """The summary of a run."""
    started, routed = first_of(trace, RunStarted), first_of(trace, Routed)
    answered = first_of(trace, Answered)
    return TraceSummary(
        trace_id=trace.trace_id,
        started_at=moment(started.at) if started else None,
        question=started.question.text if started else None,
        caller=started.caller if started else None,
        tenant=started.tenant if started else None,
        route=routed.route if routed else None,
        outcome=answered.answer.kind.value if answered else _fate(trace, routed),
        counters=counters(trace),
    )


def _fate(trace: AgentTrace, routed: Routed | None) -> str | None:
    """The outcome of a call that is a run by itself: the code of its refusal, or that it ran."""
    called = first_of(trace, ToolCalled) if routed and routed.route == "tool" else None
    if called is None:
        return None
    return "ran" if called.success else called.validation_failure_code or "failed"


def first_of(trace: AgentTrace, kind: type[Kind]) -> Kind | None:
    """The first event of this kind."""
    return next((event for event in trace.events if isinstance(event, kind)), None)


def rows_found(call: ToolCalled, language: Language) -> str:
    """The number of rows that a call found, in words."""
    rows = call.receipt.row_count if call.receipt else 0
    return message("cli.ask_row" if rows == 1 else "cli.ask_rows", language, rows=rows)
