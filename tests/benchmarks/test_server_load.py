import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from unittest.mock import Mock

import pytest

from benchmarks.server_load.__main__ import MUST_BE_ZERO, main
from benchmarks.server_load.comparison import each_ms, percentile_ms, ratio
from benchmarks.server_load.ground import FULL, SMOKE
from benchmarks.server_load.script import known_questions
from benchmarks.server_load.watcher import Seen, digest_of, watch
from benchmarks.server_load.watchers import Sighting
from benchmarks.server_load.watching import Tally

_KEPT = tuple(digest_of({"kind": kind}) for kind in ("started", "routed", "answered"))


def _tally(*numbers: int, digests: Sequence[str] = ()) -> Tally:
    held = tuple(digests) or tuple(_KEPT[number] for number in numbers)
    tally = Tally()
    tally.add(Sighting(run_id="r", numbers=numbers, digests=held, connections=2), _KEPT)
    return tally


def test_who_saw_everything_once_lost_nothing() -> None:
    assert _tally(0, 1, 2) == Tally(events=3, reconnects=1)


@pytest.mark.parametrize(
    ("numbers", "found"),
    [
        ((0, 2), Tally(events=3, lost=1, reconnects=1)),
        ((0, 1, 1, 2), Tally(events=3, duplicate=1, reconnects=1)),
        ((1, 0, 2), Tally(events=3, disordered=1, reconnects=1)),
        ((), Tally(events=3, lost=3, reconnects=1)),
    ],
)
def test_what_is_missing_or_comes_twice_is_counted(numbers: tuple[int, ...], found: Tally) -> None:
    assert _tally(*numbers) == found


def test_what_is_not_as_it_was_kept_is_counted() -> None:
    swapped = (_KEPT[1], _KEPT[0], _KEPT[2])
    assert _tally(0, 1, 2, digests=swapped).altered == 2
    assert _tally(0, 1, 2, 3, digests=(*_KEPT, _KEPT[0])).altered == 1


@asynccontextmanager
async def _server(events: Sequence[str], repeats: int = 0) -> AsyncGenerator[int]:
    """Streams the events after the one that was seen last; repeats so many on each connection."""

    async def stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        last = head.partition("last-event-id: ")[2].partition("\r\n")[0]
        after = max(int(last) + 1 - repeats, 0) if last else 0
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        told = ["retry: 2000\n\n", "event: progress\ndata: {}\n\n"]
        told += (
            f"id: {number}\nevent: {events[number]}\n"
            f"data: {json.dumps({'kind': events[number]})}\n\n"
            for number in range(after, len(events))
        )
        for each in "".join(told).partition("id: 1"):  # a message may come in several parts
            if each:
                writer.write(f"{len(each.encode()):x}\r\n{each}\r\n".encode())
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(stream, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def _watched(cuts: list[int], repeats: int = 0) -> Tally:
    seen, seated = Seen("r"), asyncio.Event()
    async with _server(("started", "routed", "answered"), repeats) as port:
        await watch(port, "key", seen, cuts, seated)
    assert seated.is_set()
    numbers, digests = zip(*seen.events, strict=True)
    sighting = Sighting(run_id="r", numbers=numbers, digests=digests, connections=seen.connections)
    tally = Tally()
    tally.add(sighting, _KEPT)
    return tally


def test_a_watcher_takes_up_again_where_it_was_cut_off() -> None:
    assert asyncio.run(_watched([])) == Tally(events=3)
    assert asyncio.run(_watched([1, 1])) == Tally(events=3, reconnects=2)


def test_a_watcher_notes_what_comes_once_more() -> None:
    assert asyncio.run(_watched([1], repeats=1)) == Tally(events=3, duplicate=1, reconnects=1)


def test_turns_are_compared_one_by_one() -> None:
    assert ratio([1.0, 9.0, 3.0], [1.0, 3.0, 2.0]) == 1.5
    assert each_ms([0.2, 0.1, 0.9], 100) == 2.0
    assert percentile_ms([0.001 * number for number in range(101)], 95) == 95.0


def test_no_known_question_comes_twice() -> None:
    texts = [known.text for known in known_questions()]
    assert len(set(texts)) == len(texts) >= FULL.asks * FULL.ask_turns


def test_the_full_size_has_hundreds_of_watchers() -> None:
    assert FULL.watchers >= 300
    assert SMOKE.watchers < FULL.watchers


@pytest.mark.parametrize("name", MUST_BE_ZERO)
def test_what_watchers_missed_fails_the_command(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {**dict.fromkeys(MUST_BE_ZERO, 0), "http_ratio": 99.0}
    monkeypatch.setattr("sys.argv", ["server_load", "--json"])
    monkeypatch.setattr("benchmarks.server_load.__main__.figures", Mock(return_value=found))
    main()
    found[name] = 1
    with pytest.raises(SystemExit, match=f"not zero: {name}"):
        main()
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == found
