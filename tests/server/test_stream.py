import asyncio
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from tests.trace.runs import called
from veridical.contracts.step import Progress
from veridical.runs.state import WatchedEvent
from veridical.server.stream import StreamTiming, event_stream

CALM = StreamTiming(heartbeat_seconds=30, retry_seconds=2)


async def _events(*pauses: float) -> AsyncGenerator[WatchedEvent]:
    for number, pause in enumerate(pauses):
        await asyncio.sleep(pause)
        yield WatchedEvent(sequence=number, event=called(number))


async def _read(
    events: AsyncIterator[WatchedEvent], rhythm: StreamTiming, closing_after: float | None = None
) -> list[str]:
    closing = asyncio.Event()
    if closing_after is not None:
        asyncio.get_running_loop().call_later(closing_after, closing.set)
    return [part.decode() async for part in event_stream(events, rhythm, closing)]


def test_events_carry_their_number_and_kind() -> None:
    first, *parts = asyncio.run(_read(_events(0, 0), CALM))
    assert first == "retry: 2000\n\n"
    assert [part.splitlines()[:2] for part in parts] == [
        ["id: 0", "event: toolCalled"],
        ["id: 1", "event: toolCalled"],
    ]
    assert all(part.endswith("\n\n") and part.count("\ndata: ") == 1 for part in parts)


def test_progress_has_no_number() -> None:
    async def events() -> AsyncGenerator[WatchedEvent]:
        writing = Progress(stage="writing", round=1, text="two\nlines")
        yield WatchedEvent(sequence=None, event=writing)

    [_, part] = asyncio.run(_read(events(), CALM))
    assert part.startswith("event: progress\ndata: {")
    assert part.count("\n") == 3


def test_silence_is_filled_and_nothing_is_lost() -> None:
    parts = asyncio.run(_read(_events(0, 0.2), StreamTiming(0.03, 2)))
    assert ": alive\n\n" in parts
    assert [part[:5] for part in parts if part.startswith("id")] == ["id: 0", "id: 1"]


def test_a_closing_server_says_when_to_come_back() -> None:
    parts = asyncio.run(_read(_events(0, 60), CALM, closing_after=0.05))
    assert parts[-1].startswith(": the server is closing")
    assert "retry: 2000" in parts[-1]


def test_a_watcher_who_leaves_lets_go_of_the_events() -> None:
    released = False

    async def events() -> AsyncGenerator[WatchedEvent]:
        nonlocal released
        try:
            yield WatchedEvent(sequence=0, event=called(0))
            await asyncio.sleep(60)
        finally:
            released = True

    async def leave() -> None:
        stream = event_stream(events(), CALM, asyncio.Event())
        await anext(stream)
        await anext(stream)
        await stream.aclose()

    asyncio.run(leave())
    assert released


def test_what_breaks_ends_the_stream() -> None:
    async def events() -> AsyncGenerator[WatchedEvent]:
        yield WatchedEvent(sequence=0, event=called(0))
        raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(_read(events(), CALM))
