"""Runs of dead workers go back on the queue, those of living ones never."""

import time
from collections.abc import Sequence

import pytest

from tests.runs.asked import asked, rows
from tests.runs.conftest import TENANT
from veridical.contracts.answer import AnswerKind
from veridical.runs import recovery
from veridical.runs.lease import Lease
from veridical.runs.port import Runs
from veridical.runs.recovery import (
    close_failed_runs,
    hand_back,
    recover_runs,
    release_strays,
    wake_due,
)
from veridical.runs.state import RunStatus
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


LEASE = 2.0


@pytest.fixture(autouse=True)
def there_for_a_lease(store: Store) -> None:
    """Nobody is dead before the server of the tests has been there for so long."""
    up = rows(store, "SELECT extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())")
    time.sleep(max(0.0, LEASE + 0.1 - float(up[0][0])))


def taken(runs: Runs, lease: Lease) -> str:
    """A run that this worker has taken."""
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    rows(runs.store, "UPDATE veridical.run_requests SET status = 'running' WHERE run_id = :run",
         run=run_id)  # fmt: skip
    rows(
        runs.store,
        "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = :executor,"
        " owner_xid = 'x', recovery_attempts = 1, started_at_epoch_ms ="
        " extract(epoch FROM now()) * 1000 - 60000 WHERE workflow_uuid = :run",
        executor=lease.executor_id,
        run=run_id,
    )
    return run_id


def signed_on(store: Store) -> Lease:
    lease = Lease(store, 30)
    lease.take()
    return lease


def silent(store: Store, lease: Lease, seconds: float) -> None:
    rows(
        store,
        "UPDATE veridical.workers SET seen_at = now() - make_interval(secs => :seconds)"
        " WHERE executor_id = :executor",
        seconds=seconds,
        executor=lease.executor_id,
    )


def on_queue(store: Store) -> Sequence[str]:
    found = rows(store, "SELECT workflow_uuid FROM dbos.workflow_status WHERE status = 'ENQUEUED'")
    return [row[0] for row in found]


def shown_as(store: Store, status: str) -> Sequence[str]:
    sql = "SELECT run_id FROM veridical.run_requests WHERE status = :status"
    return [row[0] for row in rows(store, sql, status=status)]


def test_only_the_dead_lose_their_runs(runs: Runs, store: Store) -> None:
    dead, living = signed_on(store), signed_on(store)
    lost, kept = taken(runs, dead), taken(runs, living)
    silent(store, dead, LEASE + 1)
    assert recover_runs(store, runs.client, LEASE) == [lost]
    assert on_queue(store) == shown_as(store, "queued") == [lost]
    assert shown_as(store, "running") == [kept]
    owners = rows(store, "SELECT owner_xid FROM dbos.workflow_status WHERE workflow_uuid = :run",
                  run=lost)  # fmt: skip
    assert owners == [(None,)]
    assert not dead.renew()
    assert living.renew()
    assert recover_runs(store, runs.client, LEASE) == []
    assert kept not in on_queue(store)


def test_runs_of_workers_that_nobody_knows_are_taken_over(runs: Runs, store: Store) -> None:
    unknown = Lease(store, 30)
    run_id = taken(runs, unknown)
    assert recover_runs(store, runs.client, LEASE) == [run_id]


def test_nobody_is_dead_right_after_the_database_started(runs: Runs, store: Store) -> None:
    dead = signed_on(store)
    taken(runs, dead)
    silent(store, dead, 3600)
    up = rows(store, "SELECT extract(epoch FROM now() - pg_postmaster_start_time())")[0][0]
    assert recover_runs(store, runs.client, float(up) + 60) == []
    assert rows(store, "SELECT count(*) FROM veridical.workers") == [(1,)]


def test_one_reaps_at_a_time(runs: Runs, store: Store) -> None:
    dead = signed_on(store)
    taken(runs, dead)
    silent(store, dead, 60)
    with store.system() as busy:
        assert busy.scalar(recovery._LOCK)  # pyright: ignore[reportPrivateUsage]
        assert recover_runs(store, runs.client, LEASE) == []
    assert len(recover_runs(store, runs.client, LEASE)) == 1


