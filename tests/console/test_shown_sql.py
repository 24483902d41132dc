"""A query as it is shown: formatted, with its values, ready to be copied."""

from typing import Any

import pytest

from veridical.console.shown_sql import shown_sql
from veridical.contracts.result import Receipt


def _shown(sql: str, dialect: str, *values: Any) -> str:
    receipt = Receipt(
        call_id="c", query_hash="", ontology_hash="", sql=sql, parameters=values, row_count=0,
        truncated=False, elapsed_ms=1,
    )  # fmt: skip
    return shown_sql(receipt, dialect)


@pytest.mark.parametrize("dialect", ["postgres", "duckdb"])
def test_values_stand_in_the_query_and_clauses_on_lines(dialect: str) -> None:
    sql = 'SELECT "n" FROM "t" WHERE "a" = $1 AND "b" = $2 AND "c" = $1 AND "d" = \'$2\''
    shown = _shown(sql, dialect, "O'Neil", 7)
    assert "\"a\" = 'O''Neil' AND \"b\" = 7 AND \"c\" = 'O''Neil' AND \"d\" = '$2'" in (
        " ".join(shown.split())
    )
    assert shown.count("\n") >= 4


@pytest.mark.parametrize(
    ("sql", "dialect", "values"),
    [
        ("SELECT $1", "", (1,)),
        ("SELECT $1", "postgres", ()),
        ("SELECT ((", "postgres", ()),
        ("SELECT 1", "a dialect that nobody has", ()),
        ("", "postgres", ()),
    ],
)
def test_what_can_not_be_read_is_shown_as_recorded(
    sql: str, dialect: str, values: tuple[Any, ...]
) -> None:
    assert _shown(sql, dialect, *values) == sql
