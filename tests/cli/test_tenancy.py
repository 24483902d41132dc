"""``veridical db``, ``tenant`` and ``key``, as an operator types them."""

import json
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from typer.testing import CliRunner, Result

from tests.store.conftest import new_login
from tests.trace.runs import repaired_run
from veridical.cli.main import app
from veridical.sample.postgres import LocalPostgres
from veridical.server.keys import find_key, opens, parse_key
from veridical.store.connection import Store
from veridical.store.protection import DatabaseRole
from veridical.trace.postgres import PostgresTraces

pytestmark = pytest.mark.postgres
VARIABLE = "VERIDICAL_RUNS_DATABASE_URL"


class Operator:
    """Types commands about one database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._runner = CliRunner(env={"COLUMNS": "200", VARIABLE: url})

    def __call__(self, *typed: str, exit_code: int = 0) -> Result:
        result = self._runner.invoke(app, typed)
        assert result.exit_code == exit_code, result.output
        return result


@pytest.fixture(scope="module")
def veridical(postgres_url: str) -> Operator:
    operator = Operator(postgres_url)
    assert "revision" in operator("db", "upgrade").stdout
    operator("tenant", "create", "acme", "--scope", "trustee:mandateId=m-001,m-002")
    return operator


def test_upgrade_may_be_said_again_and_check_agrees(veridical: Operator) -> None:
    veridical("db", "upgrade")
    assert "agrees" in veridical("db", "check").stdout
    assert json.loads(veridical("db", "check", "--json").stdout)["differences"] == []


def test_upgrade_makes_the_tables_of_the_engine_too(veridical: Operator) -> None:
    with psycopg.connect(veridical.url) as connection:
        owner = connection.execute(
            "SELECT tableowner FROM pg_tables WHERE schemaname = 'dbos'"
            " AND tablename = 'workflow_status'"
        )
        assert owner.fetchall() == [("veridical_dbos",)]


def test_an_owner_without_any_other_right_can_do_it_all(
    veridical: Operator, postgres_server: LocalPostgres
) -> None:
    url = postgres_server.create_database("cli_owned")
    owner = Operator(new_login(url, "cli_owner", *DatabaseRole, options="LOGIN NOINHERIT"))
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE cli_owned OWNER TO cli_owner")
        connection.execute("REVOKE ALL ON DATABASE cli_owned FROM PUBLIC")
    owner("db", "upgrade")
    owner("db", "check")
    owner("tenant", "create", "acme")
    owner("key", "create", "acme", "--name", "Ada")
    with psycopg.connect(owner.url) as connection:
        seen = connection.execute("SELECT count(*) FROM veridical.tenants").fetchone()
    assert seen == (0,)
    traces = PostgresTraces(url)
    traces.save(repaired_run())
    traces.close()
    assert "run-1" in owner("runs", "list", "--store", owner.url).stdout
    assert "run-1" in owner("runs", "show", "run-1", "--store", owner.url).stdout


def test_an_upgrade_says_that_another_role_owns_the_tables(postgres_server: LocalPostgres) -> None:
    veridical = Operator(postgres_server.create_database("cli_restored"))
    veridical("db", "upgrade")
    with psycopg.connect(veridical.url) as connection:  # as after a restore without owners
        connection.execute("REVOKE ALL ON ALL TABLES IN SCHEMA dbos FROM veridical_dbos")
        connection.execute("ALTER TABLE dbos.dbos_migrations OWNER TO CURRENT_USER")
    assert "the migration failed" in veridical("db", "upgrade", exit_code=2).stderr


def test_only_the_owner_may_check(veridical: Operator) -> None:
    stranger = Operator(new_login(veridical.url, "cli_stranger", options="LOGIN NOINHERIT"))
    assert "permission denied" in stranger("db", "check", exit_code=2).stderr


def test_check_tells_what_differs(postgres_server: LocalPostgres) -> None:
    veridical = Operator(postgres_server.create_database("cli_differs"))
    assert "revision none" in veridical("db", "check", exit_code=1).stderr
    veridical("db", "upgrade")
    with psycopg.connect(veridical.url) as connection:
        connection.execute("ALTER TABLE veridical.inbox NO FORCE ROW LEVEL SECURITY")
    told = json.loads(veridical("db", "check", "--json", exit_code=1).stdout)
    assert told["differences"] == ["inbox has no enforced row policies"]


def test_before_the_first_upgrade_each_command_says_so(postgres_server: LocalPostgres) -> None:
    veridical = Operator(postgres_server.create_database("cli_empty"))
    for typed in (["tenant", "list"], ["key", "list"], ["tenant", "create", "acme"]):
        assert "db upgrade" in veridical(*typed, exit_code=2).stderr


def test_tenants_are_made_listed_and_limited(veridical: Operator) -> None:
    veridical(
        "tenant", "create", "globex", "--name", "Globex AG", "--scope", "trustee:a=1",
        "--scope", "trustee:b=2", "--scope", "rates", "--per-minute", "5",
    )  # fmt: skip
    listed = {each["id"]: each for each in json.loads(veridical("tenant", "list", "--json").stdout)}
    assert listed["acme"]["scope"] == {"trustee": {"mandateId": ["m-001", "m-002"]}}
    assert listed["globex"]["scope"] == {"trustee": {"a": ["1"], "b": ["2"]}, "rates": {}}
    assert listed["globex"]["name"] == "Globex AG"
    told = veridical("tenant", "limit", "globex", "--key-per-minute", "3").stdout
    assert "5 requests a minute" in told
    assert "Globex AG" in veridical("tenant", "list").stdout
    shown = json.loads(veridical("tenant", "show", "globex", "--json").stdout)
    assert shown["limits"] == {"perMinute": 5, "keyPerMinute": 3}


def test_what_a_tenant_sees_is_set_anew(veridical: Operator) -> None:
    veridical("tenant", "create", "moved", "--scope", "trustee:a=1", "--scope", "rates")
    assert "a=2,3" in veridical("tenant", "scope", "moved", "--scope", "trustee:a=2,3").stdout
    shown = json.loads(veridical("tenant", "show", "moved", "--json").stdout)
    assert shown["scope"] == {"trustee": {"a": ["2", "3"]}}
    assert "disable" in veridical("tenant", "scope", "moved", exit_code=2).stderr
    assert "no such tenant" in veridical("tenant", "show", "nobody", exit_code=2).stderr


def test_kept_results_are_cleared_by_tenant_and_feature(veridical: Operator) -> None:
    with psycopg.connect(veridical.url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO veridical.kept_results SELECT 'acme', feature, 'd', '', 0, now(), now()"
            " FROM unnest(ARRAY['sales', 'stock', 'staff']) AS feature"
        )
    typed = (["--tenant", "nobody"], ["--feature", "sales"], ["--tenant", "acme"], [])
    told = [veridical("db", "clear-results", *each).stdout for each in typed]
    assert [each.split()[-1] for each in told] == ["0", "1", "2", "0"]


def test_a_tenant_is_disabled_and_enabled_again(veridical: Operator) -> None:
    veridical("tenant", "create", "paused")
    assert "disabled" in veridical("tenant", "disable", "paused").stdout
    assert "disabled" in veridical("tenant", "show", "paused").stdout
    veridical("tenant", "enable", "paused")
    assert "active" in veridical("tenant", "show", "paused").stdout
    assert "nobody" in veridical("tenant", "disable", "nobody", exit_code=2).stderr


@pytest.mark.parametrize("scope", ["", ":a=1", "trustee:", "trustee:a", "trustee:a=", "trustee:=1"])
def test_a_scope_that_says_nothing(veridical: Operator, scope: str) -> None:
    refused = veridical("tenant", "create", "other", "--scope", scope, exit_code=2)
    assert "FEATURE:COLUMN=VALUE" in refused.stderr


def test_mistakes_with_tenants(veridical: Operator) -> None:
    assert "already" in veridical("tenant", "create", "acme", exit_code=2).stderr
    assert "lower-case letters" in veridical("tenant", "create", "A B", exit_code=2).stderr
    refused = veridical("tenant", "limit", "nobody", "--per-minute", "1", exit_code=2)
    assert "nobody" in refused.stderr
    assert "at least one" in veridical("tenant", "limit", "acme", exit_code=2).stderr


def test_a_key_is_shown_once_and_works(veridical: Operator) -> None:
    made = veridical("key", "create", "acme", "--name", "Ada", "--role", "approver")
    key = made.stdout.strip()
    key_id = parse_key(key)
    assert key_id is not None
    assert "once" in made.stderr
    store = Store(veridical.url)
    held = find_key(store, key_id)
    store.close()
    assert held is not None
    assert opens(key, held)
    assert held.info.role == "approver"
    listed = veridical("key", "list", "--tenant", "acme").stdout
    assert key_id in listed
    assert key not in listed
    assert key.rpartition("_")[2] not in veridical("key", "list", "--json").stdout


def test_a_key_is_revoked_by_its_id_or_whole(veridical: Operator) -> None:
    for whole in (False, True):
        made = veridical("key", "create", "acme", "--name", "Bot", "--days", "30", "--json")
        key = json.loads(made.stdout)
        told = veridical("key", "revoke", key["key"] if whole else key["id"])
        assert key["key"] not in told.output
        listed = json.loads(veridical("key", "list", "--json").stdout)
        (held,) = [each for each in listed if each["id"] == key["id"]]
        assert held["revokedAt"]
        assert held["expiresAt"]


def test_mistakes_with_keys(veridical: Operator) -> None:
    refused = veridical("key", "create", "nobody", "--name", "Ada", exit_code=2)
    assert "nobody" in refused.stderr
    refused = veridical(
        "key", "create", "acme", "--name", "x", "--role", "viewer", "--action", "admin",
        exit_code=2,
    )  # fmt: skip
    assert "only actions of its role" in refused.stderr
    assert "no such key" in veridical("key", "revoke", "0" * 16, exit_code=2).stderr
    whole = f"vk_{'0' * 16}_{'0' * 64}"
    assert whole not in veridical("key", "revoke", whole, exit_code=2).output


def test_what_was_done_is_in_the_audit(veridical: Operator) -> None:
    with psycopg.connect(veridical.url) as connection:
        done = connection.execute("SELECT DISTINCT action FROM veridical.audit").fetchall()
        actors = connection.execute("SELECT DISTINCT actor FROM veridical.audit").fetchall()
    assert {action for (action,) in done} >= {"tenant.created", "key.created"}
    assert all(actor.startswith("operator") for (actor,) in actors)


def test_no_database_at_all() -> None:
    runner = CliRunner(env={VARIABLE: ""})
    for typed in (["db", "upgrade"], ["db", "check"], ["key", "list"], ["tenant", "list"]):
        result = runner.invoke(app, typed)
        assert result.exit_code == 2
        assert VARIABLE in result.stderr
        gone = "postgresql://ada:hush@/gone?host=/nowhere"
        result = runner.invoke(app, [*typed, "--database", gone])
        assert result.exit_code == 2
        assert "is not reachable" in result.stderr
        assert "hush" not in result.output
        result = runner.invoke(app, [*typed, "--database", gone, "--language", "de"])
        assert "antwortet nicht" in result.stderr


def test_keys_are_listed_with_the_day_of_their_end(veridical: Operator) -> None:
    veridical("key", "create", "acme", "--name", "for-a-year", "--days", "365")
    veridical("key", "create", "acme", "--name", "for-ever")
    listed = {line.split()[2]: line for line in veridical("key", "list").stdout.splitlines()}
    end = datetime.now(UTC) + timedelta(days=365)
    assert f"active until {end:%Y-%m-}" in listed["for-a-year"]
    assert listed["for-ever"].split()[-1] == "active"
