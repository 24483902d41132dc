import asyncio
import json
from typing import Any

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.progress import Progress
from veridical.server.answerer import PendingAnswer
from veridical.server.openai.completion import CompletionHeader
from veridical.server.openai.streaming import ChatStreamOptions, chat_stream
from veridical.server.problem import ProblemCode, ProblemError

HEADER = CompletionHeader("chatcmpl-1", 1, "veridical:trustee", Language.EN)
GIVEN = Answer(kind=AnswerKind.AGENT, text="It is 5 CHF.", language=Language.EN, trace_id="t")


async def _shown(answering: Any, heartbeat: float = 5.0) -> list[str]:
    pending = PendingAnswer(answering)
    await pending.started()
    options = ChatStreamOptions(heartbeat, with_usage=True, request_id="r")
    return [part.decode() async for part in chat_stream(pending, HEADER, options)]


def _chunks(parts: list[str]) -> list[Any]:
    return [json.loads(part[6:]) for part in parts if part.startswith("data: {")]


def test_drafts_are_never_shown() -> None:
    async def answering(listen: Emit) -> Answer:
        for piece in ("It is ", "500 CHF, ", "I guess"):
            listen(Progress(stage="writing", round=1, text=piece))
            await asyncio.sleep(0)
        listen(Progress(stage="calling", round=2, text="queryTable"))
        await asyncio.sleep(0.01)
        return GIVEN

    parts = asyncio.run(_shown(answering))
    assert not any("guess" in part or "500" in part for part in parts)
    seen = [each["veridical"] for each in _chunks(parts) if each.get("veridical")]
    assert [each["stage"] for each in seen[:-1]] == ["writing", "calling"]
    assert seen[1]["text"] == "queryTable"
    assert all(
        each["choices"][0]["delta"] == {} for each in _chunks(parts) if each.get("veridical")
    )
    assert parts[-1] == "data: [DONE]\n\n"


def test_a_long_silence_is_filled_with_signs_of_life() -> None:
    async def answering(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        await asyncio.sleep(0.2)
        return GIVEN

    parts = asyncio.run(_shown(answering, heartbeat=0.02))
    assert parts.count(": alive\n\n") > 1


def test_what_breaks_on_the_way_is_told_without_internals() -> None:
    async def overloaded(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        raise ProblemError(ProblemCode.OVERLOADED)

    async def broken(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        raise RuntimeError("password=hidden")

    codes = [_chunks(asyncio.run(_shown(each)))[-1]["error"] for each in (overloaded, broken)]
    assert [each["code"] for each in codes] == ["overloaded", "internal"]
    assert "hidden" not in codes[1]["message"]


def test_what_can_not_begin_is_no_stream() -> None:
    async def answering(listen: Emit) -> Answer:
        raise ProblemError(ProblemCode.OVERLOADED)

    async def begun() -> ProblemCode | None:
        try:
            await PendingAnswer(answering).started()
        except ProblemError as error:
            return error.code
        return None

    assert asyncio.run(begun()) is ProblemCode.OVERLOADED


def test_work_ends_with_whoever_hangs_up() -> None:
    ended: list[str] = []

    async def answering(listen: Emit) -> Answer:
        listen(Progress(stage="asking", round=1))
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return GIVEN

    async def hung_up() -> None:
        pending = PendingAnswer(answering)
        await pending.started()
        stream = chat_stream(
            pending, HEADER, ChatStreamOptions(5.0, with_usage=False, request_id="r")
        )
        await anext(stream)
        await stream.aclose()

    asyncio.run(hung_up())
    assert ended == ["cancelled"]


def test_a_stopping_server_waits_for_an_answer_and_says_when_none_will_come() -> None:
    async def stopped(seconds: float) -> list[str]:
        async def answering(listen: Emit) -> Answer:
            listen(Progress(stage="asking", round=1))
            await asyncio.sleep(0.1)
            return GIVEN

        pending = PendingAnswer(answering)
        await pending.started()
        closing = asyncio.Event()
        closing.set()
        options = ChatStreamOptions(60.0, False, "r", closing, seconds)
        return [part.decode() async for part in chat_stream(pending, HEADER, options)]

    assert GIVEN.text in "".join(asyncio.run(stopped(60.0)))
    *_, last, done = asyncio.run(stopped(0.01))
    assert json.loads(last[6:])["error"]["code"] == "closing"
    assert done == "data: [DONE]\n\n"
