"""The protocol of a database for the engine. PostgreSQL and DuckDB are the two that ship."""

from typing import Protocol, runtime_checkable

from veridical.contracts.caller import Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.limits import Fetched, Limits


class Database(Protocol):
    """A place where statements run, read-only and within limits."""

    @property
    def dialect(self) -> str:
        """The name of its SQL dialect."""
        ...

    @property
    def namespace(self) -> tuple[str, ...]:
        """The namespace of its tables: a schema, or a catalog and a schema."""
        ...

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """The rows of a statement, at most this many. Raises ``EngineError`` and nothing else."""
        ...

    def reflect(self) -> Schema:
        """The tables and columns that the reader can see."""
        ...

    def close(self) -> None:
        """Closes every connection."""
        ...


@runtime_checkable
class EndsStatements(Protocol):
    """A database on a server, which goes on with a statement whose worker has died."""

    def end_statements(self, name: str) -> None:
        """Ends what runs under this name, with the connection's own rights, and returns when
        nothing does any more. Raises ``EngineError``."""
        ...


@runtime_checkable
class HasSchemas(Protocol):
    """A database whose tables are in several schemas, or databases of a server, to choose from."""

    schemas: tuple[str, ...]
    """Those that are read, the first choice first."""

    def seen_schemas(self) -> dict[str, int]:
        """Those with visible tables, with their number."""
        ...


@runtime_checkable
class HasVersion(Protocol):
    """A database that can name the state of its data."""

    def data_version(self) -> str | None:
        """The same text while every statement returns the same rows; none where that is open."""
        ...
