"""``/console/ask``: the conversation, with live steps and answers whose figures are marked."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection
from starlette.responses import RedirectResponse, StreamingResponse

from veridical.console.answer_view import answer_view
from veridical.console.ask_page import LONGEST_QUESTION, ask_page, kept_page
from veridical.console.badges import read_badges
from veridical.console.conversation import (
    Conversation,
    conversation,
    conversation_in,
    keep_turn,
    remembered,
    with_tenant,
)
from veridical.console.form import field, form_of
from veridical.console.page import HX_REQUEST, language_of, page, rendered
from veridical.console.routes.signin import inside
from veridical.console.step_view import StepView, progress_text, sse_message, step_of
from veridical.console.tour import TOUR_COOKIE
from veridical.console.turns import TurnView, past_turn, turns_of
from veridical.contracts.answer import Answer
from veridical.contracts.question import MOST_TURNS, Question
from veridical.contracts.step import Progress
from veridical.contracts.trace import Answered, Event, RunStarted
from veridical.runs.state import RunState
from veridical.server.answerer import Answerer, AnswererDep, dispatch_question
from veridical.server.auth import AskAccess, ReadAccess
from veridical.server.identity import Identity
from veridical.server.pending_answer import Emitted, Outcome
from veridical.server.problem import ProblemCode, ProblemError, problem_of
from veridical.server.routes.false_blocks import FalseBlockRequest, keep_report
from veridical.server.services import Services, ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE
from veridical.server.trace_writer import TraceWriter
from veridical.store.feedback import give_feedback
from veridical.trace.held_back import held_back

router = APIRouter(prefix="/console/ask")

_LONGEST_NOTE = 2_000
_VERDICTS = frozenset({"right", "wrong"})
Thread = Annotated[tuple[str, ...], Query(max_length=100)]


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
    """The conversation that the browser was in, else the first page of a new one; one of other
    runs where the address names them."""
    if t:
        turns = await turns_of(request, services, identity, t[-MOST_TURNS:])
        await _checklist(request, t[-1])
        begun = conversation(feature, (turn.trace_id for turn in turns))
        return await ask_page(request, identity, here, begun, turns, q)
    saved = None if new else await remembered(request, services, identity)
    if saved is not None:
        return await kept_page(request, identity, here, saved, q)
    return await ask_page(request, identity, here, conversation(feature, ()), question=q)


@router.post("")
async def ask(
    request: Request, identity: AskAccess, services: ServicesDep, here: AnswererDep
) -> Response:
    """Asks; the page follows the steps, or comes back with the answer where nothing is live."""
    fields = await form_of(request)
    before = await conversation_in(services, identity, fields)
    text = field(fields, "question", LONGEST_QUESTION)
    if not text:
        return RedirectResponse(before.address, 303)
    thread = before.thread[-MOST_TURNS:]
    turns = await turns_of(request, services, identity, thread, kept=bool(before.id))
    question = Question(
        text=text,
        feature=before.feature,
        language=language_of(request),
        thread=tuple(past_turn(turn) for turn in turns if turn.view is not None),
    )
    if HX_REQUEST in request.headers:
        stream = _streamed(request, services, here, identity, question, before)
        return StreamingResponse(stream, headers=HEADERS, media_type=MEDIA_TYPE)
    caller = here.caller(identity, before.feature, language_of(request))
    outcome = await dispatch_question(services, here, identity, question, caller)
    now = await keep_turn(services, identity, before, text, id_of(outcome))
    return RedirectResponse(now.address, 303)


@router.post("/{trace_id}/report")
async def report(
    request: Request, identity: AskAccess, services: ServicesDep, trace_id: str
) -> Response:
    """Reports that an answer was held back wrongly."""
    fields = await form_of(request)
    turn = (await turns_of(request, services, identity, [trace_id]))[0]
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


@router.post("/{trace_id}/feedback")
async def give(
    request: Request, identity: AskAccess, services: ServicesDep, trace_id: str
) -> Response:
    """Keeps what this person says about an answer."""
    fields = await form_of(request)
    turn = (await turns_of(request, services, identity, [trace_id]))[0]
    verdict = field(fields, "verdict")
    if turn.view is None or verdict not in _VERDICTS:
        raise ProblemError(ProblemCode.NOT_FOUND)
    why = field(fields, "why", _LONGEST_NOTE)

    def keep(connection: Connection) -> None:
        is_right = verdict == "right"
        give_feedback(
            connection, identity.tenant, identity.person, trace_id, why, is_right=is_right
        )

    await with_tenant(services, identity, keep)
    return RedirectResponse(inside(field(fields, "next")), 303)


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
                    yield sse_message(rendered(request, "part_now.html", text=text))
                continue
            events.append(event)
            if not isinstance(event, RunStarted | Answered):
                steps.append(step := step_of(event, language))
                text = f"{step.title} {step.text}".strip()
                yield sse_message(rendered(request, "part_now.html", text=text))
        try:
            outcome = await task
        except ProblemError as error:
            yield sse_message(
                rendered(request, "part_failed.html", problem=_problem(error, request))
            )
            return
        now = await keep_turn(services, identity, before, question.text, id_of(outcome))
        await _checklist(request, id_of(outcome))
        answer = outcome if isinstance(outcome, Answer) else None
        turn = TurnView(
            id_of(outcome),
            question.text,
            question.feature,
            tuple(steps),
            answer_view(answer, events) if answer else None,
            held_back(answer, events) if answer else None,
        )
        values = {"turn": turn, "conversation": now, "follows": True}
        yield sse_message(rendered(request, "part_turn.html", **values))
        yield f"event: turn\ndata: {now.id}\n\n".encode()
    finally:
        task.cancel()


async def _checklist(request: Request, trace_id: str) -> None:
    """Has the checklist show what was done just now."""
    if TOUR_COOKIE in request.cookies:
        writer: TraceWriter = request.app.state.trace_writer
        await writer.settled(trace_id)
        await read_badges(request)


def id_of(outcome: Outcome) -> str:
    """The id of the run behind an answer, or of the run that was started."""
    return outcome.run_id if isinstance(outcome, RunState) else outcome.trace_id


def _problem(error: ProblemError, request: Request) -> str:
    return problem_of(error, language_of(request), request.state.request_id).detail
