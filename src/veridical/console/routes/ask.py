"""``/console/ask``: the conversation, with live steps and answers whose figures are marked."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse, StreamingResponse

from veridical.console.answer_view import AnswerView, answer_view
from veridical.console.conversation import (
    Conversation,
    conversation,
    conversation_in,
    remember,
    remembered,
)
from veridical.console.form import field, form_of
from veridical.console.handover import handed_over
from veridical.console.held_back import held_back
from veridical.console.live_run import sse_message
from veridical.console.maintenance import is_maintainer
from veridical.console.page import HX_REQUEST, language_of, page, rendered
from veridical.console.routes.signin import inside
from veridical.console.step_view import StepView, progress_text, step_of
from veridical.contracts.answer import Answer
from veridical.contracts.progress import Progress
from veridical.contracts.proof import Proof
from veridical.contracts.question import MOST_TURNS, Question, Turn
from veridical.contracts.trace import AgentTrace, Answered, Event, RunStarted
from veridical.runs.state import RunState
from veridical.server.answerer import Answerer, AnswererDep, Emitted
from veridical.server.auth import AskAccess, ReadAccess
from veridical.server.dispatch import dispatch_question
from veridical.server.identity import Action, Identity
from veridical.server.problem import ProblemCode, ProblemError, problem_of
from veridical.server.routes.false_blocks import FalseBlockRequest, keep_report
from veridical.server.services import Services, ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE
from veridical.server.trace_writer import TraceWriter
from veridical.tools.suggested_questions import Suggestion, all_questions
from veridical.trace.summary import first_of

router = APIRouter(prefix="/console/ask")

_LONGEST_QUESTION = 4_000
_LONGEST_NOTE = 2_000
Thread = Annotated[tuple[str, ...], Query(max_length=100)]


@dataclass(frozen=True, slots=True)
class TurnView:
    """A question with its answer and the steps between."""

    trace_id: str
    question: str
    feature: str
    steps: tuple[StepView, ...]
    view: AnswerView | None
    held_back: Proof | None = None


@router.get("")
async def show(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    here: AnswererDep,
    t: Thread = (),
    feature: str = "",
    q: str = "",
    new: bool = False,
) -> Response:
    """The conversation of the address, else the one that the browser was in; with known
    questions."""
    features = here.features(identity)
    turns: tuple[TurnView, ...] = ()
    if t:
        turns = await _turns(request, services, identity, t[-MOST_TURNS:])
    elif not new:
        turns = await _still_there(request, services, identity, remembered(request))
    wanted = (feature, *(turn.feature for turn in turns[-1:]), *features)
    chosen = next((each for each in wanted if each in features), "")
    now = conversation(chosen, (turn.trace_id for turn in turns))
    may_ask = Action.ASK in identity.actions
    follows = may_ask and bool(features)
    shown = page(
        request,
        "ask.html",
        features=features,
        chosen=chosen,
        question=q[:_LONGEST_QUESTION] or handed_over(request).get("question", ""),
        turns=turns,
        conversation=now,
        address=now.address,
        follows=follows,
        typed_in="ask" if follows else "",
        may_ask=may_ask,
        known=_known(request, identity, here, chosen),
        agent_is_off=services.runtime.model is None and is_maintainer(services, identity),
    )
    remember(shown, now)
    return shown


@router.post("")
async def ask(
    request: Request, identity: AskAccess, services: ServicesDep, here: AnswererDep
) -> Response:
    """Asks; the page follows the steps, or comes back with the answer where nothing is live."""
    fields = await form_of(request)
    before, text = conversation_in(fields), field(fields, "question", _LONGEST_QUESTION)
    if not text:
        return RedirectResponse(before.address, 303)
    turns = await _turns(request, services, identity, before.thread)
    question = Question(
        text=text,
        feature=before.feature,
        language=language_of(request),
        thread=tuple(_past_turn(turn) for turn in turns if turn.view is not None),
    )
    if HX_REQUEST in request.headers:
        stream = _streamed(request, services, here, identity, question, before)
        return StreamingResponse(stream, headers=HEADERS, media_type=MEDIA_TYPE)
    caller = here.caller(identity, before.feature, language_of(request))
    outcome = await dispatch_question(services, here, identity, question, caller)
    if isinstance(outcome, RunState):
        return RedirectResponse(f"/console/runs/{outcome.run_id}", 303)
    return RedirectResponse(before.with_turn(outcome.trace_id).address, 303)


@router.post("/{trace_id}/report")
async def report(
    request: Request, identity: AskAccess, services: ServicesDep, trace_id: str
) -> Response:
    """Reports that an answer was held back wrongly."""
    fields = await form_of(request)
    turn = (await _turns(request, services, identity, [trace_id]))[0]
    if turn.view is None or turn.held_back is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    report_request = FalseBlockRequest(
        proof=turn.held_back,
        note=field(fields, "note", _LONGEST_NOTE),
        language=turn.view.answer.language,
        trace_id=trace_id,
    )
    await keep_report(request, services, identity, report_request)
    return page(request, "reported.html", address=inside(field(fields, "next")))


async def _streamed(
    request: Request,
    services: Services,
    here: Answerer,
    identity: Identity,
    question: Question,
    before: Conversation,
) -> AsyncGenerator[bytes]:
    """The steps as they happen, then the answer: each a part of the page."""
    language = language_of(request)
    coming: asyncio.Queue[Emitted | None] = asyncio.Queue()
    steps: list[StepView] = []
    events: list[Event] = []

    async def work() -> Answer | RunState:
        try:
            caller = here.caller(identity, question.feature, language)
            return await dispatch_question(
                services, here, identity, question, caller, coming.put_nowait
            )
        finally:
            coming.put_nowait(None)

    task = asyncio.create_task(work())
    try:
        while (event := await coming.get()) is not None:
            if isinstance(event, Progress):
                text = progress_text(event, language)
                if text:
                    yield sse_message(rendered(request, "part_progress.html", text=text))
            elif not isinstance(event, RunStarted | Answered):
                events.append(event)
                steps.append(step := step_of(event, language))
                yield sse_message(rendered(request, "part_step.html", step=step))
        try:
            outcome = await task
        except ProblemError as error:
            yield sse_message(
                rendered(request, "part_failed.html", problem=_problem(error, request))
            )
            return
        if isinstance(outcome, RunState):
            yield sse_message(rendered(request, "part_run.html", run_id=outcome.run_id))
            return
        turn = TurnView(
            outcome.trace_id,
            question.text,
            question.feature,
            tuple(steps),
            answer_view(outcome),
            held_back(outcome, events),
        )
        now = before.with_turn(outcome.trace_id)
        values = {"turn": turn, "conversation": now, "follows": True}
        yield sse_message(rendered(request, "part_turn.html", **values))
        yield f"event: turn\ndata: {now.query}\n\n".encode()
    finally:
        task.cancel()


def _problem(error: ProblemError, request: Request) -> str:
    return problem_of(error, language_of(request), request.state.request_id).detail


async def _turns(
    request: Request, services: Services, identity: Identity, thread: Sequence[str]
) -> tuple[TurnView, ...]:
    writer: TraceWriter = request.app.state.trace_writer
    for trace_id in thread:
        await writer.settled(trace_id)

    def load() -> list[AgentTrace | None]:
        return [services.traces.load(each, identity.tenant) for each in thread]

    found = await asyncio.to_thread(load) if thread else []
    if any(trace is None for trace in found):
        raise ProblemError(ProblemCode.NOT_FOUND)
    return tuple(_turn(trace, request) for trace in found if trace is not None)


async def _still_there(
    request: Request, services: Services, identity: Identity, last: Conversation
) -> tuple[TurnView, ...]:
    """The turns of a conversation that is remembered; none where its runs are gone, or belong to a
    person who was signed in before."""
    try:
        return await _turns(request, services, identity, last.thread)
    except ProblemError:
        return ()


def _turn(trace: AgentTrace, request: Request) -> TurnView:
    language = language_of(request)
    started, answered = first_of(trace, RunStarted), first_of(trace, Answered)
    shown = [event for event in trace.events if not isinstance(event, RunStarted | Answered)]
    return TurnView(
        trace_id=trace.trace_id,
        question=started.question.text if started else "",
        feature=started.question.feature if started else "",
        steps=tuple(step_of(event, language) for event in shown),
        view=answer_view(answered.answer) if answered else None,
        held_back=held_back(answered.answer, trace.events) if answered else None,
    )


def _past_turn(turn: TurnView) -> Turn:
    text = turn.view.answer.text if turn.view else ""
    return Turn(question=turn.question, answer=text)


def _known(
    request: Request, identity: Identity, here: Answerer, feature: str
) -> tuple[Suggestion, ...]:
    """The questions that work as they are."""
    if not feature:
        return ()
    language = language_of(request)
    services: Services = request.app.state.services
    caller = here.caller(identity, feature, language)
    known = services.runtime.feature(feature).repertoire(caller)
    if known is None:
        return ()
    return all_questions(known, language, datetime.now(UTC).date())
