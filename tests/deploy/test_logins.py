"""The logins of a deployment: made by the script, and able to do what they are for and no more."""

from collections.abc import Generator
from contextlib import contextmanager

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.deploy.conftest import AddressOf, run_script
from tests.runs.asked import asked
from veridical.runs.dbos_setup import enqueue
from veridical.runs.port import open_runs
from veridical.runs.request import RunSegment
from veridical.runs.settings import RunsSettings
from veridical.runs.state import RunStatus
from veridical.sample.postgres import LocalPostgres
from veridical.server.tenants import create_tenant
from veridical.store.connection import Store, UnreachableError

pytestmark = pytest.mark.postgres
RUNS = text("SELECT count(*) FROM veridical.run_requests")


@contextmanager
def _opened(url: str) -> Generator[Store]:
    store = Store(url, connections=1)
    try:
        yield store
    finally:
        store.close()


def test_without_passwords_no_login_is_made(postgres_server: LocalPostgres) -> None:
    ran = run_script(postgres_server.url, {})
    assert ran.returncode != 0
    assert "set VERIDICAL_OWNER_PASSWORD" in ran.stderr
    assert ran.stdout.strip() == "SET"


def test_a_server_acts_for_one_tenant(migrated: AddressOf) -> None:
    with _opened(migrated("veridical_server")) as store:
        with store.tenant("somebody") as connection:
            assert connection.scalar(RUNS) == 0
        with pytest.raises(UnreachableError), store.operator():
            pass


ROLES = (
    "veridical_app",
    "veridical_worker",
    "veridical_operator",
    "veridical_tracer",
    "veridical_dbos",
    "veridical_owner",
    "veridical_backup",
    "postgres",
)


@pytest.mark.parametrize(
    ("login", "own"),
    [
        ("veridical_server", {"veridical_app"}),
        ("veridical_work", {"veridical_worker", "veridical_dbos"}),
    ],
)
def test_a_login_acts_as_nobody_else(migrated: AddressOf, login: str, own: set[str]) -> None:
    """Whatever statement somebody may smuggle in, it gets no further than its login."""
    taken: set[str] = set()
    with psycopg.connect(migrated(login), autocommit=True) as connection:
        for role in ROLES:
            try:
                connection.execute(SQL("SET ROLE {}").format(Identifier(role)))
                taken.add(role)
            except psycopg.errors.InsufficientPrivilege:
                pass
    assert taken == own


def test_a_worker_acts_for_no_tenant_and_sees_no_keys(migrated: AddressOf) -> None:
    with _opened(migrated("veridical_work")) as store:
        with store.system() as connection:
            assert connection.scalar(RUNS) == 0
        with pytest.raises(UnreachableError), store.tenant("somebody"):
            pass
        with pytest.raises(UnreachableError), store.operator():
            pass


@pytest.mark.parametrize("login", ["veridical_server", "veridical_work"])
def test_a_login_has_no_right_of_its_own(migrated: AddressOf, login: str) -> None:
    with psycopg.connect(migrated(login), autocommit=True) as connection:
        for statement in (
            "SELECT * FROM veridical.run_requests",
            "SELECT * FROM veridical.api_keys",
            "SELECT * FROM dbos.workflow_status",
            "CREATE SCHEMA mine",
            "CREATE TABLE public.mine ()",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_backups_can_read_all_and_change_nothing(migrated: AddressOf) -> None:
    with psycopg.connect(migrated("veridical_backup"), autocommit=True) as connection:
        connection.execute("SELECT * FROM veridical.run_requests")
        connection.execute("SELECT * FROM dbos.workflow_status")
        connection.execute("SET default_transaction_read_only = off")
        for statement in ("DELETE FROM veridical.inbox", "SET ROLE veridical_worker"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_a_server_sees_of_the_engine_what_its_tenant_queued(migrated: AddressOf) -> None:
    owner, server = migrated("veridical_owner"), migrated("veridical_server")
    settings = RunsSettings(database_url=server)
    with _opened(owner) as store, store.operator() as connection:
        for tenant in ("first", "second"):
            create_tenant(connection, tenant, tenant, {}, actor="test")
    with open_runs(settings) as runs:
        started = {
            tenant: runs.start(asked(), tenant, "Ada").run_id for tenant in ("first", "second")
        }
        assert runs.load().queued == 2
        for tenant, run_id in started.items():
            with runs.store.tenant(tenant) as connection:
                seen = connection.scalars(text("SELECT workflow_uuid FROM dbos.workflow_status"))
                assert seen.all() == [run_id]
                given = connection.scalars(text("SELECT workflow_uuid FROM dbos.workflow_input"))
                assert given.all() == [run_id]
                others = text("UPDATE dbos.workflow_status SET status = 'CANCELLED'")
                assert connection.execute(others).rowcount == 1
                connection.rollback()
        for statement in (
            "SELECT inputs FROM dbos.workflow_input",
            "SELECT output FROM dbos.operation_outputs",
            "SELECT output FROM dbos.workflow_output",
            "DELETE FROM dbos.workflow_status",
            "UPDATE dbos.workflow_status SET queue_partition_key = 'second'",
        ):
            with (
                pytest.raises(DBAPIError, match="permission denied"),
                runs.store.tenant("first") as connection,
            ):
                connection.execute(text(statement))
        smuggled = RunSegment(run_id="x", tenant="second", asked_by="Eve", request=asked())
        with (
            pytest.raises(DBAPIError, match="row-level security"),
            runs.store.tenant("first") as connection,
        ):
            enqueue(runs.client, connection, smuggled)
        for tenant, run_id in started.items():
            assert runs.cancel(run_id, tenant, "Ada").status is RunStatus.CANCELLED
        assert runs.load().queued == 0
