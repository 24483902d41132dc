"""A pack's sample data in a local PostgreSQL, protected as a real one would be."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import psycopg

from veridical.engines import Postgres, install_row_level_security
from veridical.engines.reader import reader_findings
from veridical.ontology.pack import Pack

if TYPE_CHECKING:
    from veridical.sample.postgres import LocalPostgres

READER = "veridical_reader"
_LOADING = 0x766572736D70
"""The key of the lock under which data is loaded."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Sample data that is ready for questions."""

    url: str
    rows: int
    """Number of rows loaded now; 0 when they were there already."""

    def database(self) -> Postgres:
        """The database as the reader sees it."""
        return Postgres(self.url, role=READER)


def load_sample(pack: Pack, server: "LocalPostgres", name: str = "") -> Sample:
    """The pack's small sample data, loaded unless this database holds it already.

    Without a name, the database is called after the pack.
    """
    name = name or f"sample_{pack.name}"
    # A server and a worker may begin at the same moment: one of them waits for the other.
    with psycopg.connect(server.url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOADING,))
        if server.has_database(name):
            _protect(pack, server.url_of(name))  # it may have been loaded by an earlier release
            return Sample(server.url_of(name), 0)
        return _load(pack, server, name)


def _load(pack: Pack, server: "LocalPostgres", name: str) -> Sample:
    unfinished = f"{name}_loading"
    url = server.create_database(unfinished)
    module, _, function = pack.sample_data.partition(":")
    rows = getattr(import_module(module), function)("small", url)
    _protect(pack, url)
    return Sample(server.rename_database(unfinished, name), rows)


def _protect(pack: Pack, url: str) -> None:
    tables = {**pack.tenant_columns, **dict.fromkeys(pack.shared_tables, ())}
    with psycopg.connect(url) as connection:
        if reader_findings(connection, READER, tables):
            install_row_level_security(connection, tables, READER)
