"""``POST /v1/gate``, ``/v1/facts`` and ``/v1/check``: answers, facts and calls of other agents."""

from typing import Any

from fastapi import APIRouter, Request, Response

from veridical.contracts.proof import Proof
from veridical.contracts.result import ToolResult
from veridical.contracts.stated import StatedAnswer
from veridical.server.auth import AskAccess
from veridical.server.fact_tasks import FactsRequest
from veridical.server.openapi import body, problems
from veridical.server.tasks import CheckRequest, GateRequest
from veridical.server.verification import VerificationDep

router = APIRouter(prefix="/v1")

_ROWS = [{"region": "North", "revenue": 48210.50}, {"region": "South", "revenue": 31500.00}]
_FACTS = {
    "t": {"say": "top", "measure": "revenue"},
    "s": {"say": "share", "measure": "revenue", "rows": ["North"]},
}
_FACTS_EXAMPLES: dict[str, Any] = {
    "stated": {
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
_GATE_EXAMPLES: dict[str, Any] = {
    "held back": {
        "summary": "A right value under a wrong name",
        "value": {
            "answer": "South made 48,210.50 of the total of 79,710.50.",
            "evidence": _ROWS,
        },
    }
}
_CHECK_EXAMPLES: dict[str, Any] = {
    "refused": {
        "summary": "A sum that must not be made",
        "value": {
            "feature": "trustee",
            "call": {
                "tool": "aggregateTable",
                "tableName": "TrusteeDataAccountBalance",
                "aggregate": "SUM",
                "field": "closingBalance",
            },
        },
    },
    "sql": {
        "summary": "SQL",
        "value": {
            "feature": "trustee",
            "call": {
                "tool": "executeSqlSafe",
                "sql": 'SELECT "label" FROM "TrusteeDataAccount"',
            },
        },
    },
}


@router.post(
    "/facts",
    tags=["facts"],
    summary="Compute and state facts",
    response_model=StatedAnswer,
    response_description="The text with the exact sentence of each fact, or what to write instead.",
    responses=problems(body=True),
    openapi_extra=body(FactsRequest, _FACTS_EXAMPLES),
)
async def facts(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; no model is used. A refused answer is 200 too, with ``accepted`` false."""
    stated = await verification.facts(identity, request.state.language, await request.body())
    return Response(stated, media_type="application/json")


@router.post(
    "/gate",
    tags=["gate"],
    summary="Hold an answer against its evidence",
    response_model=Proof,
    response_description="Each claim with what it rests on, and whether the answer may be shown.",
    responses=problems(body=True),
    openapi_extra=body(GateRequest, _GATE_EXAMPLES),
)
async def gate(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; no model is used. Findings are counted, and logged without texts."""
    proof = await verification.gate(identity, request.state.language, await request.body())
    return Response(proof, media_type="application/json")


@router.post(
    "/check",
    tags=["check"],
    summary="Check a call",
    response_model=ToolResult,
    response_description="Whether it may run; if not, every reason, and the corrected call.",
    responses=problems(404, body=True),
    openapi_extra=body(CheckRequest, _CHECK_EXAMPLES),
)
async def check(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; nothing is run. Names that the caller may not see count as unknown."""
    verdict = await verification.check(identity, request.state.language, await request.body())
    return Response(verdict, media_type="application/json")
