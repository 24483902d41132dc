"""A worker as a process of its own, to be killed, stopped and asked to end.

python -m tests.runs.worker_process SETTINGS SAMPLE_URL SECONDS
"""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.runs.slow_model import slow_model
from tests.sample import PACK
from veridical.answering.feature import Feature, open_feature
from veridical.answering.session import Session
from veridical.engines import Limits, Postgres
from veridical.runs.process_end import stop_events
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker
from veridical.sample.books import READER

_ROOT = Path(__file__).parents[2]


class Process:
    """The worker, seen from outside."""

    def __init__(self, settings: RunsSettings, feature: Feature, seconds: float) -> None:
        database = feature.engine.database
        assert isinstance(database, Postgres)
        url = database._pool.url.set(drivername="postgresql")  # pyright: ignore[reportPrivateUsage]
        command = [sys.executable, "-m", "tests.runs.worker_process",
                   settings.model_dump_json(), url.render_as_string(hide_password=False),
                   str(seconds)]  # fmt: skip
        self._process = subprocess.Popen(command, cwd=_ROOT, env=os.environ)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to this process and to no other."""
        self._process.send_signal(number)

    def wait(self, seconds: float = 60) -> int:
        """How it ended."""
        return self._process.wait(seconds)

    def kill(self) -> None:
        """End it without a word."""
        self._process.kill()
        self._process.wait()


@contextmanager
def processes(
    count: int, settings: RunsSettings, feature: Feature, seconds: float = 0.3
) -> Generator[list[Process]]:
    """So many workers, gone when the block ends."""
    started = [Process(settings, feature, seconds) for _ in range(count)]
    try:
        yield started
    finally:
        for each in started:
            each.kill()


async def _work(settings: RunsSettings, sample_url: str, seconds: float) -> None:
    stop, at_once = stop_events()
    feature = open_feature(PACK, Postgres(sample_url, role=READER))
    feature.engine.limits = Limits(statement_ms=90_000, lock_ms=90_000)
    model = slow_model(settings.database_url, seconds)
    sessions = Worker(settings, lambda _, caller, emit: Session(feature, caller, model, emit=emit))
    await sessions.work(stop, at_once)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(process)d %(message)s")
    asyncio.run(_work(RunsSettings(**json.loads(sys.argv[1])), sys.argv[2], float(sys.argv[3])))
