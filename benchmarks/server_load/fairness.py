"""How a small tenant fares beside one that floods the queue."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from benchmarks.server_load.comparison import percentile_ms
from benchmarks.server_load.ground import FLOODING, SMALL, Ground, Size
from benchmarks.server_load.processes import started
from benchmarks.server_load.script import run_request
from veridical.runs.port import Runs, open_runs
from veridical.runs.state import RunStatus

_LOOK_SECONDS = 0.02
_SECONDS = """
    SELECT extract(epoch FROM finished_at - created_at)::float FROM veridical.run_requests
    WHERE run_id = ANY(%s)
"""
_LEFT = "SELECT count(*) FROM veridical.run_requests WHERE tenant = %s AND finished_at IS NULL"


@dataclass(frozen=True)
class Tenants:
    """Both of them, at the same worker."""

    runs: Runs
    url: str
    patience_seconds: float

    def one_by_one(self, count: int, goes_on: Callable[[], bool]) -> list[str]:
        """Runs of the small tenant, each started when the one before is done."""
        done: list[str] = []
        while len(done) < count and goes_on():
            done.append(self._run())
        return done

    def flood(self, count: int) -> None:
        """All runs of the other tenant at once."""
        request = run_request()
        for _ in range(count):
            self.runs.start(request, FLOODING, "Bob")

    def left(self) -> int:
        """Runs of the flood that are not done."""
        with psycopg.connect(self.url) as connection:
            row = connection.execute(_LEFT, (FLOODING,)).fetchone()
        assert row is not None
        return row[0]

    def seconds(self, run_ids: Sequence[str]) -> list[float]:
        """From start to end, by the database's clock."""
        with psycopg.connect(self.url) as connection:
            return [row[0] for row in connection.execute(_SECONDS, (list(run_ids),))]

    def _run(self) -> str:
        run_id = self.runs.start(run_request(), SMALL, "Ada").run_id
        end = time.monotonic() + self.patience_seconds
        while (state := self.runs.state(run_id, SMALL)) is None or not state.status.is_final:
            if time.monotonic() > end:
                raise RuntimeError("a run of the small tenant does not end")
            time.sleep(_LOOK_SECONDS)
        if state.status is not RunStatus.DONE:
            raise RuntimeError(f"a run of the small tenant is {state.status}")
        return run_id


def fairness(ground: Ground, size: Size) -> dict[str, Any]:
    """The small tenant's times from start to done, alone and beside the flood."""
    orders = ground.orders
    with (
        started("working", orders, ground.folder),
        open_runs(orders.settings) as runs,
    ):
        tenants = Tenants(runs, orders.runs_url, size.patience_seconds)
        tenants.one_by_one(2, lambda: True)
        alone = tenants.seconds(tenants.one_by_one(size.small_runs, lambda: True))
        tenants.flood(size.flood)
        beside = tenants.seconds(tenants.one_by_one(size.small_runs, lambda: tenants.left() > 0))
        left = tenants.left()
    p95_alone, p95_beside = percentile_ms(alone, 95), percentile_ms(beside, 95)
    return {
        "fairness_ratio": round(p95_beside / p95_alone, 2),
        "small_p95_ms_alone": p95_alone,
        "small_p95_ms_beside": p95_beside,
        "small_runs_beside": len(beside),
        "flood": size.flood,
        "flood_left": left,
    }
