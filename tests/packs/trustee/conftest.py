"""The small books, built once, and the same books in DuckDB for SQL that knows nothing of us."""

from collections.abc import Iterator

import duckdb
import pytest

from veridical.packs.trustee.books import Books, build_books
from veridical.packs.trustee.load import load_duckdb


@pytest.fixture(scope="session")
def books() -> Books:
    return build_books("small", seed=7)


@pytest.fixture(scope="session")
def duck(books: Books) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        load_duckdb(books, connection)
        yield connection
