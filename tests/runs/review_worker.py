"""A worker that has no feature, as a process of its own to be killed: it reviews by rules.

python -m tests.runs.review_worker SETTINGS
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.runs.process_end import stop_events
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker

_ROOT = Path(__file__).parents[2]


@contextmanager
def review_worker(settings: RunsSettings) -> "Generator[subprocess.Popen[bytes]]":
    """The worker, gone when the block ends."""
    command = [sys.executable, "-m", "tests.runs.review_worker", settings.model_dump_json()]
    started = subprocess.Popen(command, cwd=_ROOT, env=os.environ)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def no_feature(name: str, caller: Caller, emit: Emit) -> Session:
    """For runs that ask about no data."""
    raise LookupError(name)


async def _work(settings: RunsSettings) -> None:
    await Worker(settings, no_feature).work(*stop_events())


if __name__ == "__main__":
    asyncio.run(_work(RunsSettings(**json.loads(sys.argv[1]))))
