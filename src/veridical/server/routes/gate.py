"""``POST /v1/gate``: an answer of anybody held against the evidence that comes with it."""

import asyncio
from functools import partial
from time import perf_counter
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from pydantic import Field

from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.contracts.wire import Wire
from veridical.gate.policy import Policy
from veridical.gate.verdict import check
from veridical.reading.language import language_of
from veridical.server.interceptions import Interceptions
from veridical.server.plain import Document, Name, PlainJson, Remark, written
from veridical.server.responses import problems
from veridical.server.services import Serving
from veridical.server.who import Asker

router = APIRouter(prefix="/v1", tags=["gate"])

_MOST_TOOLS = 20
_EXAMPLES: dict[str, Any] = {
    "held back": {
        "summary": "A right value under a wrong name",
        "value": {
            "answer": "South made 48,210.50 of the total of 79,710.50.",
            "evidence": [
                {"region": "North", "revenue": 48210.50},
                {"region": "South", "revenue": 31500.00},
            ],
        },
    }
}


class GateRequest(Wire):
    """An answer, and the results that it was written from."""

    answer: Document
    evidence: PlainJson
    """Rows as objects, ``{"columns", "rows"}``, a tool's result, any JSON, a text, or several."""
    question: Remark = ""
    language: Language | None = None
    required_tools: Annotated[tuple[Name, ...], Field(max_length=_MOST_TOOLS)] = ()
    """Tools that must have succeeded."""


Gated = Annotated[GateRequest, Body(openapi_examples=_EXAMPLES)]


@router.post(
    "/gate",
    summary="Hold an answer against its evidence",
    response_model=Proof,
    response_description="Each claim with what it rests on, and whether the answer may be shown.",
    responses=problems(body=True),
)
async def gate(request: Request, asked: Gated, identity: Asker, services: Serving) -> Response:
    """Deterministic; no model is asked. What is found is counted, and logged without texts."""
    judge = partial(_judged, asked, services.office.policy)
    proof, seconds = await asyncio.to_thread(judge)
    interceptions: Interceptions = request.app.state.interceptions
    spoken = asked.language or language_of(asked.answer, Language.EN)
    interceptions.note(proof, spoken, seconds, identity.tenant)
    return Response(written(proof), media_type="application/json")


def _judged(asked: GateRequest, policy: Policy) -> tuple[Proof, float]:
    """The verdict, and the seconds that it took."""
    started = perf_counter()
    proof = check(
        asked.answer,
        asked.evidence,
        question=asked.question,
        language=asked.language,
        policy=policy,
        required_tools=asked.required_tools,
    )
    return proof, perf_counter() - started
