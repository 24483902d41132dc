from pathlib import Path

import duckdb
import psycopg
import pytest

from veridical.packs.trustee.books import Books
from veridical.packs.trustee.load import load_postgres, write_csv, write_parquet
from veridical.packs.trustee.models import MODELS

pytestmark = pytest.mark.slow

WRONG_CLOSINGS = """
    SELECT count(*) FROM "TrusteeDataAccountBalance" b
    LEFT JOIN (
        SELECT l."featureInstanceId", l."accountNumber", e."periodYear",
            sum(l."debitAmount" - l."creditAmount") AS total
        FROM "TrusteeDataJournalLine" l
        JOIN "TrusteeDataJournalEntry" e ON e."id" = l."journalEntryId"
        GROUP BY 1, 2, 3
    ) j USING ("featureInstanceId", "accountNumber", "periodYear")
    WHERE b."periodMonth" = 0 AND b."closingBalance" <> coalesce(j.total, 0)
"""


@pytest.mark.postgres
def test_postgres_holds_the_books_with_their_keys(books: Books, postgres_url: str) -> None:
    told: list[tuple[str, int]] = []
    rows = load_postgres(books, postgres_url, progress=lambda what, done: told.append((what, done)))
    assert rows == sum(len(each) for each in books.rows.values())
    assert told[-1][1] == rows
    with psycopg.connect(postgres_url) as connection:
        wrong = connection.execute(WRONG_CLOSINGS).fetchone()
        keys = connection.execute(
            "SELECT contype, count(*) FROM pg_constraint WHERE contype IN ('p', 'f')"
            " AND connamespace = 'public'::regnamespace GROUP BY 1"
        ).fetchall()
        nothing = connection.execute(
            'SELECT count(*) FROM "TrusteeDataJournalLine" WHERE "vatCode" IS NULL'
        ).fetchone()
    assert wrong == (0,)
    assert dict(keys) == {
        "p": len(MODELS),
        "f": sum(len(model.references) for model in MODELS),
    }
    assert nothing is not None
    assert nothing[0] > 0


@pytest.mark.postgres
def test_loading_again_replaces_the_books(books: Books, postgres_url: str) -> None:
    load_postgres(books, postgres_url)
    rows = load_postgres("small", postgres_url, seed=3)
    with psycopg.connect(postgres_url) as connection:
        counts = [
            connection.execute(f'SELECT count(*) FROM "{model.__name__}"'.encode()).fetchone()
            for model in MODELS
        ]
    assert sum(count[0] for count in counts if count) == rows


def test_csv_and_parquet_hold_every_row(books: Books, tmp_path: Path) -> None:
    rows = write_csv(books, tmp_path)
    assert write_parquet(books, tmp_path) == rows
    with duckdb.connect() as connection:
        for model in MODELS:
            file = tmp_path / f"{model.__name__}.parquet"
            found = connection.execute(f"SELECT count(*) FROM '{file}'").fetchone()
            assert found == (len(books.rows[model]),)
            text = (tmp_path / f"{model.__name__}.csv").read_text("utf-8")
            assert text.count("\n") == len(books.rows[model]) + 1
