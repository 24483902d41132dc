"""``POST /v1/chat/completions``: the verified agent behind a chat model's interface."""

import time
from functools import partial
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import StreamingResponse

from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.messages import message
from veridical.server.access_log import request_id_of
from veridical.server.answerer import AnswererDep, PendingAnswer
from veridical.server.auth import AskAccess, RequestLanguage
from veridical.server.body_types import LONGEST_TEXT, written
from veridical.server.dispatch import dispatch_question
from veridical.server.openai.completion import ChatCompletion, CompletionHeader
from veridical.server.openai.error import BadRequestError, OpenAIRoute, errors
from veridical.server.openai.models import as_feature
from veridical.server.openai.request import (
    ChatRequest,
    LongQuestionError,
    NoQuestionError,
    as_question,
)
from veridical.server.openai.streaming import MEDIA_TYPE, ChatStreamOptions, chat_stream
from veridical.server.services import ServicesDep
from veridical.server.stream import HEADERS

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
    identity: AskAccess,
    language: RequestLanguage,
    services: ServicesDep,
    here: AnswererDep,
) -> Response:
    """Answers the user's last message, in the context of the earlier ones.

    System messages are not instructions to the agent. The text is sent once it has passed the
    gate; until then a stream shows only that there is work.
    """
    feature = as_feature(chatted.model, here.features(identity), language)
    question = _question(chatted, feature, language)
    caller = here.caller(identity, feature, language)
    answer = partial(dispatch_question, services, here, identity, question, caller)
    header = CompletionHeader(f"chatcmpl-{uuid4().hex}", int(time.time()), chatted.model, language)
    if not chatted.stream:
        outcome = await answer()
        return Response(written(header.completion(outcome)), media_type="application/json")
    pending = PendingAnswer(answer)
    await pending.started()
    options = ChatStreamOptions(
        services.settings.heartbeat_seconds,
        chatted.wants_usage,
        request_id_of(request.scope),
        request.app.state.closing,
        services.settings.stop_seconds,
    )
    return StreamingResponse(
        chat_stream(pending, header, options), media_type=MEDIA_TYPE, headers=HEADERS
    )


def _question(chatted: ChatRequest, feature: str, language: Language) -> Question:
    try:
        return as_question(chatted.messages, feature)
    except NoQuestionError as error:
        text = message("openai.no_question", language)
        raise BadRequestError(text, "messages", "no_question") from error
    except LongQuestionError as error:
        text = message("openai.long_question", language, most=LONGEST_TEXT)
        raise BadRequestError(text, "messages", "string_above_max_length") from error
