"""An owner who is no superuser gets the second wall, and a reader that is no wall is refused."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.contracts.caller import Scope
from veridical.contracts.language import Language
from veridical.contracts.statement import Statement
from veridical.engines import Limits, Postgres, install_row_level_security
from veridical.engines.gap import Gap
from veridical.engines.reader import reader_findings
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings
from veridical.host.tenant_isolation import isolation_gaps
from veridical.ontology.pack import load_pack
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.settings import RunsSettings
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.store.migrate import upgrade

READER = "e34_reader"
TABLES = {"Line": ["mandateId"], "Currency": []}
pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def owner_url(postgres_server: LocalPostgres) -> str:
    """A database whose owner may create roles and nothing more, as on a managed server."""
    url = postgres_server.create_database("e34")
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("DROP ROLE IF EXISTS e34_reader")
        admin.execute("DROP ROLE IF EXISTS e34_owner")
        admin.execute("CREATE ROLE e34_owner LOGIN CREATEROLE PASSWORD 'e34'")
        admin.execute("ALTER DATABASE e34 OWNER TO e34_owner")
    parts = urlsplit(url)
    owner = parts._replace(netloc="e34_owner:e34@").geturl()
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute('CREATE TABLE "Line" ("id" int, "mandateId" text, "note" text)')
        connection.execute('CREATE TABLE "Currency" ("code" text)')
        rows = (
            "INSERT INTO \"Line\" VALUES (1, 'alpha', 'a'), (2, 'beta', 'secret'), (3, 'beta', 'b')"
        )
        connection.execute(rows)
    return owner


def read(url: str, sql: str, *tenants: str) -> list[object]:
    database = Postgres(url, role=READER)
    try:
        scope = Scope({"mandateId": tenants}) if tenants else Scope()
        return [row[0] for row in database.fetch(Statement(sql, ()), scope, 100, Limits()).rows]
    finally:
        database.close()


def test_e34_the_owner_installs_what_an_owner_can(owner_url: str) -> None:
    with psycopg.connect(owner_url) as connection:
        open_still = install_row_level_security(connection, TABLES, READER)
        again = install_row_level_security(connection, TABLES, READER)
    assert again == open_still
    assert not [each for each in open_still if each.gap.refuses]
    assert "set_config" in {each.name for each in open_still if each.gap is Gap.FUNCTION}
    count = 'SELECT count(*) FROM public."Line"'
    assert read(owner_url, count, "alpha") == [1]
    assert read(owner_url, count, "beta") == [2]
    assert read(owner_url, count) == [0]


def test_e34_text_that_is_run_as_sql_stays_under_the_policies(owner_url: str) -> None:
    with psycopg.connect(owner_url) as connection:
        install_row_level_security(connection, TABLES, READER)
    words = "SELECT word FROM ts_stat('SELECT to_tsvector(''simple'', note) FROM public.\"Line\"')"
    assert "secret" not in read(owner_url, words, "alpha")


def test_e34_a_reader_that_is_no_wall_is_found(
    owner_url: str, postgres_server: LocalPostgres
) -> None:
    with psycopg.connect(owner_url) as connection:
        install_row_level_security(connection, TABLES, READER)
    with psycopg.connect(postgres_server.url_of("e34")) as admin:
        assert [each.gap for each in reader_findings(admin, "e34_nobody", TABLES)] == [Gap.NO_ROLE]
        for change, gap in (
            ('ALTER TABLE "Line" NO FORCE ROW LEVEL SECURITY', Gap.NO_POLICY),
            ('ALTER TABLE "Line" DISABLE ROW LEVEL SECURITY', Gap.NO_POLICY),
            ('DROP POLICY veridical_scope ON "Line"', Gap.NO_POLICY),
            ("ALTER ROLE e34_reader SUPERUSER", Gap.SUPERUSER),
            ("ALTER ROLE e34_reader BYPASSRLS", Gap.BYPASSES),
            ('GRANT INSERT ON "Currency" TO e34_reader', Gap.WRITES),
        ):
            with admin.transaction(force_rollback=True):
                admin.execute(change.encode())
                found = reader_findings(admin, READER, TABLES)
            assert gap in {each.gap for each in found if each.gap.refuses}, change


@pytest.fixture
def books(postgres_server: LocalPostgres) -> str:
    """Sample books whose reader may call one function too many."""
    url = load_sample(load_pack("trustee"), postgres_server, "e34_books").url
    assert isolation_gaps(FeatureSettings(name="trustee", database=url)) == []
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute("GRANT EXECUTE ON FUNCTION set_config TO PUBLIC")
        admin.execute("GRANT EXECUTE ON FUNCTION ts_stat(text) TO PUBLIC")
    return url


def opened(feature: FeatureSettings) -> None:
    async def run() -> None:
        async with open_runtime(RuntimeSettings((feature,))):
            pass

    asyncio.run(run())


def test_e34_open_functions_are_refused_unless_accepted(books: str) -> None:
    with pytest.raises(SetupError) as caught:
        opened(FeatureSettings(name="trustee", database=books))
    assert caught.value.problem is SetupProblem.OPEN_FUNCTIONS
    for language in Language:
        told = caught.value.message(language)
        assert "set_config, ts_stat" in told
        assert "accept_open_functions" in told
    opened(FeatureSettings(name="trustee", database=books, accept_open_functions=True))


def test_e34_sample_data_of_an_earlier_release_is_protected_again(
    books: str, postgres_server: LocalPostgres
) -> None:
    load_sample(load_pack("trustee"), postgres_server, "e34_books")
    assert isolation_gaps(FeatureSettings(name="trustee", database=books)) == []


def test_e34_db_check_tells_what_is_missing(
    books: str,
    postgres_server: LocalPostgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = postgres_server.create_database("e34_own")
    upgrade(own)
    prepare_engine(RunsSettings(database_url=own))
    (tmp_path / "veridical.toml").write_text(
        f'[[features]]\nname = "trustee"\ndatabase = "{books}"\n[runs]\ndatabase_url = "{own}"\n'
    )
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["db", "check"])
    assert told.exit_code == 0
    assert "ts_stat" in told.output
    assert "set_config" in told.output
    with psycopg.connect(books, autocommit=True) as admin:
        admin.execute("ALTER ROLE veridical_reader BYPASSRLS")
        try:
            told = CliRunner().invoke(app, ["db", "check", "--json"])
        finally:
            admin.execute("ALTER ROLE veridical_reader NOBYPASSRLS")
    assert told.exit_code != 0
    assert "bypasses_policies: veridical_reader" in told.output
