"""SIGHUP handler: reloads the runtime; stops the process where the terminal is gone."""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path


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


_log = logging.getLogger("veridical.host")
_SECONDS = 1.0

Stamp = tuple[tuple[Path, int, int, int], ...]


@contextmanager
def watched_files(
    files: Callable[[], Iterable[Path]],
    renew: Callable[[], Awaitable[object]],
    seconds: float = _SECONDS,
) -> Generator[None]:
    """Calls ``renew`` when one of the files has changed and then stayed as it is for a moment.

    ``files`` is called each time, since a reload may name others.
    """

    known = _stamp(files())  # before they can change: a later look would miss that

    async def watch() -> None:
        nonlocal known
        while True:
            await asyncio.sleep(seconds)
            now = await asyncio.to_thread(_stamp, files())
            if now != known and now == await _later(files, seconds):
                _log.info("changed: %s", ", ".join(str(each[0]) for each in set(now) - set(known)))
                await renew()
                known = now

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


async def _later(files: Callable[[], Iterable[Path]], seconds: float) -> Stamp:
    """So that a file which is still being written is not read."""
    await asyncio.sleep(seconds / 4)
    return await asyncio.to_thread(_stamp, files())


def _stamp(files: Iterable[Path]) -> Stamp:
    """A stamp of the files that changes when one is changed, replaced or removed."""
    found: list[tuple[Path, int, int, int]] = []
    for path in files:
        try:
            status = path.stat()
        except OSError:
            found.append((path, 0, 0, 0))
        else:
            found.append((path, status.st_ino, status.st_mtime_ns, status.st_size))
    return tuple(found)
