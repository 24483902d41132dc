import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from openpyxl import Workbook

from veridical.check.checker import Checker
from veridical.contracts.caller import Caller, Permissions, Scope
from veridical.ontology.compile import compile_catalog
from veridical.tools.file_shelf import FileShelf
from veridical.tools.toolbox import Toolbox

pytestmark = pytest.mark.slow

SALES = "region,amount,day\nZH,10.5,2024-01-01\nBE,20,2024-02-01\nZH,5,2024-03-01\n"


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[FileShelf]:
    (tmp_path / "sales 2024.csv").write_text(SALES, "utf-8")
    book = Workbook()
    first = book.active
    assert first is not None
    first.title = "Staff"
    for row in (("name", "pay"), ("Ada", 5000), ("Bo", 6000)):
        first.append(row)
    book.create_sheet("Rooms").append(("room",))
    book.save(tmp_path / "office.xlsx")
    with duckdb.connect() as connection:
        target = tmp_path / "n.parquet"
        connection.execute(f"COPY (SELECT range AS n FROM range(1000)) TO '{target}'")
    (tmp_path / "broken.parquet").write_bytes(b"not parquet")
    names = ("sales 2024.csv", "office.xlsx", "n.parquet", "broken.parquet", "gone.csv")
    shelf = FileShelf({name: tmp_path / name for name in names})
    yield shelf
    shelf.close()


@pytest.fixture
def toolbox(shelf: FileShelf) -> Toolbox:
    return Toolbox(Checker(compile_catalog(None)), files=shelf)


def data(toolbox: Toolbox, name: str, **arguments: Any) -> Any:
    result = toolbox.call(name, arguments)
    assert result.success, result.error
    assert (result.receipt is None) == (name == "inspectFile")
    return result.data


def details(toolbox: Toolbox, name: str, **arguments: Any) -> dict[str, Any]:
    result = toolbox.call(name, arguments)
    assert result.error_details is not None
    return result.error_details


def test_a_file_is_shown_with_columns_counts_and_rows(toolbox: Toolbox) -> None:
    shown = data(toolbox, "inspectFile", fileName="sales 2024.csv")
    assert shown["tables"] == [
        {
            "tableName": "sales_2024",
            "rowCount": 3,
            "columns": [
                {"name": "region", "type": "text"},
                {"name": "amount", "type": "number"},
                {"name": "day", "type": "date"},
            ],
            "rows": [["ZH", 10.5, "2024-01-01"], ["BE", 20, "2024-02-01"], ["ZH", 5, "2024-03-01"]],
        }
    ]


def test_a_large_file_is_counted_but_not_poured_out(toolbox: Toolbox) -> None:
    [table] = data(toolbox, "inspectFile", fileName="n.parquet")["tables"]
    assert table["rowCount"] == 1000
    assert len(table["rows"]) == 5


def test_each_sheet_is_a_table(toolbox: Toolbox) -> None:
    tables = data(toolbox, "inspectFile", fileName="office.xlsx")["tables"]
    assert [(each["tableName"], each["rowCount"]) for each in tables] == [
        ("office_Rooms", 0),
        ("office_Staff", 2),
    ]
    [one] = data(toolbox, "inspectFile", fileName="office.xlsx", tableName="office_Staff")["tables"]
    assert one["rows"] == [["Ada", 5000], ["Bo", 6000]]


def test_a_file_is_analysed_by_aggregate_or_by_sql(toolbox: Toolbox) -> None:
    by_region = data(
        toolbox,
        "analyzeDataframe",
        fileName="sales 2024.csv",
        aggregate="sum",
        field="amount",
        groupBy=["region"],
        filters=[{"field": "day", "op": ">=", "value": "2024-02-01"}],
    )
    assert sorted(by_region["rows"]) == [["BE", 20], ["ZH", 5]]
    sql = "SELECT region, max(amount) AS most FROM sales_2024 GROUP BY region ORDER BY region"
    found = data(toolbox, "analyzeDataframe", fileName="sales 2024.csv", sql=sql)
    assert found["rows"] == [["BE", 20], ["ZH", 10.5]]


def test_the_check_knows_the_files_own_columns(toolbox: Toolbox) -> None:
    found = details(
        toolbox, "analyzeDataframe", fileName="sales 2024.csv", aggregate="sum", field="ammount"
    )
    assert found["code"] == "FIELD_NOT_FOUND"
    assert found["suggestion"] == "amount"
    corrected = found["correctedCall"]
    assert corrected["tool"] == "analyzeDataframe"
    assert corrected["fileName"] == "sales 2024.csv"
    again = {key: value for key, value in corrected.items() if key != "tool"}
    assert toolbox.call("analyzeDataframe", again).success


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM office_Staff",
        "COPY sales_2024 TO '/tmp/out.csv'",
        "DROP TABLE sales_2024",
    ],
)
def test_a_file_gives_no_way_to_another(toolbox: Toolbox, sql: str) -> None:
    assert details(toolbox, "analyzeDataframe", fileName="sales 2024.csv", sql=sql)["code"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"fileName": "sales_2024.csv"}, "fileName"),
        ({"fileName": "/etc/passwd"}, "fileName"),
        ({"fileName": "gone.csv"}, "fileName"),
        ({"fileName": "broken.parquet"}, "fileName"),
        ({"fileName": "sales 2024.csv"}, "aggregate"),
        ({"fileName": "sales 2024.csv", "sql": "SELECT 1", "aggregate": "sum"}, "aggregate"),
        ({"fileName": "office.xlsx", "aggregate": "count"}, "tableName"),
        ({}, "fileName"),
    ],
)
def test_what_makes_no_sense_is_told(
    toolbox: Toolbox, arguments: dict[str, Any], field: str
) -> None:
    found = details(toolbox, "analyzeDataframe", **arguments)
    assert found["code"] == "SYNTAX_ERROR"
    assert found["field"] == field
    assert len(found["hint"]) <= 80


def test_a_changed_file_is_read_again(toolbox: Toolbox, shelf: FileShelf) -> None:
    count = {"fileName": "sales 2024.csv", "aggregate": "count"}
    assert data(toolbox, "analyzeDataframe", **count)["rows"] == [[3]]
    path = shelf.files["sales 2024.csv"]
    path.write_text(SALES + "GE,1,2024-04-01\n", "utf-8")
    os.utime(path, (1, 1))
    assert data(toolbox, "analyzeDataframe", **count)["rows"] == [[4]]


def test_a_callers_tenants_and_permissions_are_about_tables_not_files(toolbox: Toolbox) -> None:
    caller = Caller(
        scope=Scope({"mandateId": ("m1",)}), permissions=Permissions(allow=("Account*",))
    )
    count = {"fileName": "sales 2024.csv", "aggregate": "count"}
    assert data(replace(toolbox, caller=caller), "analyzeDataframe", **count)["rows"] == [[3]]
