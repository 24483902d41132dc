import asyncio
from typing import Any

import pytest

from veridical.answering.session import Emit
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.step import Progress
from veridical.server.pending_answer import Outcome, PendingAnswer

GIVEN = Answer(kind=AnswerKind.AGENT, text="It is 5 CHF.", language=Language.EN, trace_id="t")


def _telling(*news: Progress) -> Any:
    async def answering(listen: Emit) -> Answer:
        for each in news:
            listen(each)
            await asyncio.sleep(0.001)
        return GIVEN

    return answering


def test_news_come_in_their_order_and_once_each() -> None:
    asking = Progress(stage="asking", round=1)
    calling = Progress(stage="calling", round=1, text="queryTable")
    drafts = [Progress(stage="writing", round=2, text=piece) for piece in ("It ", "is ", "7")]

    async def seen() -> tuple[list[Progress | None], Outcome]:
        pending = PendingAnswer(_telling(asking, asking, calling, *drafts))
        await pending.started()
        news = [await pending.next(1) for _ in range(3)]
        return news, await pending.task

    news, outcome = asyncio.run(seen())
    assert news == [asking, calling, Progress(stage="writing", round=2)]
    assert outcome is GIVEN


def test_without_news_there_is_an_end_to_waiting() -> None:
    async def seen() -> tuple[Progress | None, Progress | None]:
        pending = PendingAnswer(lambda listen: asyncio.sleep(0.05, GIVEN))
        return await pending.next(0.001), await pending.next(10)

    assert asyncio.run(seen()) == (None, None)


def test_what_keeps_it_from_beginning_is_raised() -> None:
    async def answering(listen: Emit) -> Answer:
        raise RuntimeError("no place")

    with pytest.raises(RuntimeError, match="no place"):
        asyncio.run(_begun(answering))


async def _begun(answering: Any) -> None:
    await PendingAnswer(answering).started()


def test_it_ends_with_whoever_waits_for_it_to_begin() -> None:
    ended: list[str] = []

    async def answering(listen: Emit) -> Answer:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return GIVEN

    async def hung_up() -> None:
        waiting = asyncio.ensure_future(_begun(answering))
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(hung_up())
    assert ended == ["cancelled"]


def test_whoever_hangs_up_while_waiting_for_news_leaves_nothing_behind() -> None:
    async def answering(listen: Emit) -> Answer:
        await asyncio.sleep(60)
        raise AssertionError

    async def hung_up() -> set[str]:
        pending = PendingAnswer(answering)
        waiting = asyncio.ensure_future(pending.next(60.0))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await pending.stop()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(0)
        return {str(each.get_coro()) for each in asyncio.all_tasks() - {asyncio.current_task()}}

    assert asyncio.run(hung_up()) == set()
