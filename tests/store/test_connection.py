import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError, OperationalError

from tests.store.conftest import Login, new_login
from tests.store.rows import TABLES, count, fill
from tests.trace.runs import repaired_run
from veridical.contracts.language import Language
from veridical.store.connection import Store, UnreachableError, become, enter
from veridical.store.protection import DatabaseRole
from veridical.trace.postgres import PostgresTraces, load_trace
from veridical.trace.recorder import StoreError

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module", autouse=True)
def two_tenants(store: Store) -> None:
    with store.engine.begin() as connection:  # as the superuser, who is above all policies
        fill(connection, "acme")
        fill(connection, "globex")


@pytest.mark.parametrize("table", TABLES)
def test_a_tenant_sees_its_own_rows(store: Store, table: str) -> None:
    with store.tenant("acme") as connection:
        assert count(connection, table) == 1
        owner = {"tenants": "id", "events": "trace_id"}.get(table, "tenant")
        found = connection.execute(text(f"SELECT {owner} FROM veridical.{table}")).scalar_one()
        assert found == "acme"


@pytest.mark.parametrize("table", TABLES)
def test_who_has_no_tenant_sees_nothing(store: Store, table: str) -> None:
    with store.tenant("nobody") as connection:
        assert count(connection, table) == 0
    with store.presented("nothing") as connection:
        assert count(connection, table) == 0


@pytest.mark.parametrize(
    "table", [table for table in TABLES if table not in ("api_keys", "kept_results")]
)
def test_workers_see_all_tenants(store: Store, table: str) -> None:
    with store.system() as connection:
        assert count(connection, table) == 2


def test_workers_have_no_business_with_keys(store: Store) -> None:
    with pytest.raises(DBAPIError, match="permission denied"), store.system() as connection:
        count(connection, "api_keys")


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(name=st.text(st.characters(exclude_characters="\x00", codec="utf-8"), min_size=1))
def test_no_name_of_a_tenant_reaches_other_rows(store: Store, name: str) -> None:
    with store.tenant(name) as connection:
        assert count(connection, "audit") == (name in ("acme", "globex"))


def test_a_tenant_has_a_name(store: Store) -> None:
    with pytest.raises(ValueError, match="name"), store.tenant(""):
        pass


def test_a_presented_key_is_the_only_one_that_is_seen(store: Store) -> None:
    with store.presented("globex") as connection:
        tenant = connection.execute(text("SELECT tenant FROM veridical.api_keys")).scalar_one()
        assert count(connection, "tenants") == 0
        enter(connection, tenant)
        assert count(connection, "tenants") == 1
        assert count(connection, "run_requests") == 1


def test_a_presented_key_can_be_read_and_nothing_else(store: Store) -> None:
    with store.presented("globex") as connection:
        changed = connection.execute(text("UPDATE veridical.api_keys SET revoked_at = now()"))
        assert changed.rowcount == 0


def test_nothing_stays_with_a_pooled_connection(migrated_url: str) -> None:
    store = Store(migrated_url, connections=1)
    with store.tenant("acme"):
        pass
    with store.presented("acme") as connection:
        found = connection.execute(
            text("SELECT current_setting('veridical.tenant', true), current_user")
        ).one()
        assert tuple(found) == ("", "veridical_app")
    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT current_user")).scalar_one() == "postgres"
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO veridical.audit (tenant, actor, action, subject)"
        " VALUES ('globex', 'a', 'b', 'c')",
        "INSERT INTO veridical.audit (tenant, actor, action, subject) VALUES ('', 'a', 'b', 'c')",
        "INSERT INTO veridical.api_keys (id, tenant, name, role, actions, digest)"
        " VALUES ('x', 'globex', 'n', 'admin', '{admin}', '')",
        "INSERT INTO veridical.run_requests (run_id, tenant, asked_by, request, workflow_id)"
        " VALUES ('x', 'globex', 'a', '{}', 'x')",
        "INSERT INTO veridical.decisions (item, tenant, decision, decided_by, automatic)"
        " VALUES ('globex', 'globex', '{}', 'd', false)",
        "INSERT INTO veridical.runs (trace_id, tenant) VALUES ('x', 'globex')",
        "UPDATE veridical.runs SET tenant = 'globex'",
        "INSERT INTO veridical.events (trace_id, sequence, kind, event)"
        " VALUES ('globex', 1, 'k', '{}')",
    ],
)
def test_nobody_writes_in_anothers_name(store: Store, statement: str) -> None:
    with pytest.raises(DBAPIError, match="row-level security"), store.tenant("acme") as connection:
        connection.execute(text(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE veridical.tenants SET limits = '{}'",
        "UPDATE veridical.tenants SET scope = '{}'",
        "INSERT INTO veridical.tenants (id, name, scope) VALUES ('acme', 'x', '{}')",
        "UPDATE veridical.api_keys SET role = 'admin'",
        "UPDATE veridical.api_keys SET digest = '', revoked_at = NULL",
        "UPDATE veridical.run_requests SET request = '{}'",
        "UPDATE veridical.decisions SET decision = '{}'",
        "DELETE FROM veridical.run_requests",
        "DELETE FROM veridical.runs",
        "UPDATE veridical.events SET event = '{}'",
        "CREATE TABLE veridical.mine ()",
        "SELECT * FROM dbos.workflow_status",
    ],
)
def test_the_server_may_not(login_as: Login, statement: str) -> None:
    store = Store(login_as(DatabaseRole.APP))
    with pytest.raises(DBAPIError, match="permission denied"), store.tenant("acme") as connection:
        connection.execute(text(statement))
    store.close()


