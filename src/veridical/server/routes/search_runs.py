"""``/v1/search/runs``: evidence is searched, approved, stored and verified, as one durable run."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from veridical.contracts.caller import Caller
from veridical.contracts.search_candidate import NameStyle
from veridical.contracts.search_collect import CollectOutcome, CollectTask
from veridical.runs.errors import RunNotFoundError
from veridical.runs.request import collect_request
from veridical.runs.rows import is_collecting
from veridical.runs.state import RunState
from veridical.server.answerer import STARTS_A_RUN, AnswererDep, started_response
from veridical.server.auth import AskAccess, ReadAccess
from veridical.server.evidence_request import CollectRequest, CollectState
from veridical.server.identity import Identity
from veridical.server.openapi import examples, problems
from veridical.server.parameters import IdempotencyKey, Identifier
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/v1/search/runs", tags=["search"])


CollectBody = Annotated[CollectRequest, Body(openapi_examples=examples("search_runs"))]


@router.post(
    "",
    summary="Collect evidence",
    **STARTS_A_RUN,
)
async def start(
    request: Request,
    body: CollectBody,
    identity: AskAccess,
    services: ServicesDep,
    here: AnswererDep,
    key: IdempotencyKey = None,
) -> Response:
    """Searches and scores as ``POST /v1/search`` does, then asks a person through the inbox. The
    texts that are approved, as they were shown, are stored and verified. Addresses are not
    fetched."""
    caller = here.caller(identity, body.feature, request.state.language)
    return started_response(await start_collecting(services, identity, body, caller, key))


@router.get("/{id}", summary="Show and verify collected evidence", responses=problems(404))
async def show(
    run_id: Identifier,
    identity: ReadAccess,
    services: ServicesDep,
    names: NameStyle = NameStyle.CAMEL,
) -> Response:
    """The run's outcome; the counts are what the store has at this moment."""
    state = await collected(services, identity, run_id)
    text = state.model_dump_json(by_alias=names is NameStyle.CAMEL)
    return Response(text, media_type="application/json")


async def start_collecting(
    services: Services,
    identity: Identity,
    body: CollectRequest,
    caller: Caller,
    key: str | None = None,
) -> RunState:
    """The run of this request. Raises ``ProblemError`` for a collection that the feature does not
    have, and ``IdempotencyConflictError``."""
    shelf = services.runtime.feature(body.feature).evidence
    allowed = shelf.collections if shelf is not None else ()
    if body.collection not in allowed:
        raise ProblemError(ProblemCode.NOT_FOUND)
    scope = body.context.collection_scope
    task = CollectTask(
        request=body.as_request(),
        collection=body.collection,
        searched=tuple(name for name in allowed if scope in (None, name)),
    )
    wanted = collect_request(task, caller, body.feature)
    return await asyncio.to_thread(
        services.runs.start, wanted, identity.tenant, identity.name, key, identity.people
    )


async def collected(services: Services, identity: Identity, run_id: str) -> CollectState:
    """The state of a run that collects evidence, verified now. Raises ``RunNotFoundError``."""
    state = await asyncio.to_thread(services.runs.state, run_id, identity.tenant)
    request = await asyncio.to_thread(_is_collecting, services, identity, run_id)
    if state is None or not request:
        raise RunNotFoundError(run_id)
    answer = state.answer
    outcome = answer.collect if answer else None
    if outcome is not None:
        outcome = await asyncio.to_thread(_verified, services, identity, outcome)
    return CollectState(
        run_id=state.run_id,
        status=state.status,
        waiting_for=state.waiting_for,
        text=answer.text if answer else "",
        hitl=answer.hitl if answer else None,
        collect=outcome,
    )


def _is_collecting(services: Services, identity: Identity, run_id: str) -> bool:
    with services.store.tenant(identity.tenant) as connection:
        return is_collecting(connection, run_id, identity.tenant)


def _verified(services: Services, identity: Identity, outcome: CollectOutcome) -> CollectOutcome:
    from veridical.search.index import opened_index  # needs the extra
    from veridical.search.score.settings import read_score_settings
    from veridical.search.verification import verified_now

    place = identity.tenant, outcome.collection
    index = opened_index(read_score_settings(), services.store.tenant, *place)
    return verified_now(outcome, index)