def test_who_leaves_hands_back_what_is_not_done(runs: Runs, store: Store) -> None:
    leaving, staying = signed_on(store), signed_on(store)
    handed, _ = taken(runs, leaving), taken(runs, staying)
    assert hand_back(store, leaving.executor_id) == 1
    assert on_queue(store) == shown_as(store, "queued") == [handed]
    attempts = rows(
        store,
        "SELECT recovery_attempts FROM dbos.workflow_status WHERE workflow_uuid = :run",
        run=handed,
    )
    assert attempts == [(0,)]  # no fault of the run


def test_a_claim_whose_confirmation_was_lost_is_put_back(runs: Runs, store: Store) -> None:
    lease = signed_on(store)
    known, stray = taken(runs, lease), taken(runs, lease)
    assert release_strays(store, lease.executor_id, [known], 90) == []
    assert release_strays(store, lease.executor_id, [known], 10) == [stray]
    assert on_queue(store) == shown_as(store, "queued") == [stray]


def test_runs_wake_by_the_clock_of_the_database(runs: Runs, store: Store) -> None:
    due, not_yet = (runs.start(asked(), TENANT, "Ada").run_id for _ in range(2))
    for run_id, seconds in ((due, -1), (not_yet, 60)):
        rows(
            store,
            "UPDATE dbos.workflow_status SET status = 'DELAYED', delay_until_epoch_ms ="
            " (extract(epoch FROM now()) + :seconds) * 1000 WHERE workflow_uuid = :run",
            seconds=seconds,
            run=run_id,
        )
    assert wake_due(store) == 1
    assert on_queue(store) == [due]


def given_up(store: Store, run_id: str, status: str, ago: float = 0) -> None:
    rows(
        store,
        "UPDATE dbos.workflow_status SET status = :status, completed_at ="
        " (extract(epoch FROM now()) - :ago) * 1000 WHERE workflow_uuid = :run",
        status=status,
        ago=ago,
        run=run_id,
    )


@pytest.mark.parametrize(
    ("status", "error"), [("MAX_RECOVERY_ATTEMPTS_EXCEEDED", "GAVE_UP"), ("ERROR", "BROKE")]
)
def test_what_the_engine_gave_up_has_failed(
    runs: Runs, store: Store, status: str, error: str
) -> None:
    run_id, other = (runs.start(asked(), TENANT, "Ada").run_id for _ in range(2))
    given_up(store, run_id, status)
    assert close_failed_runs(store, runs.client, 60) == [run_id]
    state = runs.state(run_id, TENANT)
    assert state is not None
    assert (state.status, state.error) == (RunStatus.FAILED, error)
    assert state.answer is not None
    assert state.answer.kind is AnswerKind.FAILED
    assert state.answer.text
    assert runs.state(other, TENANT).status is RunStatus.QUEUED  # pyright: ignore
    assert close_failed_runs(store, runs.client, 60) == []


def test_what_was_cancelled_in_the_engine_is_cancelled(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    given_up(store, run_id, "CANCELLED")
    assert close_failed_runs(store, runs.client, 60) == [run_id]
    assert runs.state(run_id, TENANT).status is RunStatus.CANCELLED  # pyright: ignore


def test_an_earlier_life_settles_nothing(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    given_up(store, run_id, "ERROR")
    rows(store, "UPDATE veridical.run_requests SET workflow_id = workflow_id || '~1'")
    assert close_failed_runs(store, runs.client, 60) == []


def test_only_what_happened_lately_is_looked_at(runs: Runs, store: Store) -> None:
    run_id = runs.start(asked(), TENANT, "Ada").run_id
    given_up(store, run_id, "ERROR", ago=120)
    assert close_failed_runs(store, runs.client, 60) == []
    assert close_failed_runs(store, runs.client, 600) == [run_id]
