"""``POST /v1/ask``: asks a question; the response is usually its answer."""

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from pydantic import Field

from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.question import MOST_TURNS, Question, Turn
from veridical.contracts.wire import Wire
from veridical.runs.state import RunState
from veridical.server.answerer import Answerer, dispatch_question, started_response
from veridical.server.auth import AskAccess
from veridical.server.body_types import FEATURE, EarlierTurn, Text, written
from veridical.server.language import adopt_question_language
from veridical.server.openapi import examples, problems

router = APIRouter(prefix="/v1", tags=["ask"])


class AskRequest(Wire):
    """A question about one body of data. The tenant is the credential's."""

    feature: Annotated[str, Field(pattern=FEATURE)]
    question: Text
    language: Language | None = None
    """The answer's language; without one, the question's."""
    thread: Annotated[tuple[EarlierTurn, ...], Field(max_length=MOST_TURNS)] = ()
    """The conversation so far, the oldest first."""

    def as_question(self) -> Question:
        """The question as the flow takes it."""
        turns = (Turn(question=each.question, answer=each.answer) for each in self.thread)
        return Question(
            text=self.question, feature=self.feature, language=self.language, thread=tuple(turns)
        )


AskBody = Annotated[AskRequest, Body(openapi_examples=examples("ask"))]


@router.post(
    "/ask",
    summary="Ask a question",
    response_model=Answer,
    response_description="The answer, or an honest reason why there is none.",
    responses={
        202: {"model": RunState, "description": "A person must decide first: a run was started."},
        **problems(404, body=True),
    },
)
async def ask(request: Request, body: AskBody, identity: AskAccess) -> Response:
    """Answers in this process. Where the feature's approvals need a person, a run is started."""
    # What is at hand costs less than a dependency, and this is where time counts.
    here: Answerer = request.app.state.answerer
    question = body.as_question()
    caller = here.caller(identity, body.feature, adopt_question_language(request, question))
    outcome = await dispatch_question(request.app.state.services, here, identity, question, caller)
    if isinstance(outcome, RunState):
        return started_response(outcome)
    return Response(written(outcome), media_type="application/json")
