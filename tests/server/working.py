"""A worker beside the server, in a thread of its own."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager

from pydantic_ai.models import Model

from veridical.answering.feature import Feature
from veridical.answering.session import Session
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker

_PATIENCE = 60.0


@contextmanager
def working(
    settings: RunsSettings, feature: Feature, model: Model | None = None
) -> Generator[None]:
    """Runs are worked on until the block ends, by this model where they need one."""
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    worker = Worker(settings, lambda name, caller, emit: Session(feature, caller, model, emit=emit))

    def work() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(worker.work(stop))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(_PATIENCE)
