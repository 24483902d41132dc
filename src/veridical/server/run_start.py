"""Starts a durable run for an authenticated caller."""

import asyncio

from fastapi import Response

from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.state import RunState
from veridical.server.body_types import written
from veridical.server.conversation_window import recent_turns
from veridical.server.identity import Identity
from veridical.server.services import Services


async def start_run(
    services: Services,
    identity: Identity,
    question: Question,
    caller: Caller,
    approvals: Approvals = NO_APPROVALS,
    idempotency_key: str | None = None,
) -> RunState:
    """The run that answers this question, with all that its caller may see frozen in.

    Raises ``IdempotencyConflictError``.
    """
    request = RunRequest(
        feature=question.feature,
        question=recent_turns(question),
        caller=FrozenCaller.of(caller),
        approvals=approvals,
    )
    return await asyncio.to_thread(
        services.runs.start,
        request,
        identity.tenant,
        identity.name,
        idempotency_key,
        identity.people,
    )


def started_response(state: RunState) -> Response:
    """That a run was started, and where to look for it."""
    return Response(
        written(state),
        202,
        headers={"location": f"/v1/runs/{state.run_id}"},
        media_type="application/json",
    )
