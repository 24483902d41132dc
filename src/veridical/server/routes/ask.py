"""``POST /v1/ask``: asks a question; the response is usually its answer."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request, Response
from pydantic import Field

from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.question import MOST_TURNS, Question, Turn
from veridical.contracts.wire import Wire
from veridical.runs.state import RunState
from veridical.server.answerer import Answerer
from veridical.server.auth import AskAccess
from veridical.server.body_types import Text, written
from veridical.server.dispatch import dispatch_question, started_response
from veridical.server.language import adopt_question_language
from veridical.server.openapi import problems
from veridical.server.parameters import FEATURE
from veridical.word_file import word_file

router = APIRouter(prefix="/v1", tags=["ask"])

_EXAMPLES: dict[str, Any] = {
    "known": {
        "summary": "A known question",
        "value": {
            "feature": "trustee",
            "question": word_file("veridical.server.routes", "examples.toml")["balance"],
        },
    },
    "follow-up": {
        "summary": "A follow-up in English",
        "value": {
            "feature": "trustee",
            "question": "And the year before?",
            "language": "en",
            "thread": [
                {
                    "question": "What was the balance of account 1020 at the end of 2024?",
                    "answer": "Balance of account 1020 on 31.12.2024: 1'104'822.67 CHF",
                }
            ],
        },
    },
}


class EarlierTurn(Wire):
    """An earlier question and its answer."""

    question: Text
    answer: Text


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


AskBody = Annotated[AskRequest, Body(openapi_examples=_EXAMPLES)]


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
