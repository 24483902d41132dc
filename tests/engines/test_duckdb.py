import datetime as dt
from pathlib import Path

import duckdb
import pytest
from openpyxl import Workbook

from tests.engines.conftest import Books, duckdb_books
from veridical.contracts.caller import Scope
from veridical.contracts.schema import ValueType
from veridical.contracts.statement import Statement
from veridical.engines import DuckDb, Engine, EngineError, Limits, Problem, open_files
from veridical.ontology.compile import compile_catalog

pytestmark = pytest.mark.slow


def rows(database: DuckDb, sql: str) -> tuple[tuple[object, ...], ...]:
    return database.fetch(Statement(sql, ()), Scope(), 100, Limits()).rows


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    table = tmp_path / "customers.csv"
    table.write_text("id,name,since\n1,Ada,2020-01-02\n2,Grace,2021-03-04\n", "utf-8")
    parquet = tmp_path / "orders.parquet"
    duckdb.sql(f"COPY (SELECT 1 AS id, 2.5::decimal(9, 2) AS total) TO '{parquet}'")
    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "Plan"
    sheet.append(["account", "amount", "due", "open", None, "account"])
    sheet.append(["0100", 12, dt.datetime(2024, 5, 6), True, "a", 1])
    sheet.append(["1020", 0.5, None, False, None, 2])
    sheet.append([None] * 6)
    excel = tmp_path / "plan.xlsx"
    workbook.save(excel)
    return {"customers": table, "orders": parquet, "plan": excel}


def test_files_become_tables(files: dict[str, Path]) -> None:
    database = open_files(files)
    schema = database.reflect()
    assert set(schema.tables) == {"customers", "orders", "plan"}
    assert {column.name: column.type for column in schema.tables["plan"].columns} == {
        "account": ValueType.TEXT,
        "amount": ValueType.NUMBER,
        "due": ValueType.DATE,
        "open": ValueType.BOOLEAN,
        "column_5": ValueType.TEXT,
        "account_6": ValueType.INTEGER,
    }
    assert rows(database, "SELECT * FROM data.main.plan ORDER BY amount DESC") == (
        ("0100", 12.0, "2024-05-06", True, "a", 1),
        ("1020", 0.5, None, False, None, 2),
    )
    assert rows(database, "SELECT max(since) FROM data.main.customers") == (("2021-03-04",),)
    database.close()


def test_sheets_become_tables_of_their_own(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.worksheets[0].append(["a"])
    workbook.create_sheet("Two").append(["b"])
    workbook.save(tmp_path / "book.xlsx")
    database = open_files({"book": tmp_path / "book.xlsx"})
    assert set(database.reflect().tables) == {"book_Sheet", "book_Two"}
    database.close()


def test_files_have_one_tenant_when_the_engine_says_so(files: dict[str, Path]) -> None:
    database = open_files(files)
    catalog = compile_catalog(database.reflect())
    books = Books(Engine(database, catalog, shared=("*",)), catalog)
    outcome = books.engine.run(books.checked("SELECT name FROM customers", scope=Scope()))
    assert outcome.rows == (("Ada",), ("Grace",))
    database.close()


def test_other_kinds_of_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "letter.docx").write_text("x", "utf-8")
    with pytest.raises(ValueError, match=r"letter\.docx: can read \.csv"):
        open_files({"letter": tmp_path / "letter.docx"})


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "COPY (SELECT 1) TO '/tmp/never.csv'",
        "ATTACH '/tmp/never.duckdb'",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "INSTALL httpfs",
    ],
)
def test_there_is_no_way_out(files: dict[str, Path], sql: str) -> None:
    database = open_files(files)
    with pytest.raises(EngineError):
        rows(database, sql)
    database.close()


def test_a_database_file_is_read_only_and_reached_by_full_names(tmp_path: Path) -> None:
    database = duckdb_books(tmp_path / "books.duckdb")
    with pytest.raises(EngineError):
        rows(database, 'DELETE FROM data.main."Line"')
    with pytest.raises(EngineError) as caught:
        rows(database, 'SELECT * FROM "Line"')
    assert caught.value.problem is Problem.FAILED
    assert rows(database, 'SELECT count(*) FROM data.main."Line"') == ((150,),)
    database.close()
