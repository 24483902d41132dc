"""``/v1/runs``: durable runs, executed by workers, and their events, resumable."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.wire import Wire
from veridical.runs.errors import RunNotFoundError
from veridical.runs.state import RunState
from veridical.server.answerer import STARTS_A_RUN, AnswererDep, start_run, started_response
from veridical.server.auth import AskAccess, ReadAccess
from veridical.server.body_types import Name
from veridical.server.language import adopt_question_language
from veridical.server.openapi import examples, problems
from veridical.server.parameters import Before, IdempotencyKey, Identifier, LastEventId, Limit
from veridical.server.routes.ask import AskRequest
from veridical.server.services import ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE, open_run_stream

router = APIRouter(prefix="/v1/runs", tags=["runs"])

_MOST_GLOBS = 50
_EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The event's number; progress has none."},
        "event": {"type": "string", "description": "Its kind."},
        "data": {"type": "string", "description": "The event as JSON."},
        "retry": {"type": "integer", "description": "Milliseconds to wait before connecting."},
    },
}
_EXAMPLE = (
    "retry: 2000\n\n"
    'id: 0\nevent: runStarted\ndata: {"kind":"runStarted","at":1731672000.0}\n\n'
    "id: 5\nevent: answered\ndata: {…}\n\n"
)


class AskedApprovals(Wire):
    """Approvals that this run needs in addition to those of its feature."""

    evidence: bool = False
    passages: bool = False
    clarify: bool = False
    calls: Annotated[tuple[Name, ...], Field(max_length=_MOST_GLOBS)] = ()

    def as_approvals(self) -> Approvals:
        """The approvals as a run takes them."""
        return Approvals(
            evidence=self.evidence,
            passages=self.passages,
            clarify=self.clarify,
            calls=self.calls,
        )


class StartRequest(AskRequest):
    """A question that is worked on durably."""

    approvals: AskedApprovals | None = None


class RunPage(Wire):
    """Some runs, the newest first."""

    runs: tuple[RunState, ...]
    next_before: str | None = None
    """Cursor of the next page; None on the last one."""


Started = Annotated[StartRequest, Body(openapi_examples=examples("runs"))]


@router.post(
    "",
    summary="Start a run",
    **STARTS_A_RUN,
)
async def start(
    request: Request,
    body: Started,
    identity: AskAccess,
    services: ServicesDep,
    here: AnswererDep,
    key: IdempotencyKey = None,
) -> Response:
    """Starts a run that survives restarts, and can wait for people."""
    question = body.as_question()
    caller = here.caller(identity, body.feature, adopt_question_language(request, question))
    approvals = body.approvals.as_approvals() if body.approvals else NO_APPROVALS
    state = await start_run(services, identity, question, caller, approvals, key)
    return started_response(state)


@router.get("", summary="List runs", responses=problems())
async def recent(
    identity: ReadAccess, services: ServicesDep, limit: Limit = 20, before: Before = None
) -> RunPage:
    """The tenant's runs that were started last."""
    found = await asyncio.to_thread(services.runs.recent, identity.tenant, limit, before)
    return RunPage(runs=found, next_before=found[-1].run_id if len(found) == limit else None)


@router.get("/{id}", summary="Show a run", responses=problems(404))
async def show(run_id: Identifier, identity: ReadAccess, services: ServicesDep) -> RunState:
    """One run with its answer, once there is one."""
    found = await asyncio.to_thread(services.runs.state, run_id, identity.tenant)
    if found is None:
        raise RunNotFoundError(run_id)
    return found


@router.post("/{id}/cancel", summary="Cancel a run", responses=problems(404))
async def cancel(run_id: Identifier, identity: AskAccess, services: ServicesDep) -> RunState:
    """Stops a run; one that is over stays as it is."""
    return await asyncio.to_thread(services.runs.cancel, run_id, identity.tenant, identity.name)


@router.get(
    "/{id}/events",
    summary="Watch a run",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Events; each has its number in the run as id and its kind as event.",
            "content": {MEDIA_TYPE: {"schema": _EVENT, "example": _EXAMPLE}},
        },
        204: {"description": "The run is over, and all its events were seen."},
        **problems(404),
    },
)
async def watch(
    request: Request,
    run_id: Identifier,
    identity: ReadAccess,
    services: ServicesDep,
    after: LastEventId = -1,
) -> Response:
    """Server-sent events until the run's last one. ``Last-Event-ID`` takes up again after it."""
    stream = await open_run_stream(request.app.state, services, identity, run_id, after)
    if stream is None:
        return Response(status_code=204)
    return StreamingResponse(stream, headers=HEADERS, media_type=MEDIA_TYPE)
