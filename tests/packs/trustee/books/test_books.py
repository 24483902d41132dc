"""The books against SQL that recomputes everything from the journal, written by another hand."""

from collections import Counter
from itertools import islice

import duckdb
import pytest

from veridical.packs.trustee import models
from veridical.packs.trustee.books import Books, build_books, stream_books

pytestmark = pytest.mark.slow

UNBALANCED = """
    SELECT "journalEntryId", "currency" FROM "TrusteeDataJournalLine"
    GROUP BY ALL HAVING sum("debitAmount") <> sum("creditAmount")
"""
RECOMPUTED = """
    WITH posted AS (
        SELECT l."featureInstanceId" AS tenant, l."accountNumber" AS account,
            e."periodYear" AS y, e."periodMonth" AS m, e."source" = 'opening' AS opens,
            l."debitAmount" AS debit, l."creditAmount" AS credit
        FROM "TrusteeDataJournalLine" l
        JOIN "TrusteeDataJournalEntry" e ON e."id" = l."journalEntryId"
    )
    SELECT count(*) FROM "TrusteeDataAccountBalance" b
    WHERE "debitTotal" <> coalesce((SELECT sum(debit) FROM posted
            WHERE tenant = b."featureInstanceId" AND account = b."accountNumber"
            AND y = b."periodYear" AND NOT opens
            AND b."periodMonth" IN (0, m)), 0)
        OR "creditTotal" <> coalesce((SELECT sum(credit) FROM posted
            WHERE tenant = b."featureInstanceId" AND account = b."accountNumber"
            AND y = b."periodYear" AND NOT opens
            AND b."periodMonth" IN (0, m)), 0)
        OR "openingBalance" <> coalesce((SELECT sum(debit - credit) FROM posted
            WHERE tenant = b."featureInstanceId" AND account = b."accountNumber"
            AND y = b."periodYear" AND (opens OR m < b."periodMonth")), 0)
        OR "closingBalance" <> "openingBalance" + "debitTotal" - "creditTotal"
"""
ANNUAL_DIFFERS = """
    SELECT count(*) FROM "TrusteeDataAccountBalance" y
    JOIN "TrusteeDataAccountBalance" a USING ("featureInstanceId", "accountNumber", "periodYear")
    JOIN "TrusteeDataAccountBalance" z USING ("featureInstanceId", "accountNumber", "periodYear")
    WHERE y."periodMonth" = 0 AND a."periodMonth" = 1 AND z."periodMonth" = 12
    AND (y."openingBalance" <> a."openingBalance" OR y."closingBalance" <> z."closingBalance")
"""
NOT_CARRIED = """
    SELECT count(*) FROM "TrusteeDataAccountBalance" b
    LEFT JOIN "TrusteeDataAccountBalance" p ON p."featureInstanceId" = b."featureInstanceId"
        AND p."accountNumber" = b."accountNumber" AND p."periodMonth" = 0
        AND p."periodYear" = b."periodYear" - 1
    WHERE b."periodMonth" = 0 AND b."periodYear" > 2019 AND b."openingBalance" <>
        CASE WHEN b."accountNumber" < '3' THEN p."closingBalance" ELSE 0 END
"""
RESULT_NOT_IN_EQUITY = """
    SELECT "featureInstanceId", "periodYear" FROM "TrusteeDataAccountBalance"
    WHERE "periodMonth" = 0 AND "accountNumber" BETWEEN '3000' AND '9000'
    GROUP BY ALL HAVING sum("closingBalance") <> 0
"""
OPEN_ITEMS_OFF_THE_LEDGER = """
    SELECT b."featureInstanceId", b."accountNumber" FROM "TrusteeDataAccountBalance" b
    WHERE b."periodYear" = 2025 AND b."periodMonth" = 0
    AND b."accountNumber" IN ('1100', '1101', '1102', '2000', '2001')
    AND abs(b."closingBalance") <> coalesce((SELECT sum("openAmount") FROM "TrusteeDataOpenItem" i
        WHERE i."featureInstanceId" = b."featureInstanceId"
        AND i."accountNumber" = b."accountNumber"), 0)
"""


def _one(duck: duckdb.DuckDBPyConnection, query: str) -> object:
    row = duck.execute(query).fetchone()
    assert row
    return row[0]


