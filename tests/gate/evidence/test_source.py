"""Recorded calls as exhibits: what the ontology says of each column, on the Trustee's tables."""

from decimal import Decimal
from typing import Any

from tests.sample import PACK
from veridical.contracts.answer import Source
from veridical.contracts.result import Emptiness, Receipt, TimeRange
from veridical.evidence.column import Additivity
from veridical.gate.evidence.source import exhibit_of, meaning_of
from veridical.ontology.compile import compile_catalog
from veridical.packs.trustee.schema import physical_schema

MEANING = meaning_of(PACK.ontology, compile_catalog(physical_schema(), PACK.ontology))


def source(
    tool: str, arguments: dict[str, Any], columns: tuple[str, ...], *rows: Any, **receipt: Any
) -> Source:
    kept: dict[str, Any] = {"row_count": len(rows), "truncated": False, **receipt}
    return Source(
        tool=tool,
        arguments=arguments,
        columns=columns,
        rows=rows,
        receipt=Receipt(
            call_id="c", query_hash="q", ontology_hash="o", sql="", elapsed_ms=1.0, **kept
        ),
    )


def test_a_balance_does_not_add_up_over_periods_and_has_the_currency_asked_for() -> None:
    call = {
        "tableName": "TrusteeDataAccountBalance",
        "aggregate": "sum",
        "field": "closingBalance",
        "groupBy": ["periodMonth"],
        "filters": [
            {"field": "periodYear", "op": "=", "value": 2025},
            {"field": "currency", "op": "=", "value": "CHF"},
            {"field": "accountNumber", "op": "in", "value": ["1020", "1021"]},
        ],
    }
    shown = exhibit_of(
        source("aggregateTable", call, ("periodMonth", "sum_closingBalance"), (1, 5.0)), MEANING
    )
    measure = shown.measures["sum_closingBalance"]
    assert measure.additivity is Additivity.NOT_OVER_TIME
    over_months = {**call, "groupBy": ["accountNumber"]}
    columns = ("accountNumber", "sum_closingBalance")
    summed = exhibit_of(source("aggregateTable", over_months, columns, ("1020", 5.0)), MEANING)
    assert summed.measures["sum_closingBalance"].additivity is Additivity.NEVER
    assert measure.unit == "CHF"
    assert shown.held == {"periodYear": 2025, "currency": "CHF"}


def test_means_and_extremes_never_add_up_and_counts_do() -> None:
    sql = (
        'SELECT "accountNumber", avg("debitAmount") AS mean, count(*) AS lines,'
        ' count(DISTINCT "costCenter") AS centers, sum("debitAmount") AS total'
        ' FROM "TrusteeDataJournalLine" WHERE "currency" = \'CHF\' GROUP BY 1'
    )
    columns = ("accountNumber", "mean", "lines", "centers", "total")
    shown = exhibit_of(
        source("executeSqlSafe", {"sql": sql}, columns, ("6000", 1, 2, 3, 4)), MEANING
    )
    found = {name: measure.additivity for name, measure in shown.measures.items()}
    assert found["mean"] is Additivity.NEVER
    assert found["centers"] is Additivity.NEVER
    assert found["lines"] is Additivity.FULL
    assert found["total"] is Additivity.FULL
    assert shown.held == {"currency": "CHF"}


def test_days_are_shown_as_days() -> None:
    call = {"tableName": "TrusteeDataJournalEntry"}
    period = TimeRange(field="TrusteeDataJournalEntry.bookingDate", start="1735689600", end=None)
    shown = exhibit_of(
        source("queryTable", call, ("bookingDate",), (1767139200,), (None,), time_range=(period,)),
        MEANING,
    )
    assert shown.rows == (("2025-12-31",), (None,))
    assert shown.time_range[0].start == "2025-01-01"


def test_a_count_of_days_is_no_day() -> None:
    call = {"tableName": "TrusteeDataJournalEntry", "aggregate": "count", "field": "bookingDate"}
    shown = exhibit_of(source("aggregateTable", call, ("count_bookingDate",), (42,)), MEANING)
    assert shown.rows == ((42,),)
    assert shown.measures["count_bookingDate"].unit == ""


def test_a_cut_result_does_not_say_how_many_there_are() -> None:
    call = {"tableName": "TrusteeDataJournalEntry"}
    shown = exhibit_of(
        source("queryTable", call, ("id",), ("a",), truncated=True, emptiness=Emptiness.TRUNCATED),
        MEANING,
    )
    assert shown.truncated
    assert shown.row_count is None
    assert shown.emptiness is Emptiness.TRUNCATED


def test_the_calculators_receipt_is_computed_anew() -> None:
    call = {"expression": "12.5 + 7.5"}
    shown = exhibit_of(source("calculate", call, ("result",), ("99",)), MEANING)
    assert shown.calculation is not None
    assert shown.calculation.value == 20.0


def test_a_statement_that_no_parser_reads_tells_nothing() -> None:
    shown = exhibit_of(source("executeSqlSafe", {"sql": "SELEC 1 FROM ("}, ("a",), (1,)), MEANING)
    assert shown.rows == ()
    assert not shown.measures
    assert not shown.held


def test_a_figure_that_the_statement_wrote_is_none_that_was_read() -> None:
    sql = (
        'SELECT sum("debitAmount") AS total, 5000000 AS wanted, 2025 AS year,'
        ' COALESCE(max("creditAmount"), 777777) AS most FROM "TrusteeDataJournalLine"'
    )
    columns = ("total", "wanted", "year", "most")
    rows = (1234.5, 5_000_000, 2025, Decimal(777_777))
    shown = exhibit_of(source("runSql", {"sql": sql}, columns, rows), MEANING)
    assert shown.rows == ((1234.5, None, None, None),)
