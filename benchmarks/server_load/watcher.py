"""One who watches a run over HTTP, is cut off now and then, and takes up again where they were."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from hashlib import sha256

from veridical.contracts.step import Json

_LAST = "answered"


@dataclass
class Seen:
    """What a watcher got, in the order in which it came."""

    run_id: str
    events: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """The number of each, and a digest of what it held; what is not kept has no number, and is
    left out."""
    connections: int = 0


@dataclass(frozen=True)
class Message:
    """One message of a stream."""

    name: str
    number: int | None
    data: str


def digest_of(event: Json) -> str:
    """The same for the same event, however it is written."""
    return sha256(json.dumps(event, sort_keys=True).encode()).hexdigest()


async def watch(port: int, key: str, seen: Seen, cuts: list[int], seated: asyncio.Event) -> None:
    """Watch a run to its end; leave and come back after so many events each time."""
    while True:
        cut = cuts.pop() if cuts else None
        seen.connections += 1
        async with aclosing(_stream(port, key, seen, seated)) as messages:
            if await _read(messages, seen, cut):
                return


async def _read(messages: AsyncGenerator[Message], seen: Seen, cut: int | None) -> bool:
    """Whether the last event has come; false when the watcher left, or was cut off."""
    taken = 0
    async for message in messages:
        if message.number is None:
            continue
        seen.events.append((message.number, digest_of(json.loads(message.data))))
        taken += 1
        if message.name == _LAST:
            return True
        if taken == cut:
            return False
    return False


async def _stream(
    port: int, key: str, seen: Seen, seated: asyncio.Event
) -> AsyncGenerator[Message]:
    headers = {"authorization": f"Bearer {key}"}
    if seen.events:
        headers["last-event-id"] = str(seen.events[-1][0])
    async with aclosing(stream_of(port, f"/v1/runs/{seen.run_id}/events", headers)) as messages:
        async for message in messages:
            seated.set()
            yield message


class NotStreamedError(RuntimeError):
    """The server gave another answer than a stream: its head."""

    @property
    def retry_after(self) -> float | None:
        """The seconds until a new attempt is worth it, where the server names them."""
        named = re.search(r"^retry-after: (\d+)\r?$", str(self), re.MULTILINE)
        return float(named[1]) if named else None


async def stream_of(port: int, path: str, headers: Mapping[str, str]) -> AsyncGenerator[Message]:
    """The messages of a stream, over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"GET {path} HTTP/1.1\r\nhost: localhost\r\n{told}\r\n".encode())
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise NotStreamedError(head.decode())
        async for message in _messages(reader):
            yield message
    finally:
        writer.close()


async def _messages(reader: asyncio.StreamReader) -> AsyncGenerator[Message]:
    """The messages of a response that is sent in chunks."""
    text = ""
    while size := int(await reader.readline(), 16):
        text += (await reader.readexactly(size + 2))[:-2].decode()
        *whole, text = text.split("\n\n")
        for each in whole:
            yield _message(each)


def _message(text: str) -> Message:
    fields = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line)
    number = fields.get("id")
    return Message(
        fields.get("event", ""), None if number is None else int(number), fields.get("data", "")
    )
