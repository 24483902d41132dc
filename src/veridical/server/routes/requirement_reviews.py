"""``POST /v1/requirements/reviews``: a review by the team, as a durable run."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Body, Request, Response
from pydantic import Field

from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.contracts.requirements_review import MOST_QUESTIONS, ReviewTask
from veridical.contracts.wire import Wire
from veridical.requirements.finding import Criterion
from veridical.runs.request import review_request
from veridical.runs.state import RunState
from veridical.server.answerer import STARTS_A_RUN, AnswererDep, started_response
from veridical.server.auth import AskAccess
from veridical.server.body_types import FEATURE, Text
from veridical.server.identity import Identity
from veridical.server.openapi import examples
from veridical.server.parameters import IdempotencyKey
from veridical.server.services import Services, ServicesDep

router = APIRouter(prefix="/v1/requirements", tags=["requirements"])

MOST = 1_000
"""Requirements of one review."""


class ReviewRequest(Wire):
    """Requirements for the team, and how much it may ask."""

    requirements: Annotated[tuple[Text, ...], Field(min_length=1, max_length=MOST)]
    criteria_keys: Annotated[
        tuple[Criterion | Literal["all"], ...], Field(max_length=len(Criterion) + 1)
    ] = ()
    ask_criteria: bool = False
    most_questions: Annotated[int, Field(ge=0, le=MOST_QUESTIONS)] = 20
    feature: Annotated[str, Field(pattern=FEATURE)] | None = None
    """The feature whose model may help; without one, only rules and templates work."""

    def as_task(self) -> ReviewTask:
        """The task as a run takes it."""
        return ReviewTask(
            requirements=self.requirements,
            criteria_keys=tuple(str(each) for each in self.criteria_keys),
            ask_criteria=self.ask_criteria,
            most_questions=self.most_questions,
        )


Reviewed = Annotated[ReviewRequest, Body(openapi_examples=examples("requirement_reviews"))]


@router.post(
    "/reviews",
    summary="Start a review of requirements",
    **STARTS_A_RUN,
)
async def start(
    request: Request,
    body: Reviewed,
    identity: AskAccess,
    services: ServicesDep,
    here: AnswererDep,
    key: IdempotencyKey = None,
) -> Response:
    """Operator, clarifier and validator review them as a run. Questions come through the inbox,
    one at a time; the events of the run show every turn."""
    language = request.state.language
    caller = here.caller(identity, body.feature, language) if body.feature else None
    state = await start_review(
        services, identity, body.as_task(), language, caller, body.feature or "", key
    )
    return started_response(state)


async def start_review(
    services: Services,
    identity: Identity,
    task: ReviewTask,
    language: Language,
    caller: Caller | None = None,
    feature: str = "",
    key: str | None = None,
) -> RunState:
    """The run that reviews these requirements; with a caller of a feature, its model may help.

    Raises ``IdempotencyConflictError``.
    """
    by = caller or Caller(language=language, name=identity.name, member_of=identity.tenant)
    wanted = review_request(task, by, feature)
    return await asyncio.to_thread(
        services.runs.start, wanted, identity.tenant, identity.name, key, identity.people
    )
