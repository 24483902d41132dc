"""``POST /v1/chat/completions``: the verified agent behind the interface of a chat model."""

import time
from functools import partial
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import StreamingResponse

from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.messages import message
from veridical.server.answering import answered
from veridical.server.asking import AsksHere
from veridical.server.exchange import request_id_of
from veridical.server.openai.completion import ChatCompletion, Heading
from veridical.server.openai.conversation import (
    LongQuestionError,
    NoQuestionError,
    as_question,
)
from veridical.server.openai.documented import errors
from veridical.server.openai.error import BadRequestError, OpenAIRoute
from veridical.server.openai.naming import as_feature
from veridical.server.openai.request import ChatRequest
from veridical.server.openai.streaming import MEDIA_TYPE, Manner, chat_stream
from veridical.server.plain import LONGEST_TEXT, written
from veridical.server.services import Serving
from veridical.server.stream import HEADERS
from veridical.server.who import Asker, InLanguage
from veridical.server.work import Work

router = APIRouter(prefix="/v1/chat", tags=["openai"], route_class=OpenAIRoute)

_EXAMPLES: dict[str, Any] = {
    "known": {
        "summary": "A known question",
        "value": {
            "model": "veridical:trustee",
            "messages": [
                {
                    "role": "user",
                    "content": "What was the balance of account 1020 at the end of 2024?",
                }
            ],
        },
    },
}

Chatted = Annotated[ChatRequest, Body(openapi_examples=_EXAMPLES)]


@router.post(
    "/completions",
    summary="Chat",
    response_model=ChatCompletion,
    response_description="The answer; as server-sent events where ``stream`` asks for them.",
    responses={200: {"content": {MEDIA_TYPE: {}}}, **errors(400, 404, 408, 413, 415, 504)},
)
async def chat(
    chatted: Chatted,
    request: Request,
    identity: Asker,
    language: InLanguage,
    services: Serving,
    here: AsksHere,
) -> Response:
    """What the user said last is answered, in the light of what was said before.

    System messages are not instructions to the agent. The text is sent once it has passed the
    gate; until then a stream shows only that there is work.
    """
    feature = as_feature(chatted.model, here.features(identity), language)
    question = _question(chatted, feature, language)
    caller = here.caller(identity, feature, language)
    answer = partial(answered, services, here, identity, question, caller)
    heading = Heading(f"chatcmpl-{uuid4().hex}", int(time.time()), chatted.model, language)
    if not chatted.stream:
        outcome = await answer()
        return Response(written(heading.whole(outcome)), media_type="application/json")
    work = Work(answer)
    await work.begun()
    manner = Manner(
        services.settings.heartbeat_seconds,
        chatted.wants_usage,
        request_id_of(request.scope),
        request.app.state.closing,
        services.settings.stop_seconds,
    )
    return StreamingResponse(
        chat_stream(work, heading, manner), media_type=MEDIA_TYPE, headers=HEADERS
    )


def _question(chatted: ChatRequest, feature: str, language: Language) -> Question:
    try:
        return as_question(chatted.messages, feature)
    except NoQuestionError as error:
        told = message("openai.no_question", language)
        raise BadRequestError(told, "messages", "no_question") from error
    except LongQuestionError as error:
        told = message("openai.long_question", language, most=LONGEST_TEXT)
        raise BadRequestError(told, "messages", "string_above_max_length") from error
