"""Summary of a run, for lists."""

from datetime import datetime
from typing import TypeVar

from veridical.contracts.trace import AgentTrace, Answered, Routed, RunStarted, ToolCalled
from veridical.contracts.wire import Wire
from veridical.trace.counters import Counters, counters
from veridical.trace.timestamps import moment

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
