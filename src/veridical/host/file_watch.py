"""Watches the ontology files of a running process: changed files are reloaded."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

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
