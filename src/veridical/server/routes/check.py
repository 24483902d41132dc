"""``POST /v1/check``: the verdict on a call before anything runs."""

from typing import Any

from fastapi import APIRouter, Request, Response

from veridical.contracts.result import ToolResult
from veridical.server.authorization import AskAccess
from veridical.server.openapi_responses import body, problems
from veridical.server.process_pool.tasks import CheckRequest
from veridical.server.verification import VerificationDep

router = APIRouter(prefix="/v1", tags=["check"])

_EXAMPLES: dict[str, Any] = {
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
    "/check",
    summary="Check a call",
    response_model=ToolResult,
    response_description="Whether it may run; if not, every reason, and the corrected call.",
    responses=problems(404, body=True),
    openapi_extra=body(CheckRequest, _EXAMPLES),
)
async def check(request: Request, identity: AskAccess, verification: VerificationDep) -> Response:
    """Deterministic; nothing is run. What the caller may not see is told like what is not there."""
    verdict = await verification.check(identity, request.state.language, await request.body())
    return Response(verdict, media_type="application/json")
