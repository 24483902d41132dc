"""What is MariaDB's alone: logins that can do too much, addresses, values."""

from decimal import Decimal

import pytest

from benchmarks.engines.mariadb import OWNER, LocalMariadb
from tests.engines.conftest import mysql_books
from veridical.contracts.caller import Scope
from veridical.contracts.language import Language
from veridical.contracts.statement import Statement
from veridical.engines import EngineError, Limits, Problem
from veridical.engines.database import HasSchemas
from veridical.engines.mysql import connect
from veridical.engines.registry import engine_of
from veridical.ontology.errors import SourceError, SourceProblem

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def url(mariadb: LocalMariadb) -> str:
    return mysql_books(mariadb)


def test_a_login_that_writes_files_is_refused(mariadb: LocalMariadb, url: str) -> None:
    del url
    with pytest.raises(SourceError) as caught:
        connect(mariadb.url_of("books", OWNER), None, 1)
    assert caught.value.problem is SourceProblem.TOO_MIGHTY
    assert all("FILE" in caught.value.message(language) for language in Language)
    assert mariadb.password not in str(caught.value)


def test_tables_of_two_databases_are_read_and_linked(mariadb: LocalMariadb) -> None:
    first = mariadb.create_database("sales")
    mariadb.create_database("archive")
    with mariadb.owner("sales") as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE orders (id int PRIMARY KEY)")
        cursor.execute("CREATE TABLE archive.orders (id int, old int REFERENCES sales.orders (id))")
        cursor.execute("INSERT INTO archive.orders VALUES (7, NULL)")
        connection.commit()
    kind = engine_of(first)
    assert kind is not None
    database = kind.open(first, schemas=("sales", "archive"))
    tables = database.reflect().tables
    statement = Statement("SELECT id FROM archive.orders", ())
    rows = database.fetch(statement, Scope(), 10, Limits()).rows
    assert isinstance(database, HasSchemas)
    seen = database.seen_schemas()
    database.close()
    assert tables["archive__orders"].place(("sales",)) == ("archive", "orders")
    assert [link.target for link in tables["archive__orders"].foreign_keys] == ["orders"]
    assert rows == ((7,),)
    assert {"sales", "archive"} <= set(seen)


def test_keys_and_types_are_read(url: str) -> None:
    database = connect(url, None, 1)
    tables = database.reflect().tables
    database.close()
    assert tables["Account"].keys == (("id",), ("mandateId", "number"))
    assert tables["Line"].foreign_keys[0].target == "Account"
    kinds = {column.name: column.type.value for column in tables["Line"].columns}
    assert (kinds["booked"], kinds["at"], kinds["amount"]) == ("date", "timestamp", "number")


@pytest.mark.parametrize("value", ["it's", "back\\slash", '"', "@1", "über 😀", 7, Decimal("1.50")])
def test_values_arrive_as_they_are(url: str, value: str | int | Decimal) -> None:
    database = connect(url, None, 1)
    found = database.fetch(Statement("SELECT @1 AS v", (value,)), Scope(), 1, Limits())
    database.close()
    assert found.rows == ((float(value) if isinstance(value, Decimal) else value,),)


def test_nobody_there_is_told_without_the_password() -> None:
    with pytest.raises(EngineError) as caught:
        connect("mysql://me:secret@127.0.0.1:1/books", None, 1)
    assert caught.value.problem is Problem.UNAVAILABLE
    assert "secret" not in str(caught.value)


def test_an_address_needs_a_database() -> None:
    with pytest.raises(SourceError, match="DATABASE"):
        connect("mysql://me:secret@127.0.0.1", None, 1)


def test_an_estimate_counts_the_rows_of_each_table(url: str) -> None:
    database = connect(url, None, 1)
    try:
        for sql, rows, tables in (
            ("SELECT count(*) FROM books.Line WHERE mandateId = 'alpha'", 150, {"Line"}),
            ("SELECT * FROM books.Line LIMIT 3", 3, {"Line"}),
            ("SELECT n FROM (SELECT count(*) AS n FROM books.Line) AS x", 150, {"Line"}),
            ("SELECT 1 FROM books.Line l JOIN books.Line m ON m.year = l.year", 300, {"l", "m"}),
        ):
            estimate = database.estimate(Statement(sql, ()), Scope(), Limits())
            assert estimate is not None
            assert (estimate.rows_read, {*estimate.tables}) == (rows, tables)
    finally:
        database.close()
