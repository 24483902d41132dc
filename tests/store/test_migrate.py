from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from tests.store.conftest import new_login
from tests.trace.runs import repaired_run
from veridical.sample.postgres import LocalPostgres
from veridical.store.connection import UnreachableError, engine_for
from veridical.store.migrate import (
    TRACE_TABLES,
    MigrationError,
    check,
    current,
    fits,
    newest,
    upgrade,
)
from veridical.store.migrations import NoWayBackError
from veridical.store.protection import DatabaseRole
from veridical.trace.postgres import PostgresTraces

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(postgres_server: LocalPostgres) -> str:
    return postgres_server.create_database("migrating")


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = engine_for(url)
    yield engine
    engine.dispose()


def test_an_empty_database_comes_to_agree(url: str, engine: Engine) -> None:
    with engine.connect() as connection:
        assert current(connection) is None
    assert check(url) == (f"the database is at revision none, this release needs {newest()}",)
    assert upgrade(url) == newest()
    assert check(url) == ()
    with engine.connect() as connection:
        assert current(connection) == newest()
    assert upgrade(url) == newest()


def test_a_release_works_on_its_own_revision_and_on_later_ones(url: str, engine: Engine) -> None:
    with engine.connect() as connection:
        assert not fits(connection)
    upgrade(url)
    with engine.connect() as connection:
        assert fits(connection)
    for revision, is_fit in (("0001", False), ("9999", True)):
        with engine.connect() as connection:
            connection.exec_driver_sql(
                f"UPDATE veridical.alembic_version SET version_num = '{revision}'"
            )
            assert fits(connection) == is_fit


def test_processes_that_start_at_once_migrate_once(url: str) -> None:
    traces = PostgresTraces(url)
    with ThreadPoolExecutor() as pool:
        upgrades = [pool.submit(upgrade, url) for _ in range(4)]
        prepared = pool.submit(traces.prepare)
        assert {done.result() for done in upgrades} == {newest()}
        prepared.result()
    traces.close()
    assert check(url) == ()


def test_traces_that_are_there_are_taken_over(url: str) -> None:
    traces, kept = PostgresTraces(url), repaired_run("before", "acme")
    traces.prepare()
    traces.save(kept)
    upgrade(url)
    assert check(url) == ()
    assert traces.load("before") == kept
    traces.close()


def test_traces_made_by_either_are_the_same_tables(postgres_server: LocalPostgres) -> None:
    by_migration = postgres_server.create_database("migrating")
    upgrade(by_migration)
    by_traces = postgres_server.create_database("traces_alone")
    traces = PostgresTraces(by_traces)
    traces.prepare()
    traces.close()
    assert _trace_tables(by_migration) == _trace_tables(by_traces)


def _trace_tables(url: str) -> list[tuple[object, ...]]:
    """Columns, constraints and indexes, as the database itself writes them down."""
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT table_name, column_name, data_type, is_nullable, column_default"
            " FROM information_schema.columns WHERE table_schema = 'veridical'"
            " AND table_name = ANY (%(tables)s)"
            " UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', ''"
            " FROM pg_constraint WHERE conrelid IN"
            "  ('veridical.runs'::regclass, 'veridical.events'::regclass)"
            " UNION ALL SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes"
            " WHERE schemaname = 'veridical' AND tablename = ANY (%(tables)s) ORDER BY 1, 2, 3",
            {"tables": sorted(TRACE_TABLES)},
        ).fetchall()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("ALTER TABLE veridical.inbox DROP COLUMN warned_at", "warned_at"),
        ("ALTER TABLE veridical.tenants ALTER COLUMN name DROP NOT NULL", "name"),
        ("DROP INDEX veridical.inbox_expiring", "inbox_expiring"),
        ("ALTER TABLE veridical.run_requests ADD COLUMN extra int", "extra"),
        ("ALTER TABLE veridical.inbox NO FORCE ROW LEVEL SECURITY", "inbox has no enforced"),
        ("ALTER TABLE veridical.events DISABLE ROW LEVEL SECURITY", "events has no enforced"),
        ("CREATE TABLE veridical.notes (tenant text)", "notes has no enforced"),
        ("CREATE POLICY open ON veridical.inbox USING (true)", "inbox has a row policy"),
        ("GRANT UPDATE (detail) ON veridical.audit TO veridical_app", "may change the audit"),
        ("GRANT TRUNCATE ON veridical.audit TO veridical_worker", "may change the audit"),
        ("ALTER TABLE veridical.audit DISABLE TRIGGER audit_stays", "trigger"),
        (
            "CREATE TABLE dbos.lives (); GRANT SELECT ON dbos.lives TO veridical_app",
            "dbos.lives is open to the server",
        ),
    ],
)
def test_what_was_changed_by_hand_is_told(url: str, change: str, told: str) -> None:
    upgrade(url)
    with psycopg.connect(url) as connection:
        connection.execute(change)  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert any(told in difference for difference in check(url)), check(url)


