"""DBOS setup: names, tables, configuration, and how a segment is queued."""

import logging
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from dbos import (
    DBOS,
    DBOSClient,
    DBOSConfig,
    EnqueueOptions,
    _sys_db,  # pyright: ignore[reportPrivateUsage] # no setting says how long it waits
)
from sqlalchemy import Connection, Engine, create_engine, func, make_url, select, text

from veridical.runs.dbos_tables import QUEUE, grant_to_server, queue_of
from veridical.runs.encoding import JsonSerializer, refuse_pickle
from veridical.runs.request import RunSegment
from veridical.runs.retry import LONGEST_WAIT
from veridical.runs.settings import RunsSettings
from veridical.store.protection import DatabaseRole

APPLICATION = "veridical"
WORKFLOW = "veridical.answer"
VERSION = "lives-1"
"""DBOS application version. The same for every release, because steps are found by their names: a
deployment strands no run. With another one, waiting runs would need workers of the old release."""

A_MINUTE = 60.0
_CONNECT_SECONDS = 10
_CONNECTIONS = 20
_NO_NOTIFICATIONS_SECONDS = 0.1
"""Poll interval for notifications: none are used, and a worker that stops waits this long."""
_AS_ENGINE = f"-c role={DatabaseRole.DBOS}"
_PREPARING = 0x76656E67
_ONE_AT_A_TIME = select(func.pg_advisory_xact_lock(_PREPARING))
"""Lock for workers that start together: PostgreSQL refuses two equal grants at once."""
_EFFECTS = text(
    "CREATE TABLE IF NOT EXISTS dbos.veridical_effects ("
    " run_id text NOT NULL, name text NOT NULL, result text NOT NULL,"
    " PRIMARY KEY (run_id, name))"
)


def prepare_engine(settings: RunsSettings) -> None:
    """Make or upgrade the engine's tables, after ``store.migrate.upgrade`` has made its role.

    Takes a direct connection, not one of PgBouncer's.
    """
    quiet()
    url = _with_option(settings.engine_url, _AS_ENGINE)
    DBOS.migrate(url)
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), pool_size=1)
    try:
        with engine.begin() as connection:
            connection.execute(_ONE_AT_A_TIME)
            connection.execute(_EFFECTS)
            grant_to_server(connection)
    finally:
        engine.dispose()


def runtime_url(settings: RunsSettings) -> str:
    """The engine's database URL, with its role.

    Through PgBouncer no role can be set for a session: the login itself must have it.
    """
    url = settings.engine_url
    return url if settings.pgbouncer else _with_option(url, _AS_ENGINE)


def _with_option(url: str, option: str) -> str:
    address = make_url(url)
    given = address.query.get("options", "")
    options = f"{given if isinstance(given, str) else ' '.join(given)} {option}".strip()
    named = address.update_query_dict({"options": options})
    return named.render_as_string(hide_password=False)


class _ShortPauses(ModuleType):
    """The module ``time`` with a ``sleep`` that is over soon."""

    def __init__(self) -> None:
        super().__init__(time.__name__, time.__doc__)
        vars(self).update(vars(time), sleep=_short_sleep)


def _short_sleep(seconds: float) -> None:
    time.sleep(min(seconds, LONGEST_WAIT))


def ask_again_soon() -> None:
    """Make DBOS ask an unavailable database again as soon as we do.

    Its pauses double up to a minute and a half. So long, a run would stand still although the
    database is back, or has space again, and look like one that never ends.
    """
    _sys_db.time = _ShortPauses()  # pyright: ignore[reportPrivateImportUsage]


@contextmanager
def engine_database(settings: RunsSettings) -> Generator[Engine]:
    """The engine's database, under the engine's role; it connects when first used.

    Without a ping before each use, a step saves a round trip; DBOS retries where a connection was
    lost.
    """
    url, args = runtime_url(settings), dict[str, Any]()
    if "connect_timeout" not in make_url(url).query:
        args["connect_timeout"] = _CONNECT_SECONDS
    if settings.pgbouncer:
        args["prepare_threshold"] = None
    else:  # a worker that takes over must not wait for the locks of one that hangs
        idle = round(settings.lease_seconds * 1000)
        url = _with_option(url, f"-c idle_in_transaction_session_timeout={idle}")
    database = create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        connect_args=args,
        pool_size=_CONNECTIONS,
        max_overflow=0,
        hide_parameters=True,
    )
    try:
        yield database
    finally:
        database.dispose()


def dbos_client(database: Engine) -> DBOSClient:
    """The client that queues, lists and deletes segments. It raises what the database does, where
    a worker's DBOS would wait."""
    refuse_pickle()
    quiet()
    return DBOSClient(
        system_database_engine=database,
        serializer=JsonSerializer(),
        application_name=APPLICATION,
        lazy=True,
        retry_connection_errors=False,
    )


def dbos_config(settings: RunsSettings, executor_id: str, database: Engine) -> DBOSConfig:
    """The configuration of a worker. Nothing waits in DBOS for a message, so it need not listen."""
    refuse_pickle()
    return DBOSConfig(
        name=APPLICATION,
        system_database_engine=database,
        application_version=VERSION,
        enable_patching=True,
        executor_id=executor_id,
        serializer=JsonSerializer(),
        use_listen_notify=False,
        run_migrations=False,
        max_executor_threads=2 * settings.worker_concurrency + 16,
        notification_listener_polling_interval_sec=_NO_NOTIFICATIONS_SECONDS,
        log_level="WARNING",
    )


def register_queue(client: DBOSClient, settings: RunsSettings) -> None:
    """Create the queue from the settings, with a partition for each tenant."""
    limit = settings.tenant_per_minute
    client.register_queue(
        QUEUE,
        worker_concurrency=settings.worker_concurrency,
        partition_concurrency=settings.tenant_concurrency,
        partition_limiter={"limit": limit, "period": A_MINUTE} if limit else None,
        polling_interval_sec=settings.poll_seconds,
        on_conflict="always_update",
    )


def enqueue(
    client: DBOSClient, connection: Connection, segment: RunSegment, delay_seconds: float = 0
) -> None:
    """Queue a segment within the transaction; repeating it has no effect."""
    options = EnqueueOptions(
        workflow_name=WORKFLOW,
        queue_name=QUEUE if delay_seconds > 0 else queue_of(connection, segment.tenant),
        workflow_id=segment.workflow_id,
        queue_partition_key=segment.tenant,
        application_name=APPLICATION,
    )
    if delay_seconds > 0:
        options["delay_seconds"] = delay_seconds
    given = segment.model_dump(mode="json", by_alias=True)
    client.enqueue_in_transaction(connection, options, given)


def quiet() -> None:
    """Let DBOS log warnings only, through this process's handlers, which redact secrets.

    DBOS adds its own handler again with each new instance.
    """
    logger = logging.getLogger("dbos")
    logger.setLevel(logging.WARNING)
    logger.handlers.clear()
    logger.propagate = True
