"""``/console/runs``: all runs, one run step by step, two side by side, and one as a file."""

import asyncio
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from sqlalchemy import Connection
from starlette.responses import StreamingResponse

from veridical.console.answer_view import answer_view
from veridical.console.conversation import with_tenant
from veridical.console.page import language_of, page, rendered
from veridical.console.review_run import changes
from veridical.console.run_comparison import Side, fact_rows, step_rows
from veridical.console.run_events import (
    NOTHING_YET,
    PAGE,
    EventPage,
    event_page,
)
from veridical.console.run_list import RunFilter, RunLine, run_lines
from veridical.console.step_view import RenderedSteps, live_steps, step_of
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.trace import AgentTrace
from veridical.contracts.violation import Code
from veridical.evals.report.number_format import dollars
from veridical.messages import message
from veridical.runs.state import RunState
from veridical.server.auth import ReadAccess
from veridical.server.identity import Action, Identity
from veridical.server.parameters import LastEventId
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.server.stream import HEADERS, MEDIA_TYPE
from veridical.server.trace_writer import TraceWriter
from veridical.trace.counters import counters
from veridical.trace.held_back import held_back

router = APIRouter(prefix="/console/runs")

_LISTED = 50
_MOST_EXPORTED = 20_000
TraceId = Annotated[str, Query(max_length=100)]
OUTCOMES = (*(kind.value for kind in AnswerKind), "open")
"""The outcomes of a run, and that of an open one."""
CODES = tuple(sorted({*(code.value for code in Code), *(code.value for code in GateCode)}))


@router.get("")
async def listed(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    q: Annotated[str, Query(max_length=200)] = "",
    outcome: str = "",
    code: str = "",
    since: str = "",
    until: str = "",
    before: str = "",
    limit: Annotated[int, Query(ge=1, le=200)] = _LISTED,
) -> Response:
    """The newest runs first; the filter is in the address, so that it can be shared."""
    wanted = RunFilter(
        outcome=outcome if outcome in OUTCOMES else None,
        code=code if code in CODES else None,
        words=q.replace("\x00", "").strip(),
        since=_day(since),
        until=_next_day(until),
    )
    place = _place(before)

    def read(connection: Connection) -> list[RunLine]:
        return list(run_lines(connection, identity.tenant, wanted, limit, place))

    lines = await with_tenant(services, identity, read)
    chosen = {
        "q": q,
        "outcome": outcome,
        "code": code,
        "since": since,
        "until": until,
        "limit": limit,
    }
    last = lines[-1] if len(lines) == limit else None
    further = f"{last.started_at.isoformat()}|{last.trace_id}" if last else ""
    query = urlencode({name: value for name, value in chosen.items() if value})
    return page(
        request,
        "runs.html",
        lines=lines,
        chosen=chosen,
        outcomes=OUTCOMES,
        codes=CODES,
        dollars=dollars,
        further=f"{query}&{urlencode({'before': further})}" if further else "",
    )


@router.get("/compare")
async def compare(
    request: Request, identity: ReadAccess, services: ServicesDep, a: TraceId, b: TraceId
) -> Response:
    """Two runs side by side."""
    language = language_of(request)
    found = [await _page_of(request, services, identity, each, -1) for each in (a, b)]
    left, right = (
        _side(trace_id, each, language) for trace_id, each in zip((a, b), found, strict=True)
    )
    return page(
        request,
        "compare.html",
        sides=(left, right),
        facts=fact_rows(left, right),
        rows=step_rows(left.steps, right.steps),
        answer=changes(left.answer, right.answer) if left.answer != right.answer else (),
    )


def _side(trace_id: str, found: EventPage, language: Language) -> Side:
    events = tuple(event for _, event in found.events)
    spent = counters(AgentTrace(trace_id=trace_id, events=events))
    answer = found.answered.answer if found.answered else None
    model = found.started.model if found.started else None
    return Side(
        trace_id=trace_id,
        question=found.started.question.text if found.started else "",
        outcome=message(f"console.kind_{answer.kind if answer else 'open'}", language),
        answer=answer.text if answer else "",
        model=model or message("console.no_model", language),
        seconds=spent.elapsed_ms / 1000,
        tokens=spent.input_tokens + spent.output_tokens,
        cost=spent.cost,
        steps=tuple(step_of(event, language) for event in events),
        total=found.total,
    )


