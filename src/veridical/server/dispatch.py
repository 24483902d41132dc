"""Dispatches a question: to this process, or to a durable run where a person must approve."""

import asyncio

from fastapi import Response

from veridical.answering.session import Emit
from veridical.contracts.approvals import NO_APPROVALS, Approvals
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question, Turn
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.runs.state import RunState
from veridical.server.answerer import Answerer, Outcome, ignore_event
from veridical.server.body_types import written
from veridical.server.identity import Identity
from veridical.server.services import Services

MOST_CHARACTERS = 16_000
"""Limit of all earlier turns together. Each is read word by word, so it limits time too."""


def recent_turns(question: Question) -> Question:
    """The question with the most recent of its earlier turns, at least one."""
    kept: list[Turn] = []
    left = MOST_CHARACTERS
    for turn in reversed(question.thread):
        left -= len(turn.question) + len(turn.answer)
        if kept and left < 0:
            break
        kept.append(turn)
    if len(kept) == len(question.thread):
        return question
    return question.model_copy(update={"thread": tuple(reversed(kept))})


async def dispatch_question(
    services: Services,
    here: Answerer,
    identity: Identity,
    question: Question,
    caller: Caller,
    listen: Emit = ignore_event,
) -> Outcome:
    """The answer, or the run that was started because the feature needs approvals.

    Raises ``ProblemError``.
    """
    question = recent_turns(question)
    if here.needs_person(question.feature):
        return await start_run(services, identity, question, caller)
    return await here.answer(identity, question, caller, listen)


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
    """The response that a run was started, with its location."""
    return Response(
        written(state),
        202,
        headers={"location": f"/v1/runs/{state.run_id}"},
        media_type="application/json",
    )
