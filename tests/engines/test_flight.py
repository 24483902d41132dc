"""What is Flight SQL's alone: values written as literals, types of Arrow, plans, cancelling."""

import time
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from benchmarks.engines.sail import LocalSail
from tests.engines.conftest import sail_books
from veridical.cli.main import app
from veridical.contracts.caller import Scope
from veridical.contracts.schema import ValueType
from veridical.contracts.statement import Bound, Statement
from veridical.engines import EngineError, Limits, Problem
from veridical.engines.flight import FlightSql, connect
from veridical.engines.registry import engine_of
from veridical.ontology.errors import SourceError, SourceProblem

pytestmark = pytest.mark.slow

ALPHA = Scope({"mandateId": ("alpha",)})
LINE, ACCOUNT = ("books", "Line"), ("books", "Account")
EVERYBODY = Scope()
_TRIPLES = "SELECT a.id, b.id, c.id FROM books.`Line` a, books.`Line` b, books.`Account` c"
_ENDLESS = "SELECT count(*) FROM " + " CROSS JOIN ".join(
    f"(SELECT explode(sequence(1, 10000)) AS n{n}) AS s{n}" for n in range(4)
)


@pytest.fixture(scope="module")
def url(sail: LocalSail) -> str:
    return sail_books(sail)


@pytest.fixture(scope="module")
def books(url: str) -> Iterator[FlightSql]:
    opened = connect(url, None, 4)
    yield opened
    opened.close()


def rows_of(books: FlightSql, sql: str, *values: Bound) -> list[tuple[object, ...]]:
    return list(books.fetch(Statement(sql, values), EVERYBODY, 100, Limits()).rows)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_text_is_one_value_whatever_it_holds(books: FlightSql, text: str) -> None:
    assert rows_of(books, "SELECT ${1} AS a, ${2} AS b", text, "end") == [(text, "end")]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((each, each) for each in (0, -7, 2**63 - 1, -(2**63) + 1, True, False, 1.5, -0.25)),
        (2**70, str(2**70)),
        (Decimal("12345678901234567.89"), "12345678901234567.89"),
        (Decimal("-0.10"), -0.1),
        ("' OR '1' = '1", "' OR '1' = '1"),
        ("\\' -- \n", "\\' -- \n"),
        ("a\x000", "a\x000"),
        ("x\n    TableScan: books.Line", "x\n    TableScan: books.Line"),
    ],
)
def test_values_come_back_as_they_were_bound(
    books: FlightSql, value: Bound, expected: object
) -> None:
    rows_of(books, "SELECT ${1} AS v", type(value)())  # the text is known, whatever its value
    ((found,),) = rows_of(books, "SELECT ${1} AS v", value)
    assert found == expected or Decimal(str(found)) == Decimal(str(expected))
    assert rows_of(books, "SELECT 1 - ${1} AS v", 3) == [(-2,)]
    assert rows_of(books, "SELECT 1 -${1} AS v", -3) == [(4,)]


def test_a_statement_is_not_cut_off(books: FlightSql) -> None:
    with pytest.raises(EngineError):
        rows_of(books, "SELECT 1 AS v\0 WHERE FALSE")


def test_types_are_exact(books: FlightSql) -> None:
    ((*found,),) = rows_of(
        books,
        "SELECT DATE '2024-02-29', TIMESTAMP_NTZ '2024-02-29 10:00:00.000001', CAST(1.10 AS"
        " DECIMAL(38, 20)), CAST(NULL AS DECIMAL(9, 2)), CAST(NULL AS DATE), X'00ff', array(1, 2),"
        " CAST('NaN' AS DOUBLE), 9007199254740993, TIMESTAMP '2024-02-29 10:00:00'",
    )
    assert found == [
        *("2024-02-29", "2024-02-29T10:00:00.000001", 1.1, None, None, "00ff", [1, 2], "nan"),
        *(9007199254740993, "2024-02-29T10:00:00+00:00"),
    ]


