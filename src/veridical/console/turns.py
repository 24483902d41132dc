"""The turns of a conversation as they are shown: each question with its answer and its steps."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request

from veridical.console.answer_view import AnswerView, answer_view
from veridical.console.page import language_of
from veridical.console.step_view import StepView, step_of
from veridical.contracts.proof import Proof
from veridical.contracts.question import Turn
from veridical.contracts.trace import AgentTrace, Answered, RunStarted
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services
from veridical.server.trace_writer import TraceWriter
from veridical.trace.counters import first_of
from veridical.trace.held_back import held_back


@dataclass(frozen=True, slots=True)
class TurnView:
    """A question with its answer and the steps between."""

    trace_id: str
    question: str
    feature: str
    steps: tuple[StepView, ...]
    view: AnswerView | None
    held_back: Proof | None = None


async def turns_of(
    request: Request,
    services: Services,
    identity: Identity,
    thread: Sequence[str],
    *,
    kept: bool = False,
) -> tuple[TurnView, ...]:
    """The turns of these runs. Raises ``ProblemError`` where the tenant does not have one; of a
    kept conversation, those that are gone are left out."""
    writer: TraceWriter = request.app.state.trace_writer
    for trace_id in thread:
        await writer.settled(trace_id)

    def load() -> list[AgentTrace | None]:
        return [services.traces.load(each, identity.tenant) for each in thread]

    found = await asyncio.to_thread(load) if thread else []
    if not kept and any(trace is None for trace in found):
        raise ProblemError(ProblemCode.NOT_FOUND)
    return tuple(_turn(trace, request) for trace in found if trace is not None)


async def answered_turn(
    request: Request, services: Services, identity: Identity, trace_id: str
) -> tuple[TurnView, AnswerView]:
    """A turn with its answer. Raises ``ProblemError`` where the tenant has no such answer."""
    turn = (await turns_of(request, services, identity, [trace_id]))[0]
    if turn.view is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return turn, turn.view


def _turn(trace: AgentTrace, request: Request) -> TurnView:
    language = language_of(request)
    started, answered = first_of(trace, RunStarted), first_of(trace, Answered)
    shown = [event for event in trace.events if not isinstance(event, RunStarted | Answered)]
    return TurnView(
        trace_id=trace.trace_id,
        question=started.question.text if started else "",
        feature=started.question.feature if started else "",
        steps=tuple(step_of(event, language) for event in shown),
        view=answer_view(answered.answer, trace.events) if answered else None,
        held_back=held_back(answered.answer, trace.events) if answered else None,
    )


def past_turn(turn: TurnView) -> Turn:
    """The turn as a question after it takes it."""
    text = turn.view.answer.text if turn.view else ""
    return Turn(question=turn.question, answer=text)
