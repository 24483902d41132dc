"""``POST /v1/gate``: verifies any answer against the evidence sent with it."""

from typing import Any

from fastapi import APIRouter, Request, Response

from veridical.contracts.proof import Proof
from veridical.server.authorization import AskAccess
from veridical.server.openapi_responses import body, problems
from veridical.server.process_pool.tasks import GateRequest
from veridical.server.verification import VerificationDep

router = APIRouter(prefix="/v1", tags=["gate"])

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


@router.post(
    "/gate",
    summary="Hold an answer against its evidence",
    response_model=Proof,
    response_description="Each claim with what it rests on, and whether the answer may be shown.",
    responses=problems(body=True),
    openapi_extra=body(GateRequest, _EXAMPLES),
)
async def gate(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; no model is asked. What is found is counted, and logged without texts."""
    proof = await verification.gate(identity, request.state.language, await request.body())
    return Response(proof, media_type="application/json")
