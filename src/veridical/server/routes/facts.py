"""``POST /v1/facts``: computes and says the facts of an answer over the evidence sent with it."""

from typing import Any

from fastapi import APIRouter, Request, Response

from veridical.contracts.stated import StatedAnswer
from veridical.server.authorization import AskAccess
from veridical.server.openapi_responses import body, problems
from veridical.server.process_pool.fact_tasks import FactsRequest
from veridical.server.verification import VerificationDep

router = APIRouter(prefix="/v1", tags=["facts"])

_ROWS = [{"region": "North", "revenue": 48210.50}, {"region": "South", "revenue": 31500.00}]
_FACTS = {
    "t": {"say": "top", "measure": "revenue"},
    "s": {"say": "share", "measure": "revenue", "rows": ["North"]},
}
_EXAMPLES: dict[str, Any] = {
    "said": {
        "summary": "Two facts and the prose that they stand in",
        "value": {
            "question": "Which region made the most revenue?",
            "evidence": _ROWS,
            "answer": {
                "facts": _FACTS,
                "answer": "**{t.row}** made the most, {t.value}: {s.share} of all {s.whole}.",
            },
        },
    }
}


@router.post(
    "/facts",
    summary="Have facts computed and said",
    response_model=StatedAnswer,
    response_description="The text with the exact sentence of each fact, or what to write instead.",
    responses=problems(body=True),
    openapi_extra=body(FactsRequest, _EXAMPLES),
)
async def facts(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; no model is asked. A refused answer is 200 too, with ``accepted`` false."""
    stated = await verification.facts(identity, request.state.language, await request.body())
    return Response(stated, media_type="application/json")
