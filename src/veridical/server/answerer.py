"""Answers questions in the server's own process, without a worker: known questions take
milliseconds."""

import asyncio
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Annotated, Any
from uuid import uuid4

from fastapi import Depends, Request, Response

from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Emit, Session
from veridical.contracts.answer import Answer
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.question import Question, Turn
from veridical.contracts.step import Progress
from veridical.contracts.trace import AgentTrace, Event, RunStarted
from veridical.host.current_runtime import CurrentRuntime
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.state import RunState
from veridical.server.body_types import written
from veridical.server.identity import Identity, NotEntitledError
from veridical.server.limits import ConcurrencyLimit
from veridical.server.metrics import Interceptions, Metrics
from veridical.server.openapi import problems
from veridical.server.pending_answer import Emitted, Outcome
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services
from veridical.server.trace_writer import TraceWriter


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

    def chosen_feature(self, identity: Identity, named: str = "") -> str:
        """The named feature if this identity may use it, else the first; empty if there is none."""
        features = self.features(identity)
        return named if named in features else next(iter(features), "")

    def needs_person(self, feature: str) -> bool:
        """Whether its questions may need a person's approval, so that only a durable run can
        answer."""
        return self._current.now.approvals.get(feature, NO_APPROVALS) != NO_APPROVALS

    def session(self, feature: str, caller: Caller, emit: Emit = ignore_event) -> Session:
        """The session that answers this caller's questions."""
        return self._current.session(feature, caller, emit)

    async def refresh(self, identity: Identity) -> None:
        """Look for the known questions that this identity's tenant has certified meanwhile."""
        if (certified := self._current.now.certified) is not None:
            await certified.refresh(identity.tenant)

    def place(self, identity: Identity) -> AbstractContextManager[None]:
        """Holds one slot of the concurrency limit. Raises ``ProblemError`` on entering."""
        return self._limit.slot(identity)

    def keep(self, trace: AgentTrace) -> None:
        """Write this trace in the background."""
        self._traces.keep(trace)

    def _session(self, name: str, about: Feature | None, caller: Caller, emit: Emit) -> Session:
        if about is None:
            return self.session(name, caller, emit)
        return self._current.now.session_about(about, caller, emit)

    async def answer(
        self,
        identity: Identity,
        question: Question,
        caller: Caller,
        listen: Emit = ignore_event,
        about: Feature | None = None,
    ) -> Answer:
        """The answer to a question about the feature that it names, or ``about`` one that the
        caller brought along. Raises ``ProblemError``."""
        events: list[Event] = []

        def note(event: Emitted) -> None:
            if isinstance(event, RunStarted):
                event = event.model_copy(update={"tenant": identity.tenant})
            if not isinstance(event, Progress):
                events.append(event)
            listen(event)

        await self.refresh(identity)
        trace_id = str(uuid4())
        watch = self._interceptions.of(identity.tenant)
        session = replace(self._session(question.feature, about, caller, note), watch_gate=watch)
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


MOST_CHARACTERS = 16_000
"""Limit of all earlier turns together. Each is read word by word, so it limits time too."""


def recent_turns(question: Question) -> Question:
    """The question with the most recent of its earlier turns, at least one."""
    kept: list[Turn] = []
    left = MOST_CHARACTERS
    for turn in reversed(question.thread):
        left -= len(turn.question) + len(turn.answer)
        if kept and left < 0:
            break
        kept.append(turn)
    if len(kept) == len(question.thread):
        return question
    return question.model_copy(update={"thread": tuple(reversed(kept))})


async def dispatch_question(
    services: Services,
    here: Answerer,
    identity: Identity,
    question: Question,
    caller: Caller,
    listen: Emit = ignore_event,
) -> Outcome:
    """The answer, or the run that was started because the feature needs approvals.

    Raises ``ProblemError``.
    """
    question = recent_turns(question)
    if here.needs_person(question.feature):
        return await start_run(services, identity, question, caller)
    return await here.answer(identity, question, caller, listen)


async def start_run(
    services: Services,
    identity: Identity,
    question: Question,
    caller: Caller,
    approvals: Approvals = NO_APPROVALS,
    idempotency_key: str | None = None,
) -> RunState:
    """The run that answers this question, with all that its caller may see frozen in.

    Raises ``IdempotencyConflictError``.
    """
    request = RunRequest(
        feature=question.feature,
        question=recent_turns(question),
        caller=FrozenCaller.of(caller),
        approvals=approvals,
    )
    return await asyncio.to_thread(
        services.runs.start,
        request,
        identity.tenant,
        identity.name,
        idempotency_key,
        identity.people,
    )


STARTS_A_RUN: dict[str, Any] = {
    "status_code": 202,
    "response_model": RunState,
    "response_description": "The run that was started, or the one that this key started before.",
    "responses": {202: {"headers": {"Location": {"schema": {"type": "string"}}}}}
    | problems(404, 409, body=True),
}
"""What the reference says of a route whose response is ``started_response``."""


def started_response(state: RunState) -> Response:
    """The response that a run was started, with its location."""
    return Response(
        written(state),
        202,
        headers={"location": f"/v1/runs/{state.run_id}"},
        media_type="application/json",
    )
