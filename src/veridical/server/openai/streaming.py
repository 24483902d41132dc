"""Streams an answer as chunks: progress while it is computed, its text once it has passed the
gate."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from veridical.contracts.wire import Wire
from veridical.server.answerer import PendingAnswer
from veridical.server.body_types import written
from veridical.server.openai.completion import ChunkChoice, CompletionHeader, Delta
from veridical.server.openai.error import ErrorBody, detail_of
from veridical.server.problem import ProblemCode, ProblemError, problem_of
from veridical.server.response_deadlines import OF_GRACE

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
