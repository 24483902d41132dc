"""The same rows on every engine, and the bare driver beside it."""

import json
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chdb
import duckdb
import psycopg
import pymysql

from benchmarks.engines.mariadb import OWNER, local_mariadb
from benchmarks.engines.sail import local_sail
from veridical.contracts.statement import Bound, Statement
from veridical.engines import install_row_level_security
from veridical.engines.arrow_values import literal
from veridical.sample.postgres import local_postgres
from veridical.statement.driver import marked

Bare = Callable[[Statement], int]
"""Runs a statement through the driver alone, takes all rows, and says how many."""
_READER = "engines_reader"
TENANTS = ("alpha", "beta", "gamma")
_TABLES = (
    ("Account", "id {int}, mandateId {text}, label {text}"),
    (
        "Line",
        "id {int}, mandateId {text}, accountId {int}, year {int}, amount {number}, note {text}",
    ),
    ("Currency", "code {text}, name {text}"),
    ("Orphan", "id {int}"),
)
_ROWS = (
    "SELECT n AS id, CASE n % 3 WHEN 0 THEN 'alpha' WHEN 1 THEN 'beta' ELSE 'gamma' END AS m,"
    " n % 40 AS a, 2020 + n % 5 AS y, n % 1000 + 0.25 AS v, 'note' AS t FROM {series}"
)
_FEW = (
    "INSERT INTO {place}{q}Account{q} VALUES (1, 'alpha', 'one'), (2, 'beta', 'two')",
    "INSERT INTO {place}{q}Currency{q} VALUES ('CHF', 'Franc')",
    "INSERT INTO {place}{q}Orphan{q} VALUES (1)",
)


@dataclass(frozen=True)
class Ground:
    """The rows in one engine: its address, and its driver without us."""

    engine: str
    address: str
    bare: Bare
    quote: str = '"'
    role: str | None = None


def statements(
    rows: int,
    series: str,
    types: tuple[str, str, str],
    place: str = "",
    quote: str = '"',
    end: str = "",
) -> list[str]:
    """The tables and rows, as one engine spells them. ``series`` gives the numbers n."""
    whole, text, number = types
    made: list[str] = []
    for name, columns in _TABLES:
        spelled = ", ".join(
            f"{quote}{column}{quote} {kind}"
            for column, kind in (each.split() for each in columns.split(", "))
        ).format(int=whole, text=text, number=number)
        made.append(f"CREATE TABLE {place}{quote}{name}{quote} ({spelled}){end}")
    select = _ROWS.format(series=series.format(rows=rows))
    made.append(f"INSERT INTO {place}{quote}Line{quote} {select}")
    return [*made, *(each.format(place=place, q=quote) for each in _FEW)]


@contextmanager
def on_sqlite(folder: Path, rows: int) -> Generator[Ground]:
    """A file."""
    path = folder / "books.db"
    series = (
        "(WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < {rows})"
        " SELECT n FROM s)"
    )
    connection = sqlite3.connect(path, isolation_level=None)
    for each in statements(rows, series, ("integer", "text", "real")):
        connection.execute(each)

    def bare(statement: Statement) -> int:
        values = {str(number): value for number, value in enumerate(statement.parameters, 1)}
        return len(connection.execute(statement.sql, values).fetchall())

    with closing(connection):
        yield Ground("sqlite", f"sqlite:///{path}", bare)


@contextmanager
def on_duckdb(folder: Path, rows: int) -> Generator[Ground]:
    """A file."""
    path = folder / "books.duckdb"
    with duckdb.connect(str(path)) as made:
        series = "(SELECT range AS n FROM range(1, {rows} + 1))"
        for each in statements(rows, series, ("integer", "varchar", "decimal(18, 2)")):
            made.execute(each)
    connection = duckdb.connect()
    connection.execute(f"ATTACH '{path}' AS data (READ_ONLY)")

    def bare(statement: Statement) -> int:
        return len(connection.execute(statement.sql, list(statement.parameters)).fetchall())

    with closing(connection):
        yield Ground("duckdb", f"duckdb:///{path}", bare)


