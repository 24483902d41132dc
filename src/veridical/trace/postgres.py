"""Trace store in PostgreSQL: the schema ``veridical`` with a row for each run and each event."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

import psycopg
from pydantic import ValidationError
from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    create_engine,
    func,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from veridical.contracts.trace import AgentTrace, Event
from veridical.trace.batch import Written, execute_together, written
from veridical.trace.event_json import from_stored, to_stored_text
from veridical.trace.recorder import Skipped, StoreError, note_skipped

SCHEMA = "veridical"
_METADATA = MetaData(schema=SCHEMA)
_CREATING = 0x7665726964
"""The key of the lock under which the tables are made, so that two starting processes don't."""

_AS_OPERATOR = text(
    "SELECT set_config('role', rolname, true) FROM pg_roles"
    " WHERE rolname = 'veridical_operator' AND pg_has_role(oid, 'MEMBER')"
    " AND has_table_privilege(oid, 'veridical.runs', 'SELECT')"
    " AND has_table_privilege(oid, 'veridical.events', 'SELECT')"
)
"""Where tenants are kept apart by row policies, the operator reads as the role that is above them;
anywhere else, this does nothing."""

_RUNS = Table(
    "runs",
    _METADATA,
    Column("trace_id", Text, primary_key=True),
    Column("tenant", Text, nullable=False, server_default=""),
    Column("caller", Text, nullable=False, server_default=""),
    Column("started_at", DateTime(timezone=True)),
    Column("outcome", Text),
)
_EVENTS = Table(
    "events",
    _METADATA,
    Column("trace_id", ForeignKey(_RUNS.c.trace_id, ondelete="CASCADE"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("event", JSONB, nullable=False),
)
Index("runs_newest", _RUNS.c.started_at.desc())
Index("runs_of_tenant", _RUNS.c.tenant, _RUNS.c.started_at.desc())
Index("events_by_kind", _EVENTS.c.kind)


class PostgresTraces:
    """Traces in a PostgreSQL database."""

    def __init__(self, url: str, on_skip: Skipped = note_skipped, *, connections: int = 5) -> None:
        self._on_skip = on_skip
        try:
            address = make_url(url)
        except (ArgumentError, ValueError) as error:
            raise StoreError("this is no address of a PostgreSQL database") from error
        self._pool = create_engine(
            address.set(drivername="postgresql+psycopg"),
            pool_size=connections,
            pool_pre_ping=True,
            hide_parameters=True,
        )

    def prepare(self) -> None:
        """Make the schema and its tables where they are missing."""
        with self._transaction() as connection:
            if inspect(connection).has_table(_EVENTS.name, SCHEMA):
                return
            connection.execute(select(func.pg_advisory_xact_lock(_CREATING)))
            connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))
            _METADATA.create_all(connection)

    def save_event(self, trace_id: str, sequence: int, event: Event) -> None:
        """Insert one event; one that is there stays as it is."""
        self._write([_numbered(trace_id, sequence, event)])

    def save(self, trace: AgentTrace) -> None:
        """Insert a whole run, or what is missing of it."""
        self.save_all([trace])

    def save_all(self, traces: Iterable[AgentTrace]) -> None:
        """Insert whole runs, or what is missing of them, in one round trip."""
        self._write(
            _numbered(trace.trace_id, sequence, event)
            for trace in traces
            for sequence, event in enumerate(trace.events)
        )

    def load(self, trace_id: str, tenant: str | None = None) -> AgentTrace | None:
        """The run, if there is one and it belongs to this tenant."""
        with self._reading() as connection:
            return load_trace(connection, trace_id, tenant, self._on_skip)

    def recent(self, limit: int = 20, tenant: str | None = None) -> tuple[AgentTrace, ...]:
        """The runs that started last, the newest first."""
        with self._reading() as connection:
            return recent_traces(connection, limit, tenant, self._on_skip)

    def close(self) -> None:
        """Close the pool."""
        self._pool.dispose()

    def _write(self, batch: Iterable[Written]) -> None:
        statements = written(batch)
        if statements:
            with self._transaction() as connection:
                execute_together(connection, statements)

    @contextmanager
    def _reading(self) -> Generator[Connection]:
        with self._transaction() as connection:
            connection.execute(_AS_OPERATOR)
            yield connection

    @contextmanager
    def _transaction(self) -> Generator[Connection]:
        try:
            with self._pool.begin() as connection:
                yield connection
        except (SQLAlchemyError, psycopg.Error) as error:
            raise StoreError("can't reach the traces in this PostgreSQL database") from error


def load_trace(
    connection: Connection,
    trace_id: str,
    tenant: str | None = None,
    on_skip: Skipped = note_skipped,
) -> AgentTrace | None:
    """The run, if there is one and it belongs to this tenant."""
    wanted = _runs_of(tenant).where(_RUNS.c.trace_id == trace_id)
    found = _read(connection, connection.scalars(wanted).all(), on_skip)
    return found[0] if found else None


def recent_traces(
    connection: Connection,
    limit: int = 20,
    tenant: str | None = None,
    on_skip: Skipped = note_skipped,
) -> tuple[AgentTrace, ...]:
    """The runs that started last, the newest first."""
    started = _RUNS.c.started_at
    wanted = _runs_of(tenant).where(started.is_not(None)).order_by(started.desc()).limit(limit)
    return _read(connection, connection.scalars(wanted).all(), on_skip)


def _read(
    connection: Connection, trace_ids: Sequence[str], on_skip: Skipped
) -> tuple[AgentTrace, ...]:
    events_of: dict[str, list[Event]] = {trace_id: [] for trace_id in trace_ids}
    rows = connection.execute(
        select(_EVENTS.c.trace_id, _EVENTS.c.sequence, _EVENTS.c.event)
        .where(_EVENTS.c.trace_id.in_(trace_ids))
        .order_by(_EVENTS.c.sequence)
    )
    for trace_id, sequence, event in rows:
        try:
            events_of[trace_id].append(from_stored(event))
        except ValidationError:
            on_skip(f"{trace_id}:{sequence}")
    return tuple(
        AgentTrace(trace_id=trace_id, events=tuple(events))
        for trace_id, events in events_of.items()
    )


def _runs_of(tenant: str | None) -> Select[str]:
    runs = select(_RUNS.c.trace_id)
    return runs if tenant is None else runs.where(_RUNS.c.tenant == tenant)


def _numbered(trace_id: str, sequence: int, event: Event) -> Written:
    return Written(trace_id, sequence, event, to_stored_text(event))
