"""The engine registry: one entry per engine, and the search for the engine of an address.

Another package adds an engine through the entry-point group ``veridical.engines``, a program by
handing an ``EngineKind`` to the runtime.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path

from veridical.engines.address import ensure_readable, head_of, scheme_of
from veridical.engines.kind import EngineKind, Label, Lock, Orphan, lazy_connect, lazy_gaps
from veridical.ontology.errors import SourceError, SourceProblem

GROUP = "veridical.engines"
DATA_FILES = frozenset({".csv", ".tsv", ".parquet", ".xlsx"})


def has_magic(magic: bytes, start: int = 0) -> Callable[[Path], bool]:
    """Recognises files that have these bytes at this place."""

    def recognises(path: Path) -> bool:
        return path.is_file() and head_of(path)[start:].startswith(magic)

    return recognises


def is_data(path: Path) -> bool:
    """True for a file of rows, or a folder that may have some."""
    return path.is_dir() or path.suffix.lower() in DATA_FILES or has_magic(b"PAR1")(path)


SHIPPED: tuple[EngineKind, ...] = (
    EngineKind(
        name="postgres",
        title="PostgreSQL",
        dialect="postgres",
        connect=lazy_connect("veridical.engines.postgres:connect"),
        label=Label.REAL_SERVER,
        addresses=("postgresql://USER@HOST/DATABASE",),
        schemes=("postgresql", "postgres"),
        has_roles=True,
        find_gaps=lazy_gaps("veridical.engines.postgres:find_gaps"),
        lock=Lock.ROW_POLICIES,
        orphan=Orphan.BY_NAME,
        limits="statement and lock timeout, temporary files, row size, rows and bytes",
        extra="engine",
    ),
    EngineKind(
        name="duckdb",
        title="DuckDB",
        dialect="duckdb",
        connect=lazy_connect("veridical.engines.duckdb:connect"),
        label=Label.IN_PROCESS,
        addresses=("duckdb:///PATH",),
        schemes=("duckdb",),
        recognises=has_magic(b"DUCK", start=8),
        lock=Lock.PARSER,
        orphan=Orphan.IN_PROCESS,
        limits="interrupt after the statement's time, memory, temporary files, rows and bytes",
        extra="engine",
    ),
    EngineKind(
        name="sqlite",
        title="SQLite",
        dialect="sqlite",
        connect=lazy_connect("veridical.engines.sqlite:connect"),
        label=Label.IN_PROCESS,
        addresses=("sqlite:///PATH",),
        schemes=("sqlite",),
        recognises=has_magic(b"SQLite format 3\x00"),
        lock=Lock.VIEWS,
        orphan=Orphan.IN_PROCESS,
        limits="progress handler after the statement's time, value size, rows and bytes",
    ),
    EngineKind(
        name="mysql",
        title="MariaDB/MySQL",
        dialect="mysql",
        connect=lazy_connect("veridical.engines.mysql:connect"),
        label=Label.REAL_SERVER,
        addresses=("mysql://USER@HOST/DATABASE", "mariadb://USER@HOST/DATABASE"),
        schemes=("mysql", "mariadb"),
        orphan=Orphan.BY_NAME,
        limits="statement and lock timeout of the server, rows and bytes",
        extra="mysql",
    ),
    EngineKind(
        name="clickhouse",
        title="ClickHouse",
        dialect="clickhouse",
        connect=lazy_connect("veridical.engines.clickhouse:connect"),
        label=Label.IN_PROCESS,
        addresses=("clickhouse:///PATH?database=NAME",),
        schemes=("clickhouse", "chdb"),
        lock=Lock.FILTERS,
        orphan=Orphan.IN_PROCESS,
        limits="statement time, memory and threads of the engine, rows and bytes",
        extra="clickhouse",
    ),
    EngineKind(
        name="flight",
        title="Sail (Arrow Flight SQL)",
        dialect="spark",
        connect=lazy_connect("veridical.engines.flight:connect"),
        label=Label.REAL_SERVER,
        addresses=("flightsql://HOST:PORT/DATABASE", "flightsql+tls://HOST:PORT/DATABASE"),
        schemes=("flightsql",),
        lock=Lock.PARSER,
        orphan=Orphan.BY_SERVER,
        limits="statement cancelled when its time is up, batches to the limit, rows and bytes",
        extra="flight",
    ),
    EngineKind(
        name="snowflake",
        title="Snowflake",
        dialect="snowflake",
        connect=lazy_connect("veridical.engines.contract_only:connect"),
        label=Label.CONTRACT_ONLY,
        addresses=("snowflake://ACCOUNT/DATABASE",),
        schemes=("snowflake",),
        limits="those of the connection that runs the checked statement",
    ),
    EngineKind(
        name="bigquery",
        title="BigQuery",
        dialect="bigquery",
        connect=lazy_connect("veridical.engines.contract_only:connect"),
        label=Label.CONTRACT_ONLY,
        addresses=("bigquery://PROJECT/DATASET",),
        schemes=("bigquery",),
        limits="those of the connection that runs the checked statement",
    ),
    EngineKind(
        name="files",
        title="CSV/Excel/Parquet",
        dialect="duckdb",
        connect=lazy_connect("veridical.engines.duckdb:connect_files"),
        label=Label.IN_PROCESS,
        addresses=tuple(f"*{ending}" for ending in sorted(DATA_FILES)),
        recognises=is_data,
        lock=Lock.PARSER,
        orphan=Orphan.IN_PROCESS,
        limits="as DuckDB",
        extra="engine",
    ),
)
"""Tried in this order, so that a database is not taken for a file of rows."""


class UnknownSchemeError(SourceError):
    """An address whose scheme no engine has."""

    def __init__(self, scheme: str, known: str) -> None:
        self.scheme = scheme[:40]
        self.known = known
        super().__init__(SourceProblem.NO_SCHEME, scheme=self.scheme, known=known)


def engines(added: Iterable[EngineKind] = ()) -> Iterator[EngineKind]:
    """Every engine: added ones, shipped ones, those of installed packages.

    Packages come last and are loaded only if needed: none can take over an address of ours.
    """
    yield from added
    yield from SHIPPED
    for point in entry_points(group=GROUP):
        kind = point.load()
        if not isinstance(kind, EngineKind):
            raise TypeError(f"{point.value} is not an EngineKind")
        yield kind


def engine_of(address: str, added: Iterable[EngineKind] = ()) -> EngineKind | None:
    """The engine that opens an address; None for a path that none recognises.

    Raises ``UnknownSchemeError``, which lists the known addresses, and ``SourceError`` for a
    malformed URL.
    """
    known = tuple(added)
    scheme = scheme_of(address)
    if scheme is None:
        path = Path(address)
        found = engines(known) if path.exists() else ()
        return next((each for each in found if each.recognises and each.recognises(path)), None)
    kind = next((each for each in engines(known) if scheme in each.schemes), None)
    if kind is None:
        raise UnknownSchemeError(scheme, addresses(known))
    ensure_readable(address, " / ".join(kind.addresses))
    return kind


def addresses(added: Iterable[EngineKind] = ()) -> str:
    """Examples of addresses, over all engines."""
    return ", ".join(each for kind in engines(added) for each in kind.addresses)