@contextmanager
def on_postgres(folder: Path, rows: int) -> Generator[Ground]:
    """A server of its own."""
    del folder
    with local_postgres() as server:
        url = server.create_database("engines")
        with psycopg.connect(url, autocommit=True) as owner:
            for each in statements(
                rows, "generate_series(1, {rows}) AS s(n)", ("int", "varchar", "numeric(18, 2)")
            ):
                owner.execute(each.encode())
            columns = {
                "Account": ["mandateId"],
                "Line": ["mandateId"],
                "Currency": [],
                "Orphan": [],
            }
            install_row_level_security(owner, columns, _READER)
            owner.execute("VACUUM ANALYZE")
        with psycopg.connect(url, autocommit=True) as connection:

            def bare(statement: Statement) -> int:
                with psycopg.RawCursor(connection) as cursor:
                    cursor.execute(statement.sql.encode(), statement.parameters)
                    return len(cursor.fetchall())

            yield Ground("postgres", url, bare, role=_READER)


@contextmanager
def on_mysql(folder: Path, rows: int) -> Generator[Ground]:
    """A MariaDB of its own."""
    del folder
    with local_mariadb() as server:
        url = server.create_database("books")
        with server.owner("books") as owner, owner.cursor() as cursor:
            series = "(SELECT seq AS n FROM seq_1_to_{rows}) s"
            types = ("int", "varchar(100)", "decimal(18, 2)")
            for each in statements(rows, series, types, quote="`"):
                cursor.execute(each)
        connection = pymysql.connect(
            host="127.0.0.1", port=server.port, user=OWNER, password=server.password
        )

        def bare(statement: Statement) -> int:
            values = statement.parameters
            sql = marked(
                statement.sql, "mysql", lambda number: str(connection.escape(values[number - 1]))
            )
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return len(cursor.fetchall())

        with connection:
            yield Ground("mysql", url, bare, quote="`")


@contextmanager
def on_clickhouse(folder: Path, rows: int) -> Generator[Ground]:
    """A folder of data, in this process."""
    path = folder / "books"
    connection = chdb.connect(str(path))
    connection.query("CREATE DATABASE books")
    series = "(SELECT number + 1 AS n FROM numbers({rows})) s"
    types = ("Int32", "String", "Decimal(18, 2)")
    end = " ENGINE = MergeTree ORDER BY tuple()"
    for each in statements(rows, series, types, place="books.", end=end):
        connection.query(each)

    def bare(statement: Statement) -> int:
        values = {f"p{number}": value for number, value in enumerate(statement.parameters, 1)}
        sql = marked(
            statement.sql, "clickhouse", lambda number: _typed(number, values[f"p{number}"])
        )
        text = str(connection.query(sql, "JSONCompactEachRow", values or None))
        return len([json.loads(line) for line in text.splitlines()])

    yield Ground("clickhouse", f"clickhouse:///{path}?database=books", bare)
    connection.close()


@contextmanager
def on_sail(folder: Path, rows: int) -> Generator[Ground]:
    """A cluster in a process of its own, behind Flight SQL."""
    del folder
    with local_sail() as server:
        server.run("CREATE DATABASE books")
        for each in statements(
            rows,
            "(SELECT id + 1 AS n FROM range({rows})) s",
            ("int", "string", "decimal(18, 2)"),
            place="books.",
            quote="`",
            end=" USING parquet LOCATION '{place}'",
        ):
            place = server.folder / each.split("`")[1]
            server.run(each.replace("{place}", str(place)))
        with server.owner() as connection:

            def bare(statement: Statement) -> int:
                values = statement.parameters
                sql = marked(statement.sql, "spark", lambda number: literal(values[number - 1]))
                with connection.cursor() as cursor:
                    cursor.execute(sql)
                    return len(cursor.fetchall())

            yield Ground("flight", server.url_of("books"), bare, quote="`")


def _typed(number: int, value: Bound) -> str:
    return f"{{p{number}:{'String' if isinstance(value, str) else 'Int64'}}}"


GROUNDS: tuple[Callable[[Path, int], Any], ...] = (
    on_sqlite,
    on_duckdb,
    on_postgres,
    on_mysql,
    on_clickhouse,
    on_sail,
)