@router.get("/{trace_id}")
async def show(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    trace_id: str,
    after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
) -> Response:
    """One run: its answer, and its steps a page at a time, each folded; one that goes on is
    followed."""
    found, state = await _standing(request, services, identity, trace_id, after)
    goes_on = state is not None and not state.status.is_final and found.next_after is None
    values = _values(request, found, trace_id, after)
    answer = found.answered.answer if found.answered else None
    may_ask = Action.ASK in identity.actions
    return page(
        request,
        "run.html",
        **values,
        state=state,
        goes_on=goes_on,
        last=found.last,
        held_back=held_back(answer, found.gated) if answer and may_ask else None,
    )


@router.get("/{trace_id}/events")
async def follow(
    request: Request,
    identity: ReadAccess,
    services: ServicesDep,
    trace_id: str,
    after: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
    seen: LastEventId = -1,
) -> Response:
    """The steps of a run that goes on, each as a part of its page."""
    steps: RenderedSteps = request.app.state.rendered_steps
    stream = await live_steps(request, services, identity, trace_id, max(after, seen), steps)
    return StreamingResponse(stream, headers=HEADERS, media_type=MEDIA_TYPE)


@router.get("/{trace_id}/export")
async def export(
    request: Request, identity: ReadAccess, services: ServicesDep, trace_id: str
) -> Response:
    """The whole run as one file that shows itself anywhere, without scripts."""
    found = await _page_of(request, services, identity, trace_id, -1, _MOST_EXPORTED)
    text = await asyncio.to_thread(
        rendered, request, "export.html", **_values(request, found, trace_id, -1)
    )
    name = "".join(sign for sign in trace_id if sign.isalnum() or sign == "-")
    headers = {"content-disposition": f'attachment; filename="veridical-run-{name}.html"'}
    return Response(text, media_type="text/html; charset=utf-8", headers=headers)


def _values(request: Request, found: EventPage, trace_id: str, after: int) -> dict[str, Any]:
    language = language_of(request)
    started, answered = found.started, found.answered
    spent = counters(AgentTrace(trace_id=trace_id, events=tuple(each for _, each in found.events)))
    return {
        "spent": spent if found.next_after is None and after < 0 else None,
        "dollars": dollars,
        "trace_id": trace_id,
        "question": started.question.text if started else "",
        "feature": started.question.feature if started else "",
        "started": started,
        "view": answer_view(answered.answer, filter(None, (started, *(e for _, e in found.events))))
        if answered
        else None,
        "steps": [(number, step_of(event, language)) for number, event in found.events],
        "total": found.total,
        "after": after,
        "next_after": found.next_after,
        "page_size": PAGE,
    }


async def _standing(
    request: Request, services: Services, identity: Identity, trace_id: str, after: int
) -> tuple[EventPage, RunState | None]:
    """Some steps, and how the run stands where they don't say it: a durable one may go on, or may
    not have begun. Raises ``ProblemError``."""
    found = await _found_page(request, services, identity, trace_id, after)
    if found is not None and found.answered is not None:
        return found, None
    state = await asyncio.to_thread(services.runs.state, trace_id, identity.tenant)
    if found is None and state is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found or NOTHING_YET, state


async def _page_of(
    request: Request,
    services: Services,
    identity: Identity,
    trace_id: str,
    after: int,
    limit: int = PAGE,
) -> EventPage:
    """Some steps of a run that has some. Raises ``ProblemError``."""
    found = await _found_page(request, services, identity, trace_id, after, limit)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found


async def _found_page(
    request: Request,
    services: Services,
    identity: Identity,
    trace_id: str,
    after: int,
    limit: int = PAGE,
) -> EventPage | None:
    writer: TraceWriter = request.app.state.trace_writer
    await writer.settled(trace_id)

    def read(connection: Connection) -> EventPage | None:
        return event_page(connection, trace_id, identity.tenant, after, limit)

    return await with_tenant(services, identity, read)


def _day(text: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)
    except ValueError:
        return None


def _next_day(text: str) -> datetime | None:
    """The moment after the last one of a day."""
    day = _day(text)
    return day + timedelta(days=1) if day and day.year < 9999 else None


def _place(text: str) -> tuple[datetime, str] | None:
    moment, _, trace_id = text.partition("|")
    try:
        return datetime.fromisoformat(moment), trace_id
    except ValueError:
        return None
