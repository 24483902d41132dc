"""An engine as the registry knows it: its addresses, and its own protection."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from veridical.contracts.extras import require
from veridical.engines.address import split_schemas
from veridical.engines.database import Database, HasSchemas
from veridical.engines.gap import Finding
from veridical.ontology.errors import SourceError, SourceProblem

Connect = Callable[[str, str | None, int], Database]
"""From an address, a role and a number of connections to a database. Raises ``EngineError`` for
errors of the database, ``SourceError`` for an address that leads nowhere."""
TenantColumns = Mapping[str, Sequence[str]]
"""The tenant columns of each table; shared tables have none."""
FindGaps = Callable[[Any, TenantColumns], list[Finding]]
"""The gaps in the row policies of an opened database. Raises ``EngineError``."""


class Label(StrEnum):
    """The databases of the engine's tests."""

    REAL_SERVER = "real server"
    IN_PROCESS = "real engine, in process"
    EMULATOR = "emulator"
    CONTRACT_ONLY = "contract only"


class Lock(StrEnum):
    """The engine's own separation of tenants, besides the rewriting and the reading back."""

    ROW_POLICIES = "row_policies"
    """Row policies of a reader role, installed by the owner."""
    VIEWS = "views"
    """Views with the tenant's rows, which the engine's authorizer enforces."""
    FILTERS = "filters"
    """Filters of the connection, on every table that has tenants."""
    PARSER = "parser"
    """The engine's own parser finds exactly the tables that were written."""
    NONE = "none"


class Orphan(StrEnum):
    """What becomes of a statement whose worker died."""

    BY_NAME = "by_name"
    """The next worker finds it by its name, and ends it before it starts it again."""
    BY_SERVER = "by_server"
    """The server ends it when the connection breaks."""
    IN_PROCESS = "in_process"
    """It dies with the worker."""
    RUNS_ON = "runs_on"
    """It runs on to its time limit, beside the one that the next worker starts."""


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One engine. Made without its driver, which is imported when a database is opened."""

    name: str
    title: str
    """Its product name."""
    dialect: str
    """The dialect of its queries."""
    connect: Connect
    label: Label
    addresses: tuple[str, ...]
    """Examples of its addresses, for messages and documents."""
    schemes: tuple[str, ...] = ()
    recognises: Callable[[Path], bool] | None = None
    """True if a file or folder is one of its databases; None for an engine on a server."""
    has_roles: bool = False
    """True if statements run under the role of the settings."""
    find_gaps: FindGaps | None = None
    """None without row policies: tenants are then kept apart by rewriting alone."""
    lock: Lock = Lock.NONE
    limits: str = ""
    """The limits on a statement's time and size, for documents."""
    extra: str = ""
    """The extra of this package with its driver."""
    orphan: Orphan = Orphan.RUNS_ON

    @property
    def has_row_policies(self) -> bool:
        """True if the database itself keeps tenants apart, besides the rewriting."""
        return self.find_gaps is not None

    def open(
        self,
        address: str,
        role: str | None = None,
        connections: int = 1,
        schemas: Sequence[str] = (),
    ) -> Database:
        """The database behind an address, with the tables of these schemas; else those in the
        address, ``…?schemas=sales,crm``, else the usual one.

        Raises ``EngineError``, ``SourceError``, and ``MissingExtraError`` if its driver is not
        installed.
        """
        if self.extra:
            require(self.extra)
        plain, named = split_schemas(address)
        database = self.connect(plain, role, connections)
        chosen = tuple(dict.fromkeys(schemas or named))
        if chosen and not isinstance(database, HasSchemas):
            database.close()
            raise SourceError(SourceProblem.NO_SCHEMAS, engine=self.title)
        if chosen and isinstance(database, HasSchemas):
            database.schemas = chosen
        return database

    def unreadable(self, address: str) -> SourceError:
        """The error if nothing can be read there, without a server's address and password."""
        if self.recognises is None:
            return SourceError(SourceProblem.NO_ANSWER, scheme=self.name)
        return SourceError(SourceProblem.BROKEN, source=address, kind=self.title)


def lazy_connect(reference: str) -> Connect:
    """The function behind ``module:name``, imported when it is called."""

    def connect(address: str, role: str | None, connections: int) -> Database:
        return resolve_name(reference)(address, role, connections)

    return connect


def lazy_gaps(reference: str) -> FindGaps:
    """The function behind ``module:name``, imported when it is called."""

    def find_gaps(database: Any, tables: TenantColumns) -> list[Finding]:
        return resolve_name(reference)(database, tables)

    return find_gaps
