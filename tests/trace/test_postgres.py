from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg.sql import SQL, Literal
from sqlalchemy import make_url

from tests.trace.runs import repaired_run
from veridical.trace.postgres import PostgresTraces
from veridical.trace.recorder import StoreError

pytestmark = pytest.mark.postgres


def test_two_processes_may_prepare_at_once(postgres_url: str) -> None:
    stores = [PostgresTraces(postgres_url) for _ in range(4)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(PostgresTraces.prepare, stores))
    for store in stores:
        store.close()
    with psycopg.connect(postgres_url) as connection:
        found = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'veridical' ORDER BY 1"
        )
        assert found.fetchall() == [("events",), ("runs",)]


def test_runs_can_be_queried_with_sql(postgres_url: str) -> None:
    store = PostgresTraces(postgres_url)
    store.prepare()
    store.save(repaired_run("told", "acme"))
    with psycopg.connect(postgres_url) as connection:
        run = connection.execute(
            "SELECT tenant, caller, outcome, extract(epoch FROM started_at)::int"
            " FROM veridical.runs WHERE trace_id = 'told'"
        )
        assert run.fetchall() == [("acme", "Ada", "agent", 1_794_744_000)]
        refused = connection.execute(
            "SELECT event->>'validationFailureCode' FROM veridical.events"
            " WHERE trace_id = 'told' AND kind = 'toolCalled' ORDER BY sequence"
        )
        assert refused.fetchall() == [("INVALID_AGGREGATE_TARGET",), (None,)]
    store.close()


def test_a_role_that_may_only_write_rows_will_do(postgres_url: str) -> None:
    owner = PostgresTraces(postgres_url)
    owner.prepare()
    owner.close()
    with psycopg.connect(postgres_url) as connection:
        secret = Literal(make_url(postgres_url).password)
        connection.execute(SQL("CREATE ROLE tracer LOGIN PASSWORD {}").format(secret))
        connection.execute("GRANT USAGE ON SCHEMA veridical TO tracer")
        connection.execute(
            "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA veridical TO tracer"
        )
    store = PostgresTraces(postgres_url.replace("//postgres:", "//tracer:", 1))
    store.prepare()
    store.save(repaired_run("narrow"))
    assert store.load("narrow") == repaired_run("narrow")
    store.close()


def test_what_cannot_be_read_is_left_out_with_a_note(postgres_url: str) -> None:
    notes: list[str] = []
    store, trace = PostgresTraces(postgres_url, notes.append), repaired_run("noted")
    store.prepare()
    store.save(trace)
    with psycopg.connect(postgres_url) as connection:
        connection.execute(
            "INSERT INTO veridical.events VALUES ('noted', 99, 'fromTheFuture', '{}')"
        )
    assert store.load("noted") == trace
    assert notes == ["noted:99"]
    store.close()


def test_values_are_bound(postgres_url: str) -> None:
    store = PostgresTraces(postgres_url)
    store.prepare()
    trace = repaired_run("'; DROP SCHEMA veridical CASCADE; --", "' OR true --")
    store.save(trace)
    assert store.load(trace.trace_id, tenant="' OR true --") == trace
    assert store.load("' OR true --") is None
    store.close()


@pytest.mark.parametrize("url", ["postgresql:///gone?host=/nowhere", "postgresql://u:pw@h:port/d"])
def test_a_database_that_is_not_there(url: str) -> None:
    with pytest.raises(StoreError) as told:
        PostgresTraces(url).prepare()
    assert "pw" not in str(told.value)


def test_a_lost_connection_is_replaced(postgres_url: str) -> None:
    store, trace = PostgresTraces(postgres_url), repaired_run("again")
    store.prepare()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    store.save(trace)
    assert store.load("again") == trace
    store.close()