def test_columns_have_their_types(books: FlightSql) -> None:
    line = books.reflect().tables["Line"]
    assert {column.name: column.type for column in line.columns} == {
        "id": ValueType.INTEGER,
        "mandateId": ValueType.TEXT,
        "accountId": ValueType.INTEGER,
        "year": ValueType.INTEGER,
        "booked": ValueType.DATE,
        "at": ValueType.TIMESTAMP,
        "amount": ValueType.NUMBER,
        "note": ValueType.TEXT,
        "secret": ValueType.TEXT,
    }


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("WITH x AS (SELECT id FROM {a}) SELECT count(*) FROM x p JOIN x q ON p.id = q.id", 1),
        ("WITH x AS (SELECT id FROM {a}), y AS (SELECT * FROM x, x z) SELECT 1 FROM y, x", 1),
        ("WITH x AS (SELECT id FROM {a}) SELECT 1 AS n", 1),
        ("SELECT id, (SELECT count(*) FROM {a} s) AS n FROM {a} t ORDER BY n, id LIMIT 3", 2),
        ("SELECT id FROM {a} UNION ALL SELECT id FROM {a} ORDER BY 1", 2),
        ("SELECT id FROM {a} UNION ALL SELECT id FROM {a}", 2),
        ("SELECT id FROM {a} UNION SELECT id FROM {a}", 2),
        ("SELECT id FROM {a} EXCEPT SELECT id FROM {a} WHERE id > 5", 2),
        ("SELECT id FROM {a} INTERSECT SELECT id FROM {a}", 2),
        ("SELECT id FROM {a} WHERE FALSE", 1),
        ("SELECT DISTINCT number FROM {a}", 1),
        ("SELECT count(*) FROM {a} t JOIN (VALUES (1), (2)) AS v (n) ON v.n = t.id", 1),
        ("SELECT id FROM {a} t WHERE EXISTS (SELECT 1 FROM {a} s WHERE s.id = t.id)", 2),
        ("SELECT id FROM {a} t WHERE id NOT IN (SELECT id FROM {a} WHERE id > 5)", 2),
        ("SELECT number, count(*) FROM {a} GROUP BY number HAVING count(*) > (SELECT 1)", 1),
        ("SELECT DISTINCT number, row_number() OVER (ORDER BY id) AS n FROM {a}", 1),
        ("SELECT count(*) FILTER (WHERE id > 1), count(DISTINCT number) FROM {a}", 1),
        ("(SELECT id FROM {a}) LIMIT 2", 1),
        ("SELECT s.n FROM (SELECT sum(id) AS n FROM {a}) s CROSS JOIN (SELECT 1 AS one) o", 1),
        ("WITH x AS (WITH y AS (SELECT id FROM {a}) SELECT * FROM y, y z) SELECT 1 FROM x", 1),
    ],
)
def test_the_server_reads_what_was_written(books: FlightSql, sql: str, tables: int) -> None:
    placed = sql.format(a="books.`Account`")
    books.fetch(Statement(placed, (), (ACCOUNT,) * tables), ALPHA, 100, Limits())
    with pytest.raises(EngineError) as caught:  # one more than the host has written
        books.fetch(Statement(placed, (), (ACCOUNT,) * (tables + 1)), ALPHA, 100, Limits())
    assert caught.value.problem is Problem.MISWRITTEN


def test_a_view_is_the_tables_behind_it(sail: LocalSail, books: FlightSql) -> None:
    sail.run(
        "CREATE OR REPLACE VIEW books.joined AS SELECT l.* FROM books.`Line` l"
        " JOIN books.`Account` a ON a.id = l.`accountId`"
    )
    sql = "SELECT count(*) AS n FROM books.joined j JOIN books.`Line` l ON l.id = j.id"
    asked = Statement(sql, (), (("books", "joined"), LINE))
    assert books.fetch(asked, ALPHA, 1, Limits()).rows == ((150,),)
    sail.run("DROP VIEW books.joined")


def test_without_tenants_only_the_chosen_databases_are_read(
    sail: LocalSail, books: FlightSql
) -> None:
    sail.run(
        "CREATE DATABASE IF NOT EXISTS other",
        f"CREATE TABLE IF NOT EXISTS other.t (a int) USING parquet LOCATION '{sail.folder}/other'",
    )
    assert rows_of(books, "SELECT count(*) AS n FROM books.`Line`") == [(150,)]
    for place in ("other.t", "`t`", "text.`/etc/passwd`", "system.session.sessions"):
        with pytest.raises(EngineError):
            rows_of(books, f"SELECT * FROM {place}")
    assert {"books": 4, "other": 1}.items() <= books.seen_schemas().items()
    both = connect(sail.url_of("books"), None, 1)
    both.schemas = ("books", "other")
    assert {"Line", "t"} <= both.reflect().tables.keys()
    assert rows_of(both, "SELECT * FROM other.t") == []
    both.close()


@pytest.mark.parametrize("milliseconds", [1, 50, 300])
def test_statements_end_within_a_second_of_their_time(books: FlightSql, milliseconds: int) -> None:
    def overtime() -> float:
        started = time.monotonic()
        with pytest.raises(EngineError) as caught:
            books.fetch(Statement(_ENDLESS, ()), ALPHA, 10, Limits(statement_ms=milliseconds))
        assert caught.value.problem is Problem.TIMEOUT
        return time.monotonic() - started - milliseconds / 1000

    assert min(overtime() for _ in range(3)) < 1  # on a busy machine, too
    assert rows_of(books, "SELECT 1 AS v") == [(1,)]


def test_batches_are_read_to_the_limit_only(books: FlightSql) -> None:
    found = books.fetch(Statement(_TRIPLES, (), (LINE, LINE, ACCOUNT)), ALPHA, 1000, Limits())
    assert (len(found.rows), found.truncated) == (1000, True)


def test_an_ontology_is_drafted_from_it(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["init", url])
    assert done.exit_code == 0, done.output
    assert "4 tables, 1 relations" in done.output
    assert "not counted" not in done.output
    assert url in (tmp_path / "veridical.toml").read_text("utf-8")


def test_a_server_that_is_gone_is_unavailable() -> None:
    database = connect("flightsql://127.0.0.1:1/books", None, 1)
    with pytest.raises(EngineError) as caught:
        database.reflect()
    assert caught.value.problem is Problem.UNAVAILABLE
    database.close()
    with pytest.raises(EngineError):
        database.reflect()


@pytest.mark.parametrize("address", ["flightsql://host", "flightsql:///x", "flightsql://h:1/a/b"])
def test_an_address_names_host_port_and_database(address: str) -> None:
    kind = engine_of(address)
    assert kind is not None
    with pytest.raises(SourceError) as caught:
        kind.open(address)
    assert caught.value.problem is SourceProblem.NO_SOURCE
