"""The server's handle on one process of the pool."""

import asyncio
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from veridical.server.process_pool.forkserver_handle import ForkServer
from veridical.server.process_pool.frame import HEAD, Outcome, framed


@dataclass(eq=False)
class PoolProcess:
    """The connection to a process, and its pid."""

    number: int
    forkserver: ForkServer
    """Which made it, and ends it."""
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    is_spent: bool = False
    """Whether it has ended by itself, or is to be ended: no more work for it."""

    @classmethod
    async def at(cls, connection: socket.socket, number: int, forkserver: ForkServer) -> Self:
        """The process at the other end of a connection."""
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        return cls(number, forkserver, reader, writer)

    async def do(self, task: int, request: bytes) -> tuple[Outcome, bytes]:
        """The result of a task. Raises ``EOFError`` and ``OSError`` when the process is gone."""
        was_spent, self.is_spent = self.is_spent, True  # until it has ended what it began
        self._writer.write(framed(task, request))
        await self._writer.drain()
        outcome, last, size = HEAD.unpack(await self._reader.readexactly(HEAD.size))
        told = await self._reader.readexactly(size)
        self.is_spent = was_spent or bool(last)
        return Outcome(outcome), told

    async def close(self) -> None:
        """Close the connection."""
        self._writer.close()
        with suppress(OSError):
            await self._writer.wait_closed()