def test_a_role_that_may_act_as_another_is_told(url: str) -> None:
    upgrade(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("GRANT veridical_worker TO veridical_app")
        try:
            assert "veridical_app may act as veridical_worker" in check(url)
        finally:
            connection.execute("REVOKE veridical_worker FROM veridical_app")


def test_limits_that_were_never_looked_at_are_taken_away(url: str) -> None:
    owner = new_login(url, "limits_owner", *DatabaseRole)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE migrating OWNER TO limits_owner")
    _upgrade_to("0002", owner)
    with psycopg.connect(url) as connection:
        connection.execute(
            "INSERT INTO veridical.tenants (id, name, scope, limits) VALUES"
            """ ('a', 'a', '{}', '{"concurrency": 3, "perMinute": 5}'), ('b', 'b', '{}', '{}')"""
        )
    assert upgrade(owner) == newest()
    assert check(owner) == ()
    with psycopg.connect(url) as connection:
        held = connection.execute("SELECT limits, disabled_at FROM veridical.tenants ORDER BY id")
        assert held.fetchall() == [({"perMinute": 5}, None), ({}, None)]


def _upgrade_to(revision: str, url: str) -> None:
    engine = engine_for(url)
    config = Config()
    config.set_main_option("script_location", "veridical.store:migrations")
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE SCHEMA veridical")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.commit()
    engine.dispose()


def test_there_is_no_way_back(url: str, engine: Engine) -> None:
    upgrade(url)
    config = Config()
    config.set_main_option("script_location", "veridical.store:migrations")
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        with pytest.raises(NoWayBackError, match="restore a backup"):
            command.downgrade(config, "-1")
    assert check(url) == ()


def test_a_database_of_a_later_release_is_left_alone(url: str) -> None:
    upgrade(url)
    with psycopg.connect(url) as connection:
        connection.execute("UPDATE veridical.alembic_version SET version_num = '9999'")
    with pytest.raises(MigrationError, match="a newer one"):
        upgrade(url)
    assert "9999" in check(url)[0]


def test_a_failed_migration_leaves_nothing_behind(url: str, engine: Engine) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE SCHEMA veridical")
        connection.execute("CREATE VIEW veridical.audit AS SELECT 1")
    with pytest.raises(MigrationError, match="audit"):
        upgrade(url)
    with engine.connect() as connection:
        assert current(connection) is None


def test_an_owner_who_may_not_make_roles_is_told_what_to_ask_for(
    postgres_server: LocalPostgres, url: str
) -> None:
    upgrade(postgres_server.create_database("makes_the_roles"))
    owner = new_login(url, "plain_owner")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE migrating OWNER TO plain_owner")
        with pytest.raises(MigrationError) as told:
            upgrade(owner)
        advised = "GRANT veridical_app TO plain_owner WITH INHERIT FALSE, SET TRUE"
        assert advised in str(told.value)
        for role in ("app", "worker", "operator", "tracer", "dbos"):
            connection.execute(advised.replace("_app", f"_{role}"))  # pyright: ignore
    assert upgrade(owner) == newest()
    assert check(owner) == ()


def test_an_owner_who_may_make_roles_needs_nobody(postgres_server: LocalPostgres, url: str) -> None:
    owner = new_login(url, "role_maker", options="LOGIN CREATEROLE")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE migrating OWNER TO role_maker")
        for role in ("app", "worker", "operator", "tracer", "dbos"):
            connection.execute(f"GRANT veridical_{role} TO role_maker WITH ADMIN TRUE, SET FALSE")  # pyright: ignore
    assert upgrade(owner) == newest()
    assert check(owner) == ()


def test_no_database() -> None:
    with pytest.raises(UnreachableError) as told:
        upgrade("postgresql://ada:hush@/gone?host=/nowhere")
    assert "hush" not in str(told.value)
    with pytest.raises(UnreachableError):
        upgrade("postgresql://ada:hush@h:port/d")
