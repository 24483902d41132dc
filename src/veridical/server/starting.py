"""How a run is started for whoever holds a credential."""

import asyncio

from fastapi import Response

from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.state import RunState
from veridical.server.audit import noted
from veridical.server.identity import Identity
from veridical.server.plain import written
from veridical.server.services import Services
from veridical.store.audit import AuditAction


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
        question=question,
        caller=FrozenCaller.of(caller),
        approvals=approvals,
    )
    state = await asyncio.to_thread(
        services.runs.start, request, identity.tenant, identity.name, idempotency_key
    )
    detail = {"feature": question.feature}
    await noted(services.store, identity, AuditAction.RUN_STARTED, state.run_id, detail)
    return state


def started_response(state: RunState) -> Response:
    """That a run was started, and where to look for it."""
    return Response(
        written(state),
        202,
        headers={"location": f"/v1/runs/{state.run_id}"},
        media_type="application/json",
    )
