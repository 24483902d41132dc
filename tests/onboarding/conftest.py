"""The shop on each engine, and what is mined of it, once."""

import csv
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from tests.onboarding.shop import DDL, inserts
from veridical.engines.sqlite import Sqlite
from veridical.onboarding.budget import Budget
from veridical.onboarding.look import Look, look_at


@pytest.fixture(scope="session")
def shop_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DDL)
        for statement in inserts():
            connection.execute(statement)
        connection.commit()
    return path


@pytest.fixture(scope="session")
def shop_duckdb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.duckdb"
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(DDL)
        for statement in inserts():
            connection.execute(statement)
    return path


@pytest.fixture(scope="session")
def shop_files(shop_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    with closing(sqlite3.connect(shop_sqlite)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_schema").fetchall():
            cursor = connection.execute(f'SELECT * FROM "{name}"')
            with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(column[0] for column in cursor.description)
                writer.writerows(cursor)
    return folder


@pytest.fixture(scope="session")
def looked(shop_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Look]:
    with closing(Sqlite(shop_sqlite)) as database:
        project = tmp_path_factory.mktemp("project")
        yield look_at(database, project, Budget(), lambda _done, _of: None)