def test_a_login_takes_only_the_roles_it_was_given(login_as: Login) -> None:
    store = Store(login_as(DatabaseRole.APP))
    with pytest.raises(UnreachableError, match="GRANT veridical_worker") as told, store.system():
        pass
    assert "GRANT veridical_worker" in told.value.message(Language.ZH)
    with pytest.raises(UnreachableError, match="GRANT veridical_operator"), store.operator():
        pass
    with pytest.raises(DBAPIError, match="denied"), store.tenant("acme") as connection:
        become(connection, DatabaseRole.DBOS)
    store.close()


def test_a_login_alone_sees_nothing(login_as: Login) -> None:
    with (
        psycopg.connect(login_as(DatabaseRole.APP)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("SELECT FROM veridical.audit")


def test_the_tracer_adds_and_cannot_read(login_as: Login) -> None:
    store = Store(login_as(DatabaseRole.TRACER))
    with store.engine.connect() as connection:
        become(connection, DatabaseRole.TRACER)
        connection.execute(text("INSERT INTO veridical.runs (trace_id, tenant) VALUES ('t', 't')"))
        connection.execute(text("UPDATE veridical.runs SET outcome = 'x' WHERE trace_id = 't'"))
    with store.engine.begin() as connection:
        become(connection, DatabaseRole.TRACER)
        with pytest.raises(DBAPIError, match="denied"):
            connection.execute(text("SELECT event FROM veridical.events"))
        connection.rollback()
    store.close()


def test_a_login_that_inherits_the_tracer_writes_traces_on_its_own(migrated_url: str) -> None:
    login = new_login(migrated_url, "login_that_traces")
    with psycopg.connect(migrated_url) as connection:
        connection.execute("GRANT veridical_tracer TO login_that_traces WITH INHERIT TRUE")
    traces, trace = PostgresTraces(login), repaired_run("traced", "acme")
    traces.prepare()
    traces.save(trace)
    with pytest.raises(StoreError):
        traces.load("traced")
    traces.close()
    store = Store(migrated_url)
    with store.tenant("acme") as connection:
        assert load_trace(connection, "traced") == trace
    with store.tenant("globex") as connection:
        assert load_trace(connection, "traced") is None
    with store.system() as connection:
        connection.execute(text("DELETE FROM veridical.runs WHERE trace_id = 'traced'"))
    store.close()


def test_what_is_told_is_told_whole_or_not_at_all(store: Store) -> None:
    fine = b"INSERT INTO veridical.runs (trace_id, tenant) VALUES (%(id)s, 'acme')"
    with pytest.raises(psycopg.errors.UniqueViolation):
        store.tell([(fine, {"id": "told"}), (fine, {"id": "more"}), (fine, {"id": "told"})])
    with store.system() as connection:
        assert count(connection, "runs") == 2
    store.tell([(fine, {"id": "told"}), (fine, {"id": "more"})])
    with store.system() as connection:
        told = text("DELETE FROM veridical.runs WHERE trace_id IN ('told', 'more')")
        assert connection.execute(told).rowcount == 2


def test_what_a_worker_tells_is_on_the_disk(migrated_url: str) -> None:
    waiting = make_url(migrated_url).update_query_dict({"options": "-c synchronous_commit=on"})
    store = Store(waiting.render_as_string(hide_password=False), connections=1)
    seen = (
        b"INSERT INTO veridical.runs (trace_id, tenant, caller)"
        b" VALUES ('seen', current_user, current_setting('synchronous_commit'))"
    )
    store.tell([(seen, {})])
    with store.system() as connection:
        row = text("DELETE FROM veridical.runs WHERE trace_id = 'seen' RETURNING tenant, caller")
        assert tuple(connection.execute(row).one()) == ("veridical_worker", "on")
    store.close()


def test_who_may_not_tell_is_told_what_to_do(store: Store, login_as: Login) -> None:
    with pytest.raises(UnreachableError, match="veridical db upgrade"):
        store.tell([("SELECT FROM veridical.api_keys", {})])
    stranger = Store(login_as(DatabaseRole.APP))
    with pytest.raises(UnreachableError, match="GRANT veridical_worker"):
        stranger.tell([("SELECT", {})])
    stranger.close()


def test_a_connection_that_was_lost_is_told_on_only_once(migrated_url: str) -> None:
    store = Store(migrated_url, connections=1)
    store.tell([("SELECT", {})])
    with store.engine.connect() as connection:
        lost = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
    with psycopg.connect(migrated_url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (lost,))
    with pytest.raises(psycopg.OperationalError):
        store.tell([("SELECT", {})])
    store.tell([("SELECT", {})])
    store.close()


def test_names_are_not_looked_up_where_others_may_write(store: Store) -> None:
    with store.tenant("acme") as connection:
        assert connection.execute(text("SHOW search_path")).scalar_one() == "pg_catalog"


def test_no_statement_runs_forever(migrated_url: str) -> None:
    store = Store(migrated_url, statement_seconds=0.05)
    with pytest.raises(OperationalError, match="statement timeout"), store.system() as connection:
        connection.execute(text("SELECT pg_sleep(5)"))
    with store.system() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    store.close()


def test_what_failed_is_not_kept(store: Store) -> None:
    def fail() -> None:
        with store.tenant("acme") as connection:
            connection.execute(text("UPDATE veridical.run_requests SET status = 'gone'"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    with store.tenant("acme") as connection:
        status = connection.execute(text("SELECT status FROM veridical.run_requests"))
        assert status.scalar_one() == "queued"


def test_a_lost_connection_is_replaced(migrated_url: str) -> None:
    store = Store(migrated_url)
    with store.tenant("acme") as first, store.tenant("acme") as second:
        assert count(first, "runs") == count(second, "runs") == 1
    with psycopg.connect(migrated_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with store.tenant("acme") as connection:
        assert count(connection, "runs") == 1
    store.close()


def test_a_connection_at_work_is_closed_once_it_is_given_back(migrated_url: str) -> None:
    """A thread may be within a transaction when its process is told to end."""
    store = Store(migrated_url)
    with store.tenant("acme") as connection:
        held = connection.connection.driver_connection
        assert isinstance(held, psycopg.Connection)
        store.close()
        assert count(connection, "runs") == 1
    assert held.closed


def test_no_database() -> None:
    store = Store("postgresql://ada:hush@/gone?host=/nowhere")
    with pytest.raises(UnreachableError, match="is not reachable") as told, store.system():
        pass
    assert "hush" not in str(told.value)
    assert "antwortet nicht" in told.value.message(Language.DE)
    for no_address in ("postgresql://ada:hush@h:port/d", "mysql://ada:hush@h/d", "garbage"):
        with pytest.raises(UnreachableError, match="not the address") as told:
            Store(no_address)
        assert "hush" not in str(told.value)
        assert "keine Adresse" in told.value.message(Language.DE)


def test_why_a_database_does_not_answer_is_told(migrated_url: str) -> None:
    elsewhere = make_url(migrated_url).set(database="nowhere_to_be_found")
    store = Store(elsewhere.render_as_string(hide_password=False))
    with pytest.raises(UnreachableError, match="nowhere_to_be_found"), store.operator():
        pass
    store.close()


def test_behind_pgbouncer_nothing_is_prepared(migrated_url: str) -> None:
    store = Store(migrated_url, pgbouncer=True)
    for _ in range(12):
        with store.tenant("acme") as connection:
            prepared = text("SELECT count(*) FROM pg_prepared_statements")
            assert connection.execute(prepared).scalar_one() == 0
    store.close()
