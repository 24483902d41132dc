"""One process of the crew, as the server sees it."""

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from veridical.server.crew.frame import HEAD, Outcome, framed
from veridical.server.crew.mould import Template


@dataclass(eq=False)
class Member:
    """A connection to a process, and the number by which it is ended."""

    number: int
    template: Template
    """Which made it, and ends it."""
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    is_spent: bool = False
    """Whether it has ended by itself, or is to be ended: no more work for it."""

    @classmethod
    async def at(cls, connection: socket.socket, number: int, template: Template) -> Self:
        """The member at the other end of a connection."""
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        return cls(number, template, reader, writer)

    async def do(self, duty: int, request: bytes) -> tuple[Outcome, bytes]:
        """What came of it. Raises ``EOFError`` and ``OSError`` when the process is gone."""
        was_spent, self.is_spent = self.is_spent, True  # until it has ended what it began
        self._writer.write(framed(duty, request))
        await self._writer.drain()
        outcome, last, size = HEAD.unpack(await self._reader.readexactly(HEAD.size))
        told = await self._reader.readexactly(size)
        self.is_spent = was_spent or bool(last)
        return Outcome(outcome), told

    async def close(self) -> None:
        """Let go of the connection."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
