"""``POST /v1/chat/completions``: the verified agent behind a chat model's interface."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import StreamingResponse

from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.contracts.wire import Wire
from veridical.messages import message
from veridical.server.access_log import request_id_of
from veridical.server.answerer import AnswererDep, dispatch_question
from veridical.server.auth import AskAccess, RequestLanguage
from veridical.server.body_types import LONGEST_TEXT, written
from veridical.server.openai.completion import ChatCompletion, ChunkChoice, CompletionHeader, Delta
from veridical.server.openai.error import BadRequestError, ErrorBody, OpenAIRoute, detail_of, errors
from veridical.server.openai.models import as_feature
from veridical.server.openai.request import (
    ChatRequest,
    LongQuestionError,
    NoQuestionError,
    as_question,
)
from veridical.server.openapi import examples
from veridical.server.pending_answer import PendingAnswer
from veridical.server.problem import ProblemCode, ProblemError, problem_of
from veridical.server.security import OF_GRACE
from veridical.server.services import ServicesDep
from veridical.server.stream import HEADERS

MEDIA_TYPE = "text/event-stream"
_ALIVE = b": alive\n\n"
_DONE = b"data: [DONE]\n\n"

_log = logging.getLogger("veridical.server")


@dataclass(frozen=True, slots=True)
class ChatStreamOptions:
    """Options of one chat stream."""

    heartbeat_seconds: float
    with_usage: bool
    request_id: str
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server is asked to stop."""
    stop_seconds: float = 0.0
    """Seconds in which requests may then finish."""

    async def over(self) -> None:
        """Wait until the server stops so soon that no answer will come any more."""
        await self.closing.wait()
        await asyncio.sleep(self.stop_seconds * OF_GRACE)


async def chat_stream(
    pending: PendingAnswer, header: CompletionHeader, options: ChatStreamOptions
) -> AsyncGenerator[bytes]:
    """The chunks, the last of them with the proof; a failure becomes an error event."""
    over = asyncio.ensure_future(options.over())
    try:
        yield _data(header.chunk(ChunkChoice(delta=Delta(role="assistant", content=""))))
        while not pending.task.done():
            news = await pending.next(options.heartbeat_seconds, over)
            if news is not None:
                yield _data(header.chunk(ChunkChoice(), news))
            elif over.done() and not pending.task.done():
                yield _failed(ProblemError(ProblemCode.CLOSING), header, options)
                yield _DONE
                return
            elif not pending.task.done():
                yield _ALIVE
        for part in _ending(pending, header, options):
            yield part
    finally:
        over.cancel()
        await pending.stop()


def _ending(
    pending: PendingAnswer, header: CompletionHeader, options: ChatStreamOptions
) -> tuple[bytes, ...]:
    try:
        outcome = pending.task.result()
    except ProblemError as error:
        return (_failed(error, header, options), _DONE)
    except Exception:
        _log.exception("request %s broke in its stream", options.request_id)
        return (_failed(ProblemError(ProblemCode.INTERNAL), header, options), _DONE)
    text = header.chunk(ChunkChoice(delta=Delta(content=header.text(outcome))))
    last = header.chunk(ChunkChoice(finish_reason="stop"), outcome)
    bill = (_data(header.usage_chunk(outcome)),) if options.with_usage else ()
    return (_data(text), _data(last), *bill, _DONE)


def _failed(error: ProblemError, header: CompletionHeader, options: ChatStreamOptions) -> bytes:
    problem = problem_of(error, header.language, options.request_id)
    return _data(ErrorBody(error=detail_of(problem)))


def _data(value: Wire) -> bytes:
    return b"".join((b"data: ", written(value), b"\n\n"))


router = APIRouter(prefix="/v1/chat", tags=["openai"], route_class=OpenAIRoute)

Chatted = Annotated[ChatRequest, Body(openapi_examples=examples("chat"))]


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
