"""``POST /v1/search``: evidence for a question, ranked, with how each score was calculated."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from veridical.contracts.caller import Caller
from veridical.contracts.search_candidate import NameStyle
from veridical.contracts.search_result import HybridResult
from veridical.host.runtime import Runtime
from veridical.search.score.flow import ScoreServices, search_and_score
from veridical.server.answerer import AnswererDep
from veridical.server.auth import AskAccess
from veridical.server.body_types import written
from veridical.server.evidence_request import SearchRequest
from veridical.server.openapi import examples, problems
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep
from veridical.tools.evidence_shelf import EvidenceShelf

router = APIRouter(prefix="/v1", tags=["search"])

SearchBody = Annotated[SearchRequest, Body(openapi_examples=examples("search"))]


@router.post(
    "/search",
    summary="Search and score evidence",
    response_model=HybridResult,
    response_description="The ranking, its best part, and the account of every stage.",
    responses=problems(404, body=True),
)
async def search(
    request: Request,
    body: SearchBody,
    identity: AskAccess,
    services: ServicesDep,
    answerer: AnswererDep,
) -> Response:
    """Scores the results that are sent and what the feature's collections have. What is not
    available is flagged: a store or a model that is away never fails the request."""
    language = request.state.language
    caller = answerer.caller(identity, body.feature, language)
    runtime = services.runtime
    with answerer.place(identity):
        found = await _found(body, runtime, caller)
    is_camel = body.control.names is NameStyle.CAMEL
    text = written(found) if is_camel else found.model_dump_json(by_alias=False)
    return Response(text, media_type="application/json")


async def _found(body: SearchRequest, runtime: Runtime, caller: Caller) -> HybridResult:
    shelf, documents = runtime.feature(body.feature).evidence, runtime.documents
    names = await _collections(body, shelf, caller)
    if documents is None or not names:
        services = ScoreServices(model=runtime.scoring)
        now = datetime.now(UTC)
        return await search_and_score(body, services, runtime.score, now, language=caller.language)
    found = await documents.scored(
        body, caller.member_of, names, caller.language, model=runtime.scoring
    )
    return found.result


async def _collections(
    body: SearchRequest, shelf: EvidenceShelf | None, caller: Caller
) -> tuple[str, ...]:
    """The collections to search. Raises ``ProblemError`` for one that the caller does not have."""
    allowed = shelf.collections if shelf is not None else ()
    if body.collection is not None:
        existing = None
        if shelf is not None:
            existing = await asyncio.to_thread(shelf.existing, caller.member_of)
        is_there = existing is None or body.collection in existing
        if body.collection not in allowed or not is_there:
            raise ProblemError(ProblemCode.NOT_FOUND)
        return (body.collection,)
    scope = body.context.collection_scope
    return tuple(name for name in allowed if scope in (None, name))
