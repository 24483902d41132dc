"""A review that is killed: ``python -m benchmarks.requirements.killed --count 1000 --json``.

A worker on a PostgreSQL of its own reviews the requirements as a durable run and is killed
(SIGKILL) again and again: between batches, and when a question has just been answered. The next
worker goes on. ``lost`` counts requirements without a verdict of the team, ``asked_twice``
questions that were put more than once, ``answers_lost`` answers that the outcome does not have.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import insert, text

from benchmarks.command import command, show
from benchmarks.served import own_database
from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.contracts.requirements_review import ReviewOutcome, ReviewTask, SignalKind
from veridical.requirements.team.team import BATCH
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_item import Decider, Ruling
from veridical.runs.port import Runs, open_runs
from veridical.runs.process_end import stop_events
from veridical.runs.request import review_request
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunState, RunStatus
from veridical.runs.worker import Worker
from veridical.sample.postgres import local_postgres
from veridical.store.connection import Store
from veridical.store.tables import TENANTS

ROOT = Path(__file__).parents[2]
_TENANT, _ASKER = "acme", "Ada"
_DECIDER = Decider(_TENANT, _ASKER, may_decide=False, may_ask=True)
_QUESTIONS, _KILLED_AFTER = 6, 3
_PATIENCE = 600.0
_BATCHES = text(
    "SELECT count(*) FROM dbos.operation_outputs WHERE function_name ~ '^review:[0-9]+$'"
)
_ASKED = text("SELECT name FROM veridical.inbox")
Found = TypeVar("Found")


class Course:
    """One review, its workers and what became of them."""

    def __init__(self, settings: RunsSettings, store: Store, runs: Runs) -> None:
        self.settings, self.store, self.runs = settings, store, runs
        self.kills = self.answered = 0
        self.run_id = ""

    @contextmanager
    def worker(self) -> "Generator[subprocess.Popen[bytes]]":
        """A worker as a process of its own, gone when the block ends."""
        command = [sys.executable, "-m", "benchmarks.requirements.killed", "--worker"]
        started = subprocess.Popen([*command, self.settings.model_dump_json()], cwd=ROOT)
        try:
            yield started
        finally:
            started.kill()
            started.wait()

    def until(self, look: Callable[[], Found | None]) -> Found:
        """What is found, as soon as it is."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if (found := look()) is not None:
                return found
            time.sleep(0.05)
        raise TimeoutError("the review does not go on")

    def batches(self) -> int:
        """How many are recorded as done."""
        with self.store.engine.begin() as connection:
            return connection.execute(_BATCHES).scalar_one()

    def waits(self, than: str | None = None) -> RunState | None:
        """The run, where it waits for another question or is over."""
        state = self.runs.state(self.run_id, _TENANT)
        if state is None or state.status.is_final:
            return state
        is_new = state.waiting_for not in (None, than)
        return state if state.status is RunStatus.WAITING and is_new else None

    def reply(self, item_id: str) -> None:
        """Answers a question as its asker."""
        inbox = Inbox(self.store)
        item = inbox.item(item_id, _TENANT)
        if item is not None:
            said = {"text": "the guard"}
            ruling = Ruling(approved=True, choice=said, evidence_hash=item.evidence_hash)
            inbox.decide(item.id, _DECIDER, ruling)
            self.answered += 1

    def run(self, count: int) -> RunState:
        """The whole course."""
        texts = tuple(f"The pump {n} of line {n % 97} shall be fast." for n in range(count))
        task = ReviewTask(requirements=texts, most_questions=_QUESTIONS, seconds=_PATIENCE * 10)
        caller = Caller(name=_ASKER, member_of=_TENANT)
        self.run_id = self.runs.start(review_request(task, caller), _TENANT, _ASKER).run_id
        all_batches = -(-count // BATCH)
        for share in (0.2, 0.6):
            with self.worker() as worker:
                self.until(lambda share=share: self.batches() >= share * all_batches or None)
                worker.kill()
                self.kills += 1
        last: str | None = None
        while True:
            with self.worker() as worker:
                for _ in range(_KILLED_AFTER):
                    state = self.until(lambda last=last: self.waits(last))
                    if state.status.is_final or state.waiting_for is None:
                        return state
                    last = state.waiting_for
                    self.reply(last)
                worker.kill()
                self.kills += 1


def measure(count: int) -> dict[str, Any]:
    """The figures of one course."""
    with (
        tempfile.TemporaryDirectory(prefix="veridical-review-") as folder,
        local_postgres(Path(folder)) as server,
    ):
        url = own_database(server, "runs")
        settings = RunsSettings(database_url=url, lease_seconds=3, poll_seconds=0.1)
        store = Store(url)
        with store.operator() as connection:
            connection.execute(insert(TENANTS).values(id=_TENANT, name=_TENANT, scope={}))
        with open_runs(settings, store) as runs:
            course = Course(settings, store, runs)
            begun = time.perf_counter()
            state = course.run(count)
            found = _figures(course, state, time.perf_counter() - begun)
        store.close()
        return found


def _figures(course: Course, state: RunState, seconds: float) -> dict[str, Any]:
    with course.store.engine.begin() as connection:
        names = list(connection.execute(_ASKED).scalars())
    review = state.answer.review if state.answer else None
    outcome = review or ReviewOutcome(
        criteria=(), requirements=(), duplicates=None, questions_asked=0
    )
    closes = (SignalKind.APPROVE, SignalKind.NOT_APPROVED)
    closed = [each for each in outcome.requirements if each.turns[-1].signal in closes]
    evaluated = [each for each in closed if each.score is not None]
    batches = course.batches()
    return {
        "requirements": len(outcome.requirements),
        "status": state.status.value,
        "kills": course.kills,
        "batches": batches,
        "lost": len(outcome.requirements) - len(evaluated),
        "asked": len(names),
        "asked_twice": len(names) - len(set(names)),
        "answers_lost": course.answered - sum(len(each.answers) for each in outcome.requirements),
        "seconds": round(seconds, 1),
    }


def _no_feature(name: str, caller: Caller, emit: Emit) -> Session:
    raise LookupError(name)


async def _work(settings: RunsSettings) -> None:
    await Worker(settings, _no_feature).work(*stop_events())


def main() -> None:
    """Prints the figures, or works until it is ended."""
    parser = command(__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        asyncio.run(_work(RunsSettings(**json.loads(chosen.worker))))
        return
    found = measure(chosen.count)
    show(found, chosen)


if __name__ == "__main__":
    main()