@pytest.mark.parametrize("query", [UNBALANCED, RESULT_NOT_IN_EQUITY, OPEN_ITEMS_OFF_THE_LEDGER])
def test_nothing_is_out_of_balance(duck: duckdb.DuckDBPyConnection, query: str) -> None:
    assert duck.execute(query).fetchall() == []


@pytest.mark.parametrize("query", [RECOMPUTED, ANNUAL_DIFFERS, NOT_CARRIED])
def test_every_balance_row_is_what_the_journal_says(
    duck: duckdb.DuckDBPyConnection, query: str
) -> None:
    assert _one(duck, query) == 0


def test_each_account_has_thirteen_rows_for_seven_years(duck: duckdb.DuckDBPyConnection) -> None:
    accounts = _one(duck, 'SELECT count(*) FROM "TrusteeDataAccount"')
    assert isinstance(accounts, int)
    assert _one(duck, 'SELECT count(*) FROM "TrusteeDataAccountBalance"') == accounts * 7 * 13


def test_tax_is_booked_at_the_rate_of_its_year(duck: duckdb.DuckDBPyConnection) -> None:
    query = """
        SELECT count(*) FROM "TrusteeDataJournalLine" t
        JOIN "TrusteeDataJournalLine" n USING ("journalEntryId", "vatCode")
        JOIN "TrusteeDataVatCode" v USING ("vatCode")
        JOIN "TrusteeDataJournalEntry" e ON e."id" = t."journalEntryId"
        WHERE t."accountNumber" IN ('2200', '1170', '1171') AND n."id" <> t."id"
        AND (abs((n."debitAmount" + n."creditAmount") * v."ratePercent"
                 - (t."debitAmount" + t."creditAmount") * 100) > 0.5
             OR e."bookingDate" < v."validFrom" OR e."bookingDate" > coalesce(v."validTo", 1e12))
    """
    assert _one(duck, query) == 0
    used = {row[0] for row in duck.execute(
        'SELECT DISTINCT "vatCode" FROM "TrusteeDataJournalLine" WHERE "vatCode" IS NOT NULL'
    ).fetchall()}  # fmt: skip
    assert {"U77", "U81", "U25", "U26", "U37", "U38", "V77", "V81", "U00"} <= used


def test_foreign_money_moves_through_the_books(duck: duckdb.DuckDBPyConnection) -> None:
    turnovers = duck.execute("""
        SELECT "currency", sum("debitTotal") FROM "TrusteeDataAccountBalance"
        WHERE "periodMonth" = 0 AND "accountNumber" LIKE '102%' GROUP BY 1 ORDER BY 1
    """).fetchall()
    assert [currency for currency, _ in turnovers] == ["CHF", "EUR", "USD"]
    assert all(total > 0 for _, total in turnovers)


def test_a_forgotten_tenant_would_show(duck: duckdb.DuckDBPyConnection) -> None:
    tenants = 'SELECT count(DISTINCT "featureInstanceId") FROM "TrusteeDataCompany"'
    shared = """SELECT count(DISTINCT "featureInstanceId") FROM "TrusteeDataContact"
        WHERE "name" = 'Brunner Getränke AG'"""
    bank = """SELECT count(DISTINCT "closingBalance") FROM "TrusteeDataAccountBalance"
        WHERE "accountNumber" = '1020' AND "periodYear" = 2025 AND "periodMonth" = 0"""
    assert _one(duck, tenants) == _one(duck, shared) == _one(duck, bank) == 4


def test_the_same_seed_makes_the_same_books(books: Books) -> None:
    again = build_books("small", seed=7)
    assert again.rows == books.rows
    other = build_books("small", seed=8)
    model = models.TrusteeDataJournalLine
    assert other.rows[model] != books.rows[model]


def test_a_stream_brings_the_same_rows_as_a_built_set(books: Books) -> None:
    streamed: Counter[str] = Counter()
    for batch in stream_books("small", seed=7):
        streamed[batch.model.__name__] += len(batch.rows)
    assert streamed == {model.__name__: len(rows) for model, rows in books.rows.items()}


def test_a_large_stream_starts_at_once_and_in_small_pieces() -> None:
    sizes = [len(batch.rows) for batch in islice(stream_books("large"), 60)]
    assert max(sizes) < 20_000
