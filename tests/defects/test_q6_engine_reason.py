"""A statement that the database will not run comes back with the database's reason, scrubbed."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from veridical.check.checker import Checker
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.engines import Engine, Postgres, Sqlite, install_row_level_security
from veridical.engines.database import Database
from veridical.engines.reason import safe_reason
from veridical.ontology.compile import compile_catalog
from veridical.tools.toolbox import Toolbox

TABLES = """
CREATE TABLE invoice (id int PRIMARY KEY, tenant varchar(20), note varchar(60), secret varchar(60));
INSERT INTO invoice VALUES (1, 'alpha', 'twelve', 's'), (2, 'beta', 'Huber owes 999', 's');
"""
ALPHA = Caller(Scope({"tenant": ("alpha",)}), Permissions(deny=("invoice.secret",)))
WRONG = {
    "sqlite": "SELECT substr(note) AS x FROM invoice",
    "postgres": "SELECT initcap(id) AS x FROM invoice",
}


@pytest.fixture(params=["sqlite", "postgres"])
def database(
    request: pytest.FixtureRequest, postgres_url: str, tmp_path: Path
) -> Iterator[Database]:
    if request.param == "sqlite":
        path = tmp_path / "books.db"
        connection = sqlite3.connect(path)
        connection.executescript(TABLES)
        connection.close()
        opened: Database = Sqlite(path)
    else:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(f"DROP TABLE IF EXISTS invoice; {TABLES}".encode())
            install_row_level_security(connection, {"invoice": ["tenant"]}, "q6_reader")
        opened = Postgres(postgres_url, role="q6_reader")
    yield opened
    opened.close()


def toolbox(database: Database) -> Toolbox:
    catalog = compile_catalog(database.reflect())
    checker = Checker(catalog, dialect=database.dialect)
    return Toolbox(checker, engine=Engine(database, catalog), caller=ALPHA)


def test_a_derived_table_without_a_name_runs(database: Database) -> None:
    sql = "SELECT MAX(n) AS m FROM (SELECT note, COUNT(*) AS n FROM invoice GROUP BY note)"
    checked = toolbox(database).checker.check(sql, ALPHA)
    assert isinstance(checked, CheckedQuery), checked
    assert Engine(database, compile_catalog(database.reflect())).run(checked).rows == ((1,),)


def test_the_model_and_the_person_read_the_reason(database: Database) -> None:
    tools = toolbox(database)
    found = tools.call("executeSqlSafe", {"sql": WRONG[database.dialect]})
    assert not found.success
    assert found.error is not None
    hint = (found.error_details or {})["hint"]
    assert any(name in hint.lower() for name in ("substr", "initcap")), hint
    assert hint in found.error
    assert not any(word in hint for word in ("tenant", "secret", "public", "main", "beta"))


def test_no_value_of_a_row_is_in_it(database: Database) -> None:
    tools = toolbox(database)
    sql = "SELECT CAST(note AS integer) + 1 AS n FROM invoice"
    found = tools.call("executeSqlSafe", {"sql": sql})
    assert "Huber" not in str(found)
    assert "twelve" not in (found.error or "")


@pytest.mark.parametrize(
    ("said", "statement", "shown"),
    [
        ("subquery in FROM must have an alias", "SELECT 1", "subquery in FROM must have an alias"),
        ('column "total" does not exist', "SELECT total", 'column "total" does not exist'),
        ('relation "audit.salaries" does not exist', "SELECT 1", "relation … does not exist"),
        ("column o.margin_pct does not exist", "SELECT 1 FROM o", "column … does not exist"),
        (
            'invalid input syntax for type integer: "Huber owes 999"',
            "SELECT CAST(note AS int)",
            "invalid input syntax for type integer: …",
        ),
        ("Incorrect value: 'it's Huber's secret'", "SELECT 1", "Incorrect value: …"),
        ("Every derived table must have its own alias", "", "Every derived table must have its own"
         " alias"),
        ('could not open file "/var/lib/pg/base/1": denied', "SELECT 1",
         "could not open file …: denied"),
        ("connection to server at db.internal:5432 (10.0.0.7) failed", "SELECT 1",
         "connection to server at … failed"),
        ('Referenced column "x" not found!\nCandidate bindings: "secret"', "SELECT x",
         'Referenced column "x" not found'),
        ("", "SELECT 1", ""),
        ("12345", "SELECT 1", ""),
    ],
)  # fmt: skip
def test_only_what_the_statement_has_is_repeated(said: str, statement: str, shown: str) -> None:
    assert safe_reason(said, statement) == shown


def test_the_sentence_around_it_is_in_the_reader_s_language(database: Database) -> None:
    catalog = compile_catalog(database.reflect())
    checker = Checker(catalog, dialect=database.dialect)
    german = Caller(Scope({"tenant": ("alpha",)}), language=Language.DE)
    tools = Toolbox(checker, engine=Engine(database, catalog), caller=german)
    found = tools.call("executeSqlSafe", {"sql": WRONG[database.dialect]})
    assert "Die Datenbank" in (found.error or ""), found.error
