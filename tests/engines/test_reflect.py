from collections.abc import Iterator

import psycopg
import pytest

from tests.engines.conftest import READER, Books, postgres_books
from veridical.contracts.schema import ForeignKey, ValueType
from veridical.engines import Postgres
from veridical.sample.postgres import LocalPostgres


def test_columns_types_and_keys(books: Books) -> None:
    schema = books.engine.database.reflect()
    assert set(schema.tables) == {"Account", "Currency", "Line", "Orphan"}
    line, account = schema.tables["Line"], schema.tables["Account"]
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
    assert [column.nullable for column in line.columns[:3]] == [False, False, True]
    assert account.keys == (("id",), ("mandateId", "number"))
    assert line.foreign_keys == (ForeignKey(("accountId",), "Account", ("id",)),)


@pytest.fixture
def narrowed(postgres_server: LocalPostgres) -> Iterator[Postgres]:
    url = postgres_server.create_database("narrowed")
    database = postgres_books(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'REVOKE ALL ON "Account", "Line" FROM {READER}')
        connection.execute(f'GRANT SELECT ("id", "accountId", "note") ON "Line" TO {READER}')
        connection.execute('CREATE VIEW "Notes" AS SELECT "note" FROM "Line"')
        connection.execute(f'GRANT SELECT ON "Notes" TO {READER}')
    yield database
    database.close()


def test_only_what_the_reader_can_see(narrowed: Postgres) -> None:
    schema = narrowed.reflect()
    assert set(schema.tables) == {"Currency", "Line", "Notes", "Orphan"}
    line = schema.tables["Line"]
    assert [column.name for column in line.columns] == ["id", "accountId", "note"]
    assert line.keys == (("id",),)
    assert line.foreign_keys == ()
