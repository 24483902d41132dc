"""What a durable run costs, beside DBOS with the same steps."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
from dbos import DBOSClient, EnqueueOptions

from benchmarks.server_load.comparison import each_ms, ratio
from benchmarks.server_load.ground import TENANTS, Ground, Size
from benchmarks.server_load.processes import Started, started
from benchmarks.server_load.script import run_request
from veridical.runs.dbos_setup import APPLICATION, QUEUE, WORKFLOW, runtime_url
from veridical.runs.port import open_runs

_LOOK_SECONDS = 0.05
_AT_ONCE = 16
_STATE = """
    SELECT count(*) FILTER (WHERE status = 'SUCCESS'),
        count(*) FILTER (WHERE status NOT IN ('SUCCESS', 'ENQUEUED', 'PENDING'))
    FROM dbos.workflow_status
"""
_STEPS = """
    SELECT (SELECT count(*) FROM dbos.operation_outputs)::float / count(*)
    FROM dbos.workflow_status WHERE status = 'SUCCESS'
"""
_SECONDS = """
    SELECT (max(completed_at) - min(created_at)) / 1000.0
    FROM (SELECT * FROM dbos.workflow_status ORDER BY created_at DESC LIMIT %s) AS latest
"""


@dataclass(frozen=True)
class Side:
    """One of the two that are compared: a worker, and how it is given a run."""

    worker: Started
    start: Callable[[str], object]
    """For this tenant."""
    url: str
    seconds: list[float] = field(default_factory=list[float])
    cpu_seconds: list[float] = field(default_factory=list[float])

    def take_turn(self, count: int, patience_seconds: float) -> None:
        """Start so many runs, and wait until all are done."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            before, _ = _state(connection)
            used = self.worker.cpu_seconds()
            for number in range(count):
                self.start(TENANTS[number % len(TENANTS)])
            end = time.monotonic() + patience_seconds
            done, failed = _state(connection)
            while done < before + count:
                if failed or time.monotonic() > end:
                    raise RuntimeError(f"{done - before} of {count} runs ended, {failed} failed")
                time.sleep(_LOOK_SECONDS)
                done, failed = _state(connection)
            self.cpu_seconds.append(self.worker.cpu_seconds() - used)
            row = connection.execute(_SECONDS, (count,)).fetchone()
            assert row is not None
            self.seconds.append(float(row[0]))

    def warm_up(self, count: int, patience_seconds: float) -> None:
        """A turn that does not count."""
        self.take_turn(count, patience_seconds)
        self.seconds.clear()
        self.cpu_seconds.clear()

    def steps(self) -> float:
        """Steps of one run."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute(_STEPS).fetchone()
        assert row is not None
        return row[0]


def running(ground: Ground, size: Size) -> dict[str, Any]:
    """Both workers given runs in turns; each begins every second turn."""
    with _ours(ground) as ours, _bare(ground) as bare:
        for side in (ours, bare):
            side.warm_up(size.runs, size.patience_seconds)
        for turn in range(size.run_turns):
            for side in (ours, bare) if turn % 2 else (bare, ours):
                side.take_turn(size.runs, size.patience_seconds)
        if ours.steps() != bare.steps():
            raise RuntimeError(f"{ours.steps()} steps are compared with {bare.steps()}")
        return {
            "dbos_ratio": ratio(ours.seconds, bare.seconds),
            "dbos_cpu_ratio": ratio(ours.cpu_seconds, bare.cpu_seconds),
            "run_steps": ours.steps(),
            "run_ms": each_ms(ours.seconds, size.runs),
            "bare_run_ms": each_ms(bare.seconds, size.runs),
            "run_cpu_ms": each_ms(ours.cpu_seconds, size.runs),
            "bare_run_cpu_ms": each_ms(bare.cpu_seconds, size.runs),
        }


@contextmanager
def _ours(ground: Ground) -> Generator[Side]:
    orders = ground.orders.model_copy(update={"tenant_concurrency": _AT_ONCE})
    with (
        started("working", orders, ground.folder) as worker,
        open_runs(orders.settings) as runs,
    ):
        request = run_request()
        yield Side(worker, lambda tenant: runs.start(request, tenant, "Ada"), orders.runs_url)


@contextmanager
def _bare(ground: Ground) -> Generator[Side]:
    orders = ground.bare_orders.model_copy(update={"tenant_concurrency": _AT_ONCE})
    with started("bare_working", orders, ground.folder) as worker:
        client = DBOSClient(system_database_url=runtime_url(orders.settings))
        try:
            yield Side(worker, _enqueue(client), orders.runs_url)
        finally:
            client.destroy()


def _enqueue(client: DBOSClient) -> Callable[[str], object]:
    given = run_request().model_dump(mode="json", by_alias=True)

    def start(tenant: str) -> object:
        options = EnqueueOptions(
            workflow_name=WORKFLOW,
            queue_name=QUEUE,
            queue_partition_key=tenant,
            application_name=APPLICATION,
        )
        return client.enqueue(options, given)

    return start


def _state(connection: "psycopg.Connection[tuple[Any, ...]]") -> tuple[int, int]:
    """How many have ended well, and how many badly: asked so often that it must be cheap."""
    row = connection.execute(_STATE).fetchone()
    assert row is not None
    return row[0], row[1]
