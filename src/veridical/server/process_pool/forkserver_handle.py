"""The server's handle on its fork server."""

import asyncio
import socket
import subprocess  # nosec B404
import sys
from contextlib import suppress

from veridical.server.process_pool.forkserver import NUMBER
from veridical.server.process_pool.frame import framed
from veridical.server.process_pool.task_context import TaskContext

_STARTING_SECONDS = 60.0
_ENDING_SECONDS = 2.0


class ForkServer:
    """A fork server process; it takes orders as soon as it has loaded everything."""

    def __init__(self, context: TaskContext, seconds: float, megabytes: int) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            command = (sys.executable, "-m", "veridical.server.process_pool.forkserver")
            given = (str(theirs.fileno()), str(seconds), str(megabytes))
            self._process = subprocess.Popen(  # noqa: S603 # nosec B603 # our own module
                (*command, *given),
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl+C is the server's, also while this one is being loaded
            )
        self._control.setblocking(False)
        self._one_at_a_time = asyncio.Lock()
        self._context: TaskContext | None = context

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    async def order(self, what: int, number: int, handed: socket.socket | None = None) -> int:
        """Have a process forked or killed; its pid. Raises ``OSError``."""
        async with self._one_at_a_time:
            await self._send_context()
            descriptors = [] if handed is None else [handed.fileno()]
            socket.send_fds(self._control, [bytes([what]) + NUMBER.pack(number)], descriptors)
            return await self._answer()

    async def end(self) -> None:
        """End it, and with it all processes that it forked."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        try:
            async with self._one_at_a_time:
                self._control.close()
            await asyncio.to_thread(self._process.wait, _ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:  # also where whoever ends it is stopped meanwhile
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()

    async def _send_context(self) -> None:
        context, self._context = self._context, None
        if context is None:
            return
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(_STARTING_SECONDS):
            await loop.sock_sendall(self._control, framed(0, context.packed()))
            await self._answer()

    async def _answer(self) -> int:
        told = b""
        while len(told) < NUMBER.size:
            part = await asyncio.get_running_loop().sock_recv(self._control, NUMBER.size)
            if not part:
                raise ConnectionResetError
            told += part
        return NUMBER.unpack(told)[0]
