"""What is old goes, from every table; what a run may still need stays."""

import asyncio

import pytest

from tests.runs.asked import asked, at, finished, rows, working
from tests.runs.conftest import TENANT
from veridical.answering.feature import Feature
from veridical.runs.port import Runs
from veridical.runs.retention import Deleted, delete_expired
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres

ENGINE = ("workflow_status", "workflow_input", "workflow_output", "operation_outputs")


def counts(store: Store) -> dict[str, int]:
    """How many rows each table has."""
    tables = [*(f"dbos.{name}" for name in (*ENGINE, "veridical_effects")),
              "veridical.run_requests", "veridical.runs", "veridical.events"]  # fmt: skip
    return {table: rows(store, f"SELECT count(*) FROM {table}")[0][0] for table in tables}


def aged(store: Store, run_id: str, days: float) -> None:
    """Let all that belongs to a run have happened so many days ago."""
    values = {"run": run_id, "days": days, "ms": days * 86_400_000}
    for sql in (
        "UPDATE dbos.workflow_status SET completed_at = completed_at - :ms"
        " WHERE workflow_uuid LIKE :run || '%'",
        "UPDATE veridical.run_requests SET created_at = created_at - make_interval(days => :days),"
        " finished_at = finished_at - make_interval(days => :days) WHERE run_id = :run",
        "UPDATE veridical.runs SET started_at = started_at - make_interval(days => :days)"
        " WHERE trace_id = :run",
        *(
            f"UPDATE dbos.{table} SET retention_timestamp = retention_timestamp - :ms"
            " WHERE workflow_uuid LIKE :run || '%'"
            for table in ENGINE[1:]
        ),
    ):
        rows(store, sql, **{name: each for name, each in values.items() if f":{name}" in sql})


def done(runs: Runs, settings: RunsSettings, feature: Feature, count: int) -> list[str]:
    async def story() -> list[str]:
        started = [runs.start(asked(), TENANT, "Ada").run_id for _ in range(count)]
        async with working(settings, at(feature)):
            for run_id in started:
                await finished(runs, run_id, TENANT)
        return started

    return asyncio.run(story())


def test_the_engine_forgets_soon_and_everything_goes_later(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    old, older = done(runs, settings, trustee, 2)
    rows(
        store,
        "INSERT INTO dbos.veridical_effects VALUES (:old, 'x', ''), ('other', 'x', '')",
        old=old,
    )
    before = counts(store)
    assert delete_expired(store, runs.client, 3, 90) == Deleted()
    assert counts(store) == before
    aged(store, old, 4)
    aged(store, older, 100)
    assert delete_expired(store, runs.client, 3, 90) == Deleted(segments=2, runs=1)
    left = counts(store)
    assert [left[f"dbos.{table}"] for table in ENGINE] == [0, 0, 0, 0]
    assert left["dbos.veridical_effects"] == 1
    assert left["veridical.run_requests"] == 1
    assert left["veridical.runs"] == 1
    assert runs.state(old, TENANT) is not None
    assert runs.state(older, TENANT) is None


def test_what_a_run_that_goes_on_needs_is_kept(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    (run_id,) = done(runs, settings, trustee, 1)
    rows(store, "UPDATE veridical.run_requests SET status = 'waiting', finished_at = NULL")
    aged(store, run_id, 400)
    before = counts(store)
    assert delete_expired(store, runs.client, 3, 90) == Deleted()
    assert counts(store) == before


def test_payloads_without_a_run_go(
    runs: Runs, settings: RunsSettings, store: Store, trustee: Feature
) -> None:
    (run_id,) = done(runs, settings, trustee, 1)
    rows(store, "DELETE FROM dbos.workflow_status")
    assert delete_expired(store, runs.client, 3, 90).orphans == 0
    aged(store, run_id, 4)
    assert delete_expired(store, runs.client, 3, 90).orphans == 1
    assert [counts(store)[f"dbos.{table}"] for table in ENGINE] == [0, 0, 0, 0]


def test_more_than_fits_into_one_transaction_goes_too(runs: Runs, store: Store) -> None:
    for _ in range(5):
        runs.cancel(runs.start(asked(), TENANT, "Ada").run_id, TENANT, "Ada")
    waiting = runs.start(asked(), TENANT, "Ada").run_id
    for (run_id,) in rows(store, "SELECT run_id FROM veridical.run_requests"):
        aged(store, run_id, 100)
    rows(
        store,
        "UPDATE dbos.workflow_status SET completed_at = 1 WHERE workflow_uuid = :run",
        run=waiting,
    )
    assert delete_expired(store, runs.client, 3, 90, at_once=2) == Deleted(segments=5, runs=5)
    assert rows(store, "SELECT workflow_uuid FROM dbos.workflow_status") == [(waiting,)]


def test_traces_of_questions_that_were_no_runs_go_as_well(runs: Runs, store: Store) -> None:
    rows(
        store,
        "INSERT INTO veridical.runs (trace_id, started_at) VALUES"
        " ('old', now() - interval '100 days'), ('new', now())",
    )
    assert delete_expired(store, runs.client, 3, 90) == Deleted(traces=1)
    assert rows(store, "SELECT trace_id FROM veridical.runs") == [("new",)]


def test_kept_results_go_when_their_time_is_over(runs: Runs, store: Store) -> None:
    rows(
        store,
        "INSERT INTO veridical.kept_results SELECT :tenant, 'f', digest, '', 0, now(), ends FROM"
        " (VALUES ('old', now() - interval '1 s'), ('new', now() + interval '1 h'))"
        " AS kept (digest, ends)",
        tenant=TENANT,
    )
    assert delete_expired(store, runs.client, 3, 90) == Deleted(results=1)
    assert rows(store, "SELECT digest FROM veridical.kept_results") == [("new",)]
