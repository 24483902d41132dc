"""Answers questions in the server's own process, without a worker: known questions take
milliseconds."""

from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Annotated
from uuid import uuid4

from fastapi import Depends, Request

from veridical.answering.flow import answer
from veridical.answering.session import Emit, Session
from veridical.contracts.answer import Answer
from veridical.contracts.approvals import NO_APPROVALS
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.progress import Progress
from veridical.contracts.question import Question
from veridical.contracts.trace import AgentTrace, Event, RunStarted
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.concurrency_limit import ConcurrencyLimit
from veridical.server.identity import Identity, NotEntitledError
from veridical.server.interceptions import Interceptions
from veridical.server.metrics import Metrics
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.trace_writer import TraceWriter

Emitted = Event | Progress
"""Made once: a function inside of another would make its annotations anew for every request."""


def ignore_event(event: Emitted) -> None:
    """Event listener that does nothing."""


class Answerer:
    """Answers entitled callers within a concurrency limit, and saves the traces."""

    def __init__(
        self,
        current: CurrentRuntime,
        metrics: Metrics,
        traces: TraceWriter,
        limit: ConcurrencyLimit,
        interceptions: Interceptions,
    ) -> None:
        self._current = current
        self._metrics = metrics
        self._traces = traces
        self._limit = limit
        self._interceptions = interceptions

    def caller(self, identity: Identity, feature: str, language: Language) -> Caller:
        """This identity as the feature's caller. Raises ``ProblemError``.

        A feature that exists but is not open to them looks like one that does not exist.
        """
        shared = self._current.now.shared_tables.get(feature, frozenset())
        try:
            if feature not in self._current.now.features:
                raise NotEntitledError(feature)
            return identity.caller(feature, language, shared)
        except NotEntitledError as error:
            known = ", ".join(self.features(identity)) or "-"
            raise ProblemError(ProblemCode.FEATURE_NOT_FOUND, known=known) from error

    def features(self, identity: Identity) -> tuple[str, ...]:
        """The features that this identity may use."""
        return tuple(sorted(identity.scope.keys() & self._current.now.features.keys()))

    def needs_person(self, feature: str) -> bool:
        """Whether its questions may need a person's approval, so that only a durable run can
        answer."""
        return self._current.now.approvals.get(feature, NO_APPROVALS) != NO_APPROVALS

    def session(self, feature: str, caller: Caller, emit: Emit = ignore_event) -> Session:
        """The session that answers this caller's questions."""
        return self._current.session(feature, caller, emit)

    def place(self, identity: Identity) -> AbstractContextManager[None]:
        """Holds one slot of the concurrency limit. Raises ``ProblemError`` on entering."""
        return self._limit.slot(identity)

    def keep(self, trace: AgentTrace) -> None:
        """Write this trace in the background."""
        self._traces.keep(trace)

    async def answer(
        self, identity: Identity, question: Question, caller: Caller, listen: Emit = ignore_event
    ) -> Answer:
        """The answer to a question about the feature that it names. Raises ``ProblemError``."""
        events: list[Event] = []

        def note(event: Emitted) -> None:
            if isinstance(event, RunStarted):
                event = event.model_copy(update={"tenant": identity.tenant})
            if not isinstance(event, Progress):
                events.append(event)
            listen(event)

        trace_id = str(uuid4())
        watch = self._interceptions.of(identity.tenant)
        session = replace(self.session(question.feature, caller, note), watch_gate=watch)
        with self.place(identity):
            try:
                given = await answer(question, session, trace_id=trace_id)
            finally:
                if events:
                    self.keep(AgentTrace(trace_id=trace_id, events=tuple(events)))
        self._metrics.answered(question.feature, given)
        return given


async def answerer_of(request: Request) -> Answerer:
    """The answerer of the application that received this request."""
    return request.app.state.answerer


AnswererDep = Annotated[Answerer, Depends(answerer_of)]
