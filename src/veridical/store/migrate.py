"""Database migrations: upgrades to this release's tables, and checks whether they are current."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, column, inspect, select, table, text
from sqlalchemy.exc import DBAPIError, OperationalError

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.store.connection import engine_for, no_answer
from veridical.store.protection import unprotected
from veridical.store.search_tables import (
    METADATA,  # with all tables
    VECTOR_TABLE,
    prepare_vectors,
)
from veridical.trace.postgres import SCHEMA

TRACE_TABLES = frozenset({"runs", "events"})
"""Made by the traces' own store as well, which needs no other table."""
_VERSIONS = "alembic_version"
_MIGRATING = 0x7665726964
"""The key of the lock under which migrations run, so that of two starting processes one waits. It
is also the one under which the traces make their tables."""


class MigrationProblem(StrEnum):
    """Why a database can't be migrated, by message key."""

    FAILED = "tenancy.migration_failed"
    NOT_CHECKED = "tenancy.migration_unchecked"
    NO_MIGRATIONS = "tenancy.migration_none"
    NEWER = "tenancy.migration_newer"


class MigrationError(Exception):
    """The database can't be migrated to this release; the text says why."""

    def __init__(self, hindrance: MigrationProblem, **values: str) -> None:
        self.hindrance = hindrance
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The reason, for the operator."""
        return message(self.hindrance, language, **self._values)


def upgrade(url: str) -> str:
    """Run the missing migrations in one transaction; the new revision.

    To be run by the owner of the database. Raises ``MigrationError`` and ``UnreachableError``.
    """
    try:
        return _upgrade(url)
    except DBAPIError as error:
        raise failed(error) from error


def failed(error: DBAPIError) -> MigrationError:
    """The error of a migration that the database refused."""
    return MigrationError(MigrationProblem.FAILED, reason=_words(error))


def current(connection: Connection) -> str | None:
    """The revision of the database; none where nothing was ever migrated."""
    if not inspect(connection).has_table(_VERSIONS, SCHEMA):
        return None
    return connection.scalar(
        select(column("version_num")).select_from(table(_VERSIONS, schema=SCHEMA))
    )


def newest() -> str:
    """The revision that this release needs."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise MigrationError(MigrationProblem.NO_MIGRATIONS)
    return head


def fits(connection: Connection) -> bool:
    """Whether this release can work on the database: it is at the revision that this release
    needs, or at a later one, which keeps the release before it working."""
    reached = current(connection)
    return reached is not None and reached not in _earlier()


@cache
def _earlier() -> frozenset[str]:
    revisions = ScriptDirectory.from_config(_config()).walk_revisions()
    return frozenset(each.revision for each in revisions) - {newest()}


def check(url: str) -> tuple[str, ...]:
    """The differences from what this release expects; none when they agree.

    To be run by the owner of the database. Raises ``MigrationError`` and ``UnreachableError``.
    """
    try:
        with _connected(url) as connection:
            return tuple(_differences(connection))
    except DBAPIError as error:
        raise MigrationError(MigrationProblem.NOT_CHECKED, reason=_words(error)) from error


def _differences(connection: Connection) -> Iterator[str]:
    reached, needed = current(connection), newest()
    if reached != needed:
        yield f"the database is at revision {reached or 'none'}, this release needs {needed}"
        return
    context = MigrationContext.configure(
        connection,
        opts={"include_schemas": True, "include_name": _is_ours, "compare_server_default": True},
    )
    for difference in compare_metadata(context, METADATA):
        yield _as_line(difference)
    yield from unprotected(connection)


def _is_ours(name: str | None, kind: str, parents: Any) -> bool:
    if kind == "schema":
        return name == SCHEMA
    if kind == "table":
        return name not in TRACE_TABLES | {_VERSIONS, VECTOR_TABLE}
    return True


def _as_line(difference: Any) -> str:
    """One difference in a line; alembic groups those of a column in a list."""
    parts = difference[0] if isinstance(difference, list) else difference
    return " ".join(str(part) for part in parts if part is not None)


def _upgrade(url: str) -> str:
    with _connected(url) as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATING})
        if not inspect(connection).has_schema(SCHEMA):
            connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
        config = _config()
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as error:
            raise MigrationError(MigrationProblem.NEWER, reason=str(error)) from error
        prepare_vectors(connection)
        connection.commit()
        return newest()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "veridical.store:migrations")
    return config


@contextmanager
def _connected(url: str) -> Generator[Connection]:
    engine = engine_for(url, connections=1)
    try:
        try:
            connection = engine.connect()
        except OperationalError as error:
            raise no_answer(error) from error
        with connection:
            yield connection
    finally:
        engine.dispose()


def _words(error: DBAPIError) -> str:
    """The database's own first line: an owner may read it, and it names what is missing."""
    return str(error.orig).partition("\n")[0]
