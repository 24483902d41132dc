"""``POST /v1/check``: the verdict on a call before anything runs."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, Response
from pydantic import Field

from veridical.check.verdict import as_result
from veridical.contracts.call import Call
from veridical.contracts.result import ToolResult
from veridical.contracts.wire import Wire
from veridical.server.asking import AsksHere
from veridical.server.parameters import FEATURE
from veridical.server.plain import Remark, written
from veridical.server.responses import problems
from veridical.server.services import Serving
from veridical.server.who import Asker, InLanguage

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


class CheckRequest(Wire):
    """A call, and the question that it is to answer."""

    feature: Annotated[str, Field(pattern=FEATURE)]
    call: Annotated[Call, Field(discriminator="tool")]
    question: Remark = ""


Checked = Annotated[CheckRequest, Body(openapi_examples=_EXAMPLES)]


@router.post(
    "/check",
    summary="Check a call",
    response_model=ToolResult,
    response_description="Whether it may run; if not, every reason, and the corrected call.",
    responses=problems(404, body=True),
)
async def check(
    asked: Checked, identity: Asker, language: InLanguage, services: Serving, here: AsksHere
) -> Response:
    """Deterministic; nothing is run. What the caller may not see is told like what is not there."""
    caller = here.caller(identity, asked.feature, language)
    checker = services.office.feature(asked.feature).checker
    verdict = await asyncio.to_thread(checker.check, asked.call, caller, asked.question)
    return Response(written(as_result(verdict)), media_type="application/json")
