"""Tables of any schema are found, asked and kept apart by tenant; a name may occur in two."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import psycopg
import pytest
from sqlalchemy import make_url
from typer.testing import CliRunner

from veridical.agent.settings import AgentSettings
from veridical.answering.flow import answer
from veridical.check.checker import Checker
from veridical.cli.main import app
from veridical.contracts.answer import Answer
from veridical.contracts.call import AggregateCall
from veridical.contracts.caller import WHOLE, Caller, Permissions, Scope, scope_of
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.question import Question
from veridical.contracts.violation import Code, Refusal
from veridical.engines import Engine, Postgres, install_row_level_security
from veridical.engines.engine import Outcome
from veridical.engines.registry import engine_of
from veridical.host.errors import SetupError
from veridical.host.runtime import open_runtime
from veridical.host.settings import FeatureSettings, RuntimeSettings, read_runtime_settings
from veridical.ontology.compile import compile_catalog, restrict
from veridical.ontology.ddl import schema_from_ddl
from veridical.sample.postgres import LocalPostgres

BOOKS = b"""
CREATE SCHEMA sales; CREATE SCHEMA archive; CREATE SCHEMA crm;
CREATE TABLE crm.customer (id int PRIMARY KEY, tenant text NOT NULL, name text);
CREATE TABLE sales.orders (
    id int PRIMARY KEY, tenant text NOT NULL, customer int REFERENCES crm.customer (id),
    total numeric(12, 2));
CREATE TABLE archive.orders (
    id int PRIMARY KEY, tenant text NOT NULL, customer int REFERENCES crm.customer (id),
    total numeric(12, 2), reason text);
