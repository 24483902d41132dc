"""SIGHUP handler: reloads the runtime; stops the process where the terminal is gone."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager


@contextmanager
def on_reload_signal(
    renew: Callable[[], Awaitable[object]], stop: Callable[[], None]
) -> Generator[None]:
    """Handles the signal while the block runs. Signals during a reload cause one more after it."""
    loop = asyncio.get_running_loop()
    has_terminal = os.isatty(0)
    wanted = asyncio.Event()

    async def renew_on_and_on() -> None:
        while True:
            await wanted.wait()
            wanted.clear()
            await renew()

    def on_signal() -> None:
        if has_terminal and not os.isatty(0):
            stop()  # the terminal that it was started in is closed
        else:
            wanted.set()

    renewing = asyncio.create_task(renew_on_and_on())
    loop.add_signal_handler(signal.SIGHUP, on_signal)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGHUP)
        renewing.cancel()
