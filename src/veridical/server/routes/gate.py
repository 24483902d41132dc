"""``POST /v1/gate``, ``/v1/facts`` and ``/v1/check``: answers, facts and calls of other agents."""

from fastapi import APIRouter, Request, Response

from veridical.contracts.facts_answer import StatedAnswer
from veridical.contracts.proof import Proof
from veridical.contracts.result import ToolResult
from veridical.server.auth import AskAccess
from veridical.server.fact_tasks import FactsRequest
from veridical.server.openapi import body, problems
from veridical.server.tasks import CheckRequest, GateRequest
from veridical.server.verification import VerificationDep

router = APIRouter(prefix="/v1")


@router.post(
    "/facts",
    tags=["facts"],
    summary="Compute and state facts",
    response_model=StatedAnswer,
    response_description="The text with the exact sentence of each fact, or what to write instead.",
    responses=problems(body=True),
    openapi_extra=body(FactsRequest, "facts"),
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
    openapi_extra=body(GateRequest, "gate"),
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
    openapi_extra=body(CheckRequest, "check"),
)
async def check(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; nothing is run. Names that the caller may not see count as unknown."""
    verdict = await verification.check(identity, request.state.language, await request.body())
    return Response(verdict, media_type="application/json")
