"""Questions answered in the server's own process: known ones take milliseconds and no worker."""

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
from veridical.host.current import CurrentRuntime
from veridical.server.identity import Identity, NotEntitledError
from veridical.server.interceptions import Interceptions
from veridical.server.metrics import Metrics
from veridical.server.places import Places
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.trace_writer import TraceWriter


def unheard(event: Event | Progress) -> None:
    """Nobody listens."""


class Asking:
    """Answers for whoever is entitled, as many at once as was set, and keeps the traces."""

    def __init__(
        self,
        current: CurrentRuntime,
        metrics: Metrics,
        traces: TraceWriter,
        places: Places,
        interceptions: Interceptions,
    ) -> None:
        self._current = current
        self._metrics = metrics
        self._traces = traces
        self._places = places
        self._interceptions = interceptions

    def caller(self, identity: Identity, feature: str, language: Language) -> Caller:
        """This person as the feature knows them. Raises ``ProblemError``.

        What there is but not for them is told like what there is not.
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
        """The features that are open to this person."""
        return tuple(sorted(identity.scope.keys() & self._current.now.features.keys()))

    def needs_person(self, feature: str) -> bool:
        """Whether its questions may have to wait for somebody, so that only a run can answer."""
        return self._current.now.approvals.get(feature, NO_APPROVALS) != NO_APPROVALS

    def session(self, feature: str, caller: Caller, emit: Emit = unheard) -> Session:
        """Where this caller's questions are answered."""
        return self._current.session(feature, caller, emit)

    def place(self, identity: Identity) -> AbstractContextManager[None]:
        """One of the places for those who are answered. Raises ``ProblemError`` on entering."""
        return self._places.one(identity)

    def keep(self, trace: AgentTrace) -> None:
        """Have this trace written, in the background."""
        self._traces.keep(trace)

    async def answer(
        self, identity: Identity, question: Question, caller: Caller, listen: Emit = unheard
    ) -> Answer:
        """The answer to a question about the feature that it names. Raises ``ProblemError``."""
        events: list[Event] = []

        def note(event: Event | Progress) -> None:
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


async def asking_of(request: Request) -> Asking:
    """Where the application that got this request answers."""
    return request.app.state.asking


AsksHere = Annotated[Asking, Depends(asking_of)]
