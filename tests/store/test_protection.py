"""The audit, attacked by every role."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from tests.store.conftest import Login
from tests.store.rows import fill
from veridical.store.connection import Store
from veridical.store.migrate import check
from veridical.store.protection import DatabaseRole

pytestmark = pytest.mark.postgres

WRITERS = (DatabaseRole.APP, DatabaseRole.WORKER, DatabaseRole.OPERATOR)
_ROW = "(tenant, actor, action, subject)"
ATTACKS = {
    "update": "UPDATE veridical.audit SET actor = 'nobody'",
    "update nothing": "UPDATE veridical.audit SET actor = actor WHERE false",
    "delete": "DELETE FROM veridical.audit",
    "truncate": "TRUNCATE veridical.audit",
    "truncate all": "TRUNCATE veridical.tenants, veridical.audit CASCADE",
    "lock rows": "SELECT 1 FROM veridical.audit FOR UPDATE",
    "lock out others": "LOCK veridical.audit IN ACCESS EXCLUSIVE MODE",
    "upsert": f"INSERT INTO veridical.audit {_ROW} VALUES ('acme', 'a', 'b', 'c')"
    " ON CONFLICT (id) DO UPDATE SET actor = 'nobody'",
    "merge": "MERGE INTO veridical.audit a USING (SELECT 1) s ON true"
    " WHEN MATCHED THEN UPDATE SET actor = 'nobody'",
    "merge away": "MERGE INTO veridical.audit a USING (SELECT 1) s ON true"
    " WHEN MATCHED THEN DELETE",
    "delete within a query": "WITH gone AS (DELETE FROM veridical.audit RETURNING 1)"
    " SELECT * FROM gone",
    "forge the time": "INSERT INTO veridical.audit (at, tenant, actor, action, subject)"
    " VALUES ('2020-01-01', 'acme', 'a', 'b', 'c')",
    "forge the number": "INSERT INTO veridical.audit (id, tenant, actor, action, subject)"
    " OVERRIDING SYSTEM VALUE VALUES (1, 'acme', 'a', 'b', 'c')",
    "reset the numbers": "SELECT setval('veridical.audit_id_seq', 1)",
    "trigger off": "ALTER TABLE veridical.audit DISABLE TRIGGER audit_stays",
    "all triggers off": "ALTER TABLE veridical.audit DISABLE TRIGGER ALL",
    "drop the trigger": "DROP TRIGGER audit_stays ON veridical.audit",
    "another trigger": "CREATE TRIGGER mine BEFORE INSERT ON veridical.audit"
    " FOR EACH ROW EXECUTE FUNCTION veridical.audit_stays()",
    "another function": "CREATE OR REPLACE FUNCTION veridical.audit_stays() RETURNS trigger"
    " LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    "a rule": "CREATE RULE mine AS ON INSERT TO veridical.audit DO INSTEAD NOTHING",
    "policies off": "ALTER TABLE veridical.audit DISABLE ROW LEVEL SECURITY",
    "another policy": "CREATE POLICY mine ON veridical.audit USING (true)",
    "own the table": "ALTER TABLE veridical.audit OWNER TO CURRENT_USER",
    # A grant by someone without the right to grant is only warned of, and gives nothing.
    "grant to oneself": "GRANT ALL ON veridical.audit TO CURRENT_USER;"
    " UPDATE veridical.audit SET actor = 'nobody'",
    "rename": "ALTER TABLE veridical.audit RENAME TO old",
    "another default": "ALTER TABLE veridical.audit ALTER COLUMN at SET DEFAULT '2020-01-01'",
    "drop": "DROP TABLE veridical.audit",
    "drop the schema": "DROP SCHEMA veridical CASCADE",
    "a child that hides it": "CREATE TEMP TABLE mine () INHERITS (veridical.audit)",
    "replica": "SET session_replication_role = replica",
    "become the owner": "SET ROLE postgres",
    "step out of the role": "RESET ROLE; UPDATE veridical.audit SET actor = 'nobody'",
    **{f"act as {role}": f"SET ROLE {role}; TRUNCATE veridical.audit" for role in DatabaseRole},
    "log in as the owner": "SET SESSION AUTHORIZATION postgres",
    "run a program": "COPY veridical.audit TO PROGRAM 'cat'",
}


@pytest.fixture(scope="module", autouse=True)
def entries(store: Store) -> None:
    with store.engine.begin() as connection:
        fill(connection, "acme")
        fill(connection, "globex")


@pytest.fixture
def audit_before_and_after(migrated_url: str) -> Iterator[None]:
    before = _audit(migrated_url)
    yield
    assert _audit(migrated_url) == before
    assert check(migrated_url) == ()


def _audit(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT * FROM veridical.audit ORDER BY id").fetchall()


@pytest.mark.usefixtures("audit_before_and_after")
@pytest.mark.parametrize("role", DatabaseRole)
def test_no_role_can_change_the_audit(login_as: Login, role: DatabaseRole) -> None:
    succeeded: list[str] = []
    with psycopg.connect(login_as(role)) as connection:
        for name, attack in ATTACKS.items():
            connection.execute(SQL("SET LOCAL ROLE {}").format(Identifier(role)))
            connection.execute("SET LOCAL veridical.tenant = 'acme'")
            try:
                connection.execute(attack)  # pyright: ignore[reportArgumentType, reportCallIssue]
                succeeded.append(name)
            except psycopg.Error as error:
                if not isinstance(error, psycopg.errors.InsufficientPrivilege):
                    succeeded.append(f"{name}: {error}")
            connection.rollback()
    assert succeeded == []


@pytest.mark.parametrize("role", WRITERS)
def test_each_of_them_can_add_to_it(login_as: Login, role: DatabaseRole) -> None:
    with psycopg.connect(login_as(role)) as connection:
        connection.execute(SQL("SET LOCAL ROLE {}").format(Identifier(role)))
        connection.execute("SET LOCAL veridical.tenant = 'acme'")
        added = connection.execute(
            f"INSERT INTO veridical.audit {_ROW} VALUES ('acme', 'a', 'b', 'c')"
            " RETURNING at = now()"
        )
        assert added.fetchone() == (True,)


@pytest.mark.usefixtures("audit_before_and_after")
@pytest.mark.parametrize("attack", ["update nothing", "update", "delete", "truncate", "merge"])
@pytest.mark.parametrize("replaying", [False, True])
def test_a_slip_of_the_owner_changes_nothing(
    migrated_url: str, attack: str, replaying: bool
) -> None:
    with psycopg.connect(migrated_url) as connection:
        if replaying:
            connection.execute("SET LOCAL session_replication_role = replica")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="only ever added to"):
            connection.execute(ATTACKS[attack])  # pyright: ignore


@pytest.mark.usefixtures("audit_before_and_after")
def test_runs_that_are_deleted_leave_their_audit(store: Store) -> None:
    with store.system() as connection:
        connection.exec_driver_sql("DELETE FROM veridical.run_requests WHERE tenant = 'globex'")
        left = connection.exec_driver_sql("SELECT tenant FROM veridical.decisions").scalars().all()
    assert left == ["acme"]
