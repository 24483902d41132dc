"""``/v1/traces``: what happened in each run, from question to answer."""

import asyncio

from fastapi import APIRouter, Request

from veridical.contracts.wire import Wire
from veridical.server.auth import ReadAccess
from veridical.server.openapi import problems
from veridical.server.parameters import Identifier, Limit
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep
from veridical.server.trace_writer import TraceWriter
from veridical.trace.counters import CountedTrace, TraceSummary, summary_of, with_counters

router = APIRouter(prefix="/v1/traces", tags=["traces"])


class TraceList(Wire):
    """Some runs, the newest first."""

    traces: tuple[TraceSummary, ...]


@router.get("", summary="List traces", responses=problems())
async def recent(identity: ReadAccess, services: ServicesDep, limit: Limit = 20) -> TraceList:
    """The tenant's runs that started last, in a few words each."""
    return await asyncio.to_thread(_recent, services, identity.tenant, limit)


@router.get("/{id}", summary="Show a trace", responses=problems(404))
async def show(
    request: Request, trace_id: Identifier, identity: ReadAccess, services: ServicesDep
) -> CountedTrace:
    """Every event of one run, with its counters: failed checks, repairs, deflections, tokens."""
    writer: TraceWriter = request.app.state.trace_writer
    await writer.settled(trace_id)
    found = await asyncio.to_thread(services.traces.load, trace_id, identity.tenant)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return with_counters(found)


def _recent(services: ServicesDep, tenant: str, limit: int) -> TraceList:
    found = services.traces.recent(limit, tenant)
    return TraceList(traces=tuple(summary_of(trace) for trace in found))
