"""An answer as a stream of chunks: signs of life while it is worked on, its text once it stands."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from veridical.contracts.wire import Wire
from veridical.server.deadlines import OF_GRACE
from veridical.server.openai.completion import ChunkChoice, Delta, Heading
from veridical.server.openai.error import ErrorBody, detail_of
from veridical.server.plain import written
from veridical.server.problem import ProblemCode, ProblemError, problem_of
from veridical.server.work import Work

MEDIA_TYPE = "text/event-stream"
_ALIVE = b": alive\n\n"
_DONE = b"data: [DONE]\n\n"

_log = logging.getLogger("veridical.server")


@dataclass(frozen=True, slots=True)
class Manner:
    """How to stream."""

    heartbeat_seconds: float
    with_usage: bool
    request_id: str
    closing: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the server is asked to stop."""
    stop_seconds: float = 0.0
    """How long it then lets its requests finish."""

    async def over(self) -> None:
        """Wait until the server stops so soon that no answer will come any more."""
        await self.closing.wait()
        await asyncio.sleep(self.stop_seconds * OF_GRACE)


async def chat_stream(work: Work, heading: Heading, manner: Manner) -> AsyncGenerator[bytes]:
    """The chunks, the last of them with the proof; what goes wrong is told as an error."""
    over = asyncio.ensure_future(manner.over())
    try:
        yield _data(heading.piece(ChunkChoice(delta=Delta(role="assistant", content=""))))
        while not work.task.done():
            news = await work.next(manner.heartbeat_seconds, over)
            if news is not None:
                yield _data(heading.piece(ChunkChoice(), news))
            elif over.done() and not work.task.done():
                yield _failed(ProblemError(ProblemCode.CLOSING), heading, manner)
                yield _DONE
                return
            elif not work.task.done():
                yield _ALIVE
        for part in _ending(work, heading, manner):
            yield part
    finally:
        over.cancel()
        await work.stop()


def _ending(work: Work, heading: Heading, manner: Manner) -> tuple[bytes, ...]:
    try:
        outcome = work.task.result()
    except ProblemError as error:
        return (_failed(error, heading, manner), _DONE)
    except Exception:
        _log.exception("request %s broke in its stream", manner.request_id)
        return (_failed(ProblemError(ProblemCode.INTERNAL), heading, manner), _DONE)
    text = heading.piece(ChunkChoice(delta=Delta(content=heading.text(outcome))))
    last = heading.piece(ChunkChoice(finish_reason="stop"), outcome)
    bill = (_data(heading.bill(outcome)),) if manner.with_usage else ()
    return (_data(text), _data(last), *bill, _DONE)


def _failed(error: ProblemError, heading: Heading, manner: Manner) -> bytes:
    told = problem_of(error, heading.language, manner.request_id)
    return _data(ErrorBody(error=detail_of(told)))


def _data(value: Wire) -> bytes:
    return b"".join((b"data: ", written(value), b"\n\n"))