INSERT INTO crm.customer VALUES (1, 'alpha', 'Huber'), (2, 'beta', 'Keller');
INSERT INTO sales.orders VALUES (1, 'alpha', 1, 10), (2, 'alpha', 1, 20), (3, 'beta', 2, 400);
INSERT INTO archive.orders VALUES (8, 'alpha', 1, 7, 'void'), (9, 'beta', 2, 9000, 'void');
"""
SCHEMAS = ("sales", "archive", "crm")
OWNER = Caller(scope_of({}, WHOLE))
ALPHA = Caller(Scope({"tenant": ("alpha",)}))
run = CliRunner()


@pytest.fixture(scope="module")
def url(postgres_url: str) -> str:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(BOOKS)
        for schema, table in (("sales", "orders"), ("archive", "orders"), ("crm", "customer")):
            install_row_level_security(connection, {table: ["tenant"]}, "clerk", schema=schema)
    return postgres_url


@pytest.fixture(scope="module")
def books(url: str) -> Iterator[Postgres]:
    database = Postgres(url, role="clerk")
    database.schemas = SCHEMAS
    yield database
    database.close()


def asked(books: Postgres, call: str | AggregateCall) -> Outcome:
    catalog = compile_catalog(books.reflect())
    checked = Checker(catalog).check(call, ALPHA)
    assert isinstance(checked, CheckedQuery), checked
    return Engine(books, catalog).run(checked)


def accept(checker: Checker, sql: str) -> None:
    verdict = checker.check(sql)
    assert isinstance(verdict, CheckedQuery), verdict


def reject(checker: Checker, sql: str, code: Code) -> None:
    verdict = checker.check(sql)
    assert isinstance(verdict, Refusal)
    assert code in [each.code for each in verdict.violations]


def test_tables_of_several_schemas_are_found_and_linked_across_them(books: Postgres) -> None:
    tables = books.reflect().tables
    assert set(tables) == {"orders", "archive__orders", "customer"}
    assert tables["archive__orders"].place(("sales",)) == ("archive", "orders")
    assert [link.target for link in tables["archive__orders"].foreign_keys] == ["customer"]


def test_a_link_goes_to_the_schema_that_it_names_not_to_a_namesake(
    postgres_server: LocalPostgres,
) -> None:
    place = postgres_server.create_database("namesakes")
    with psycopg.connect(place, autocommit=True) as connection:
        connection.execute(
            "CREATE SCHEMA sales; CREATE TABLE public.account (id int PRIMARY KEY);"
            "CREATE TABLE sales.account (id int PRIMARY KEY);"
            "CREATE TABLE sales.line (id int, account int REFERENCES public.account (id))"
        )
    kind = engine_of(place)
    assert kind is not None
    both = kind.open(place, schemas=("sales", "public"))
    alone = kind.open(place, schemas=("sales",))
    try:
        assert both.reflect().tables["line"].foreign_keys[0].target == "public__account"
        assert alone.reflect().tables["line"].foreign_keys == ()
    finally:
        both.close()
        alone.close()


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT SUM(total) AS t FROM orders", [(30,)]),
        ("SELECT SUM(total) AS t FROM sales.orders", [(30,)]),
        ("SELECT SUM(total) AS t FROM archive__orders", [(7,)]),
        ("SELECT SUM(total) AS t FROM archive.orders", [(7,)]),
        ("SELECT orders.id FROM archive.orders", [(8,)]),
        ("SELECT orders.* FROM archive.orders", [(8, "alpha", 1, 7, "void")]),
        (
            "SELECT sales.orders.id, archive.orders.id AS old FROM sales.orders"
            " JOIN crm.customer ON customer.id = sales.orders.customer"
            " JOIN archive.orders ON archive.orders.customer = customer.id ORDER BY 1",
            [(1, 8), (2, 8)],
        ),
        ("SELECT archive.orders.* FROM sales.orders JOIN archive.orders"
         " ON archive.orders.customer = sales.orders.customer LIMIT 1",
         [(8, "alpha", 1, 7, "void")]),
    ],
)  # fmt: skip
def test_each_table_is_read_where_it_is_and_for_one_tenant(
    books: Postgres, sql: str, rows: list[tuple[object, ...]]
) -> None:
    found = asked(books, sql).rows
    assert list(found) == rows


def test_a_structured_call_reaches_the_second_schema(books: Postgres) -> None:
    call = AggregateCall(table_name="archive__orders", aggregate="count")
    outcome = asked(books, call)
    assert outcome.rows == ((1,),)
    assert '"archive"."orders"' in outcome.receipt.sql


def test_a_name_that_two_tables_have_in_one_query_is_ambiguous(books: Postgres) -> None:
    checker = Checker(compile_catalog(books.reflect()))
    sql = "SELECT orders.total FROM sales.orders CROSS JOIN archive.orders"
    reject(checker, sql, Code.AMBIGUOUS_FIELD)


def test_a_schema_that_was_not_chosen_is_not_there(books: Postgres) -> None:
    books_of_sales = compile_catalog(
        schema_from_ddl("CREATE TABLE sales.orders (id int, total numeric)")
    )
    checker = Checker(books_of_sales)
    accept(checker, "SELECT id FROM sales.orders")
    reject(checker, "SELECT id FROM public.orders", Code.TABLE_NOT_FOUND)
    reject(checker, "SELECT id FROM archive.orders", Code.TABLE_NOT_FOUND)


def test_a_forbidden_table_of_another_schema_is_forbidden_not_missing(books: Postgres) -> None:
    catalog = restrict(compile_catalog(books.reflect()), Permissions(deny=("archive__orders",)))
    reject(Checker(catalog), "SELECT id FROM archive.orders", Code.NOT_PERMITTED)
    accept(Checker(catalog), "SELECT id FROM sales.orders")


def test_the_row_policies_are_checked_in_every_schema(url: str, tmp_path: Path) -> None:
    ontology = tmp_path / "ontology.yaml"
    ontology.write_text(
        "feature_code: shop\nentities:\n"
        + "".join(
            f"  - {{name: {name}, table: {name}, semantic_type: TRANSACTION,"
            " fields: [{name: tenant, role: TENANT}]}\n"
            for name in ("orders", "archive__orders")
        )
    )
    feature = FeatureSettings(
        name="shop", ontology=ontology, database=url, role="clerk", schemas=SCHEMAS,
        accept_open_functions=True,
    )  # fmt: skip
    settings = RuntimeSettings(features=(feature,), agent=AgentSettings(model=""))

    async def opened() -> None:
        async with open_runtime(settings):
            pass

    asyncio.run(opened())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE archive.orders DISABLE ROW LEVEL SECURITY")
        with pytest.raises(SetupError, match="orders"):
            asyncio.run(opened())
        connection.execute("ALTER TABLE archive.orders ENABLE ROW LEVEL SECURITY")


SHOP = b"""
CREATE SCHEMA shop;
CREATE TABLE shop.invoice (id int PRIMARY KEY, day date NOT NULL, amount numeric(12, 2) NOT NULL);
INSERT INTO shop.invoice
SELECT n, date '2025-01-01' + n, n * 10 FROM generate_series(1, 60) n;
"""
ASKER = b"""
CREATE ROLE f2_asker LOGIN;
GRANT USAGE ON SCHEMA shop TO f2_asker;
GRANT SELECT ON shop.invoice TO f2_asker;
"""


def database(server: LocalPostgres, name: str, script: bytes) -> str:
    url = server.create_database(name)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(script)
    return url


def test_init_takes_the_only_schema_with_tables_and_says_so(
    postgres_server: LocalPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owned = database(postgres_server, "only_shop", SHOP + ASKER)
    login = make_url(owned)._replace(username="f2_asker", password=None)
    url = login.render_as_string()
    monkeypatch.chdir(tmp_path)
    told = run.invoke(app, ["init", url])
    assert told.exit_code == 0, told.output
    assert "shop (1)" in told.output
    assert "&schemas=shop" in told.output
    settings = read_runtime_settings(tmp_path / "veridical.toml")
    assert settings.features[0].schemas == ("shop",)

    async def answered() -> Answer:
        async with open_runtime(settings) as runtime:
            session = runtime.session("only_shop", OWNER)
            return await answer(
                Question(text="What is the total amount in 2025?", feature="only_shop"), session
            )

    found = asyncio.run(answered())
    assert "18,300" in found.text, found.text


def test_init_names_the_schemas_to_choose_from(
    postgres_server: LocalPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database(postgres_server, "two_shops", SHOP + b"CREATE SCHEMA crm;"
                   b"CREATE TABLE crm.lead (id int PRIMARY KEY);")  # fmt: skip
    monkeypatch.chdir(tmp_path)
    told = run.invoke(app, ["init", url])
    assert told.exit_code != 0
    assert "crm (1), shop (1)" in told.output
    assert "--schema crm --schema shop" in told.output
    wrong = run.invoke(app, ["init", url, "--schema", "shoop"])
    assert wrong.exit_code != 0
    assert "shop (1)" in wrong.output
    chosen = run.invoke(app, ["init", url, "--schema", "shop", "--schema", "crm"])
    assert chosen.exit_code == 0, chosen.output
    text = (tmp_path / "ontology.yaml").read_text()
    assert "invoice" in text
    assert "lead" in text


def test_init_says_what_it_left_out(
    postgres_server: LocalPostgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = database(postgres_server, "public_too", SHOP + b"CREATE TABLE note (id int PRIMARY KEY);")
    monkeypatch.chdir(tmp_path)
    told = run.invoke(app, ["init", url])
    assert told.exit_code == 0, told.output
    assert "shop (1)" in told.output
    assert "--schema public --schema shop" in told.output


def test_duckdb_reads_the_schemas_that_its_address_names(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "CREATE SCHEMA sales; CREATE TABLE sales.orders (id int, total int);"
            "CREATE TABLE orders (id int, total int);"
            "INSERT INTO sales.orders VALUES (1, 5); INSERT INTO orders VALUES (1, 70)"
        )
    address = f"duckdb:///{path}?schemas=main,sales"
    kind = engine_of(address)
    assert kind is not None
    opened = kind.open(address)
    catalog = compile_catalog(opened.reflect())
    checker = Checker(catalog, dialect="duckdb")
    sql = "SELECT orders.total, sales__orders.total AS s FROM orders CROSS JOIN sales__orders"
    checked = checker.check(sql, OWNER)
    assert isinstance(checked, CheckedQuery), checked
    assert Engine(opened, catalog, shared=("*",)).run(checked).rows == ((70, 5),)
    opened.close()


def test_an_engine_without_schemas_says_so(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE note (id int)")
    told = run.invoke(app, ["init", str(path), "--schema", "sales"])
    assert told.exit_code != 0
    assert "SQLite" in told.output


def test_a_script_with_one_name_in_two_schemas_keeps_both() -> None:
    schema = schema_from_ddl(
        "CREATE TABLE sales.orders (id int PRIMARY KEY, total numeric);"
        "CREATE TABLE archive.orders (id int PRIMARY KEY, total numeric);"
        "CREATE TABLE archive.line (id int, order_id int REFERENCES archive.orders (id));"
    )
    assert set(schema.tables) == {"orders", "archive__orders", "line"}
    assert schema.tables["line"].foreign_keys[0].target == "archive__orders"
    checker = Checker(compile_catalog(schema))
    checked = checker.check("SELECT SUM(total) AS t FROM archive.orders", OWNER)
    assert isinstance(checked, CheckedQuery)
    assert '"archive"."orders"' in checked.statement().sql
