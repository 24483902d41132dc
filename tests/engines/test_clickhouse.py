"""ClickHouse hands a result over in pieces, and in none at all where there are no rows."""

from collections.abc import Iterator

import chdb
import pytest

from veridical.contracts.caller import Scope
from veridical.contracts.statement import Statement
from veridical.engines import EngineError
from veridical.engines.clickhouse import ClickHouse
from veridical.engines.limits import Limits

EVERYTHING = Scope({}, frozenset({"*"}))
MANY = 100_000


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClickHouse]:
    folder = tmp_path_factory.mktemp("clickhouse") / "books"
    connection = chdb.connect(str(folder))
    connection.query("CREATE TABLE numbered (n Int64) ENGINE = MergeTree ORDER BY tuple()")
    connection.query("INSERT INTO numbered SELECT number FROM numbers(1000000)")
    opened = ClickHouse(folder)
    yield opened
    opened.close()
    connection.close()


def rows_of(books: ClickHouse, sql: str) -> list[tuple[object, ...]]:
    fetched = books.fetch(Statement(sql, ()), EVERYTHING, MANY, Limits(bytes=100_000_000))
    assert not fetched.truncated
    return list(map(tuple, fetched.rows))


def test_a_result_in_many_pieces_has_its_rows_and_nothing_else(books: ClickHouse) -> None:
    sql = "SELECT n % 50000 AS k, count() AS c FROM default.numbered GROUP BY k"
    assert sorted(rows_of(books, sql)) == [(number, 20) for number in range(50_000)]


def test_no_rows_are_no_failure(books: ClickHouse) -> None:
    empty = Statement("SELECT n, n % 2 AS odd FROM default.numbered WHERE n < @1", (0,))
    fetched = books.fetch(empty, EVERYTHING, MANY, Limits())
    assert (fetched.columns, fetched.rows, fetched.truncated) == (("n", "odd"), (), False)


def test_tables_of_two_databases_are_read(books: ClickHouse) -> None:
    usual = books.schemas
    owner = chdb.connect(str(books._path))  # pyright: ignore[reportPrivateUsage]
    for name in ("sales", "archive"):
        owner.query(f"CREATE DATABASE {name}")
        owner.query(f"CREATE TABLE {name}.orders (n Int64) ENGINE = MergeTree ORDER BY n")
    owner.close()
    books.schemas = ("sales", "archive")
    tables = books.reflect().tables
    books.schemas = usual
    assert tables["orders"].place(("sales",)) == ("sales", "orders")
    assert tables["archive__orders"].place(("sales",)) == ("archive", "orders")
    assert books.seen_schemas()["archive"] == 1


def test_a_statement_reads_what_was_estimated(books: ClickHouse) -> None:
    statement = Statement("SELECT sum(n) FROM default.numbered WHERE n > -5", ())
    estimate = books.estimate(statement, Scope(), Limits())
    assert estimate is not None
    assert (estimate.rows_read, estimate.tables) == (1_000_000, ("numbered",))
    fetched = books.fetch(statement, Scope(), 10, Limits())
    assert (fetched.rows_read, fetched.bytes_read) == (1_000_000, 8_000_000)


def test_an_estimate_explains_one_select_and_nothing_else(books: ClickHouse) -> None:
    for sql in ("DROP TABLE default.numbered", "SELECT 1; SELECT 2", "SELECT * FROM url('x')"):
        with pytest.raises(EngineError):
            books.estimate(Statement(sql, ()), Scope(), Limits())
