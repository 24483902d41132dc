"""``/console/requirements``: requirements pasted or uploaded, marked, rewritten and compared; or
reviewed by the team, which asks on the page."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import ValidationError
from starlette.responses import RedirectResponse, StreamingResponse

from veridical.console.clarification import answer_in, clarification_of
from veridical.console.form import field, form_of, parse_upload
from veridical.console.page import language_of, page
from veridical.console.review_run import ReviewProgress, outcome_view, review_progress
from veridical.console.seal import handed_over
from veridical.console.step_view import RenderedSteps, live_steps
from veridical.console.tour import tick
from veridical.contracts.extras import MissingExtraError, require
from veridical.contracts.requirements_review import LONGEST_REQUIREMENT, ReviewTask
from veridical.limited_process.limits import LimitError
from veridical.runs.errors import InboxError
from veridical.runs.state import RunState
from veridical.server.auth import AskAccess
from veridical.server.identity import Identity
from veridical.server.limited_work import LimitedWorkDep
from veridical.server.parameters import LastEventId
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.routes.inbox import decider_of, item_for
from veridical.server.routes.requirement_reviews import MOST as MOST_OF_TEAM
from veridical.server.routes.requirement_reviews import start_review
from veridical.server.services import Services, ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE

if TYPE_CHECKING:
    from veridical.requirements.files.requirement import Requirement

router = APIRouter(prefix="/console/requirements")

MOST = 100
"""Requirements of one page."""
LONGEST = 2_000
_TEAM = "team"


@router.get("")
async def form(request: Request, identity: AskAccess) -> Response:
    """The form for a text or a file."""
    return _page(request, handed_over(request).get("text", ""))


@router.post("")
async def reviewed(
    request: Request, identity: AskAccess, services: ServicesDep, limited: LimitedWorkDep
) -> Response:
    """The findings of the rules, which are not stored; or a review by the team, which is a run."""
    fields, upload = await parse_upload(request.headers, await request.body())
    fields = fields or await form_of(request)
    language = language_of(request)
    text = field(fields, "text", MOST_OF_TEAM * LONGEST)
    try:
        require("requirements")
    except MissingExtraError as error:
        return _page(request, text, problem=error.message(language))
    from veridical.console.requirement_view import limited_view, pasted, uploaded  # need the extra
    from veridical.requirements.files.requirement import UnreadableFileError

    try:
        found = (
            await limited.run(identity, partial(uploaded, upload))
            if upload.name
            else pasted([line[:LONGEST] for line in text.splitlines()])
        )
        if field(fields, "by") == _TEAM and found:
            return await _given_to_team(request, services, identity, found)
        view = await limited.run(identity, partial(limited_view, found[:MOST], language))
    except (UnreadableFileError, LimitError) as error:
        return _page(request, text, problem=error.message(language))
    shown = _page(request, text, view, left_out=max(0, len(found) - MOST))
    tick(request, shown, "requirements")
    return shown


@router.get("/{run_id}")
async def show(
    request: Request, identity: AskAccess, services: ServicesDep, run_id: str
) -> Response:
    """A review by the team: its progress, its questions, and its result."""
    state, progress = await _review(services, identity, run_id)
    outcome = state.answer.review if state.answer else None
    return page(
        request,
        "review.html",
        state=state,
        progress=progress,
        clarification=await _clarification(services, identity, state),
        view=outcome_view(outcome) if outcome else None,
    )


@router.get("/{run_id}/events")
async def follow(
    request: Request,
    identity: AskAccess,
    services: ServicesDep,
    run_id: str,
    after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
    seen: LastEventId = -1,
) -> Response:
    """The progress of a running review."""
    await _review(services, identity, run_id)
    steps: RenderedSteps = request.app.state.rendered_reviews
    stream = await live_steps(request, services, identity, run_id, max(after, seen), steps)
    return StreamingResponse(stream, headers=HEADERS, media_type=MEDIA_TYPE)


@router.get("/{run_id}/question")
async def question(
    request: Request,
    identity: AskAccess,
    services: ServicesDep,
    run_id: str,
    shown: Annotated[str, Query(alias="evidenceHash", max_length=100)] = "",
) -> Response:
    """The team's current question, a part of the page. Nothing where it is shown already: somebody
    may be typing."""
    state, _ = await _review(services, identity, run_id)
    waiting = await _clarification(services, identity, state)
    if shown == (waiting.evidence_hash if waiting and waiting.may_answer else ""):
        return Response(status_code=204)
    return page(request, "review_question.html", state=state, clarification=waiting)


@router.post("/{run_id}/question")
async def answer(
    request: Request, identity: AskAccess, services: ServicesDep, run_id: str
) -> Response:
    """Takes an answer to the team's question, as the inbox does."""
    fields = await form_of(request)
    state, _ = await _review(services, identity, run_id)
    if state.waiting_for is not None:
        decider = decider_of(identity)
        await asyncio.to_thread(
            services.inbox.decide, state.waiting_for, decider, answer_in(fields)
        )
    return RedirectResponse(f"/console/requirements/{run_id}", 303)


async def _given_to_team(
    request: Request, services: Services, identity: Identity, found: Sequence["Requirement"]
) -> Response:
    language = language_of(request)
    texts = tuple(each.text[:LONGEST_REQUIREMENT] for each in found[:MOST_OF_TEAM])
    try:
        task = ReviewTask(requirements=texts)
    except ValidationError as error:
        raise ProblemError(ProblemCode.INVALID) from error
    state = await start_review(services, identity, task, language)
    return RedirectResponse(f"/console/requirements/{state.run_id}", 303)


async def _review(
    services: Services, identity: Identity, run_id: str
) -> tuple[RunState, ReviewProgress]:
    """The run of a review, and its progress. Raises ``ProblemError``."""

    def read() -> ReviewProgress | None:
        with services.store.tenant(identity.tenant) as connection:
            return review_progress(connection, run_id, identity.tenant)

    progress = await asyncio.to_thread(read)
    state = await asyncio.to_thread(services.runs.state, run_id, identity.tenant)
    if progress is None or state is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return state, progress


async def _clarification(services: Services, identity: Identity, state: RunState) -> Any:
    """The question that the review waits for, where this identity may see it."""
    if state.waiting_for is None:
        return None
    try:
        item = await item_for(services, identity, state.waiting_for)
    except InboxError:
        return None
    return clarification_of(item, identity)


def _page(
    request: Request, text: str = "", view: Any = None, problem: str = "", left_out: int = 0
) -> Response:
    services: Services = request.app.state.services
    return page(
        request,
        "requirements.html",
        typed_in="requirements",
        text=text,
        view=view,
        problem=problem,
        left_out=left_out,
        most=MOST,
        most_of_team=MOST_OF_TEAM,
        kilobytes=services.settings.body_bytes // 1024,
    )
