"""An event loop in a thread of its own, for callers that do not await."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Thread, current_thread
from typing import Any, Self, TypeVar

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for any number of threads, each of which waits for its own.

    The caller's thread may have a running loop of its own, as in a notebook: it waits all the same.
    """

    def __init__(self) -> None:
        self._ready: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = Thread(target=self._serve, name="veridical", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.result()
        return self

    def __exit__(self, *_: object) -> None:
        """Cancels what still runs and waits until it has ended."""
        loop, stop = self._ready.result()
        loop.call_soon_threadsafe(stop.set)
        self._thread.join()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of a coroutine. Interrupted by Ctrl+C, it is cancelled."""
        if current_thread() is self._thread or not self._thread.is_alive():
            work.close()
            raise RuntimeError(_WITHIN if self._thread.is_alive() else _CLOSED)
        loop, _ = self._ready.result()
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _serve(self) -> None:
        async def until_stopped() -> None:
            stop = asyncio.Event()
            self._ready.set_result((asyncio.get_running_loop(), stop))
            await stop.wait()

        asyncio.run(until_stopped())


_CLOSED = "the client is closed: use it inside of `with veridical.open(…) as client:`"
_WITHIN = (
    "a blocking call from within an event of the same client would wait for itself: "
    "use `async with veridical.open(…) as client:` and `await` instead"
)
