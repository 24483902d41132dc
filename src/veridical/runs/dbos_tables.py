"""Statements on DBOS's own tables, for what its public interface can't do.

``DBOSClient`` can't change a workflow within a transaction of ours, nor under the rights of one
tenant, nor only where a certain worker still has it; and it shows a pickle as if it were a step's
result. ``tests/runs/test_dbos_tables.py`` names the columns that these statements rely on.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, text

from veridical.store.connection import TENANT
from veridical.store.protection import DatabaseRole

QUEUE = "runs"
PARKED = "runs-parked"
"""The queue of runs that can't begin, since their tenant is at its limit; no worker listens."""

_NOW = "CAST(extract(epoch FROM now()) * 1000 AS bigint)"
_WAKE = text("""
    UPDATE dbos.workflow_status SET status = 'ENQUEUED'
    WHERE workflow_uuid = :workflow_id AND status = 'DELAYED'
""")
_WAKE_LATER = text(f"""
    UPDATE dbos.workflow_status SET delay_until_epoch_ms = {_NOW} + :milliseconds
    WHERE workflow_uuid = :workflow_id AND status = 'DELAYED'
""")  # noqa: S608 # of our own words
_WAKE_DUE = text(f"""
    UPDATE dbos.workflow_status SET status = 'ENQUEUED'
    WHERE status = 'DELAYED' AND queue_name = '{QUEUE}' AND delay_until_epoch_ms <= {_NOW}
""")  # noqa: S608 # of our own words
_CANCEL = text(f"""
    UPDATE dbos.workflow_status
    SET status = 'CANCELLED', owner_xid = NULL, queue_name = NULL, started_at_epoch_ms = NULL,
        updated_at = {_NOW}, completed_at = {_NOW}
    WHERE workflow_uuid = :workflow_id AND status NOT IN ('SUCCESS', 'ERROR')
""")  # noqa: S608 # as above
_REQUEUE = text(f"""
    UPDATE dbos.workflow_status
    SET status = 'ENQUEUED', owner_xid = NULL, started_at_epoch_ms = NULL, updated_at = {_NOW},
        recovery_attempts = greatest(recovery_attempts - :forgiven, 0)
    WHERE status = 'PENDING' AND queue_name = '{QUEUE}'
        AND executor_id = ANY(CAST(:executors AS text[]))
        AND workflow_uuid <> ALL(CAST(:active AS text[]))
        AND (CAST(:seconds AS float) IS NULL
            OR started_at_epoch_ms <= {_NOW} - CAST(:seconds AS float) * 1000)
    RETURNING workflow_uuid
""")  # noqa: S608 # as above
_STEPS = text("""
    SELECT function_name, output, serialization FROM dbos.operation_outputs
    WHERE workflow_uuid = ANY(CAST(:workflow_ids AS text[])) AND output IS NOT NULL
""")
_PAYLOADS = " UNION ".join(
    f"SELECT workflow_uuid FROM dbos.{table} WHERE retention_timestamp < :before"  # noqa: S608 # as above
    for table in ("workflow_input", "workflow_output", "operation_outputs")
)
_ORPHANS = text(f"""
    SELECT workflow_uuid FROM ({_PAYLOADS}) AS payload
    WHERE NOT EXISTS (SELECT FROM dbos.workflow_status AS life
        WHERE life.workflow_uuid = payload.workflow_uuid)
    LIMIT :limit
""")  # noqa: S608 # as above
_IS_PARKED = text(f"""
    SELECT EXISTS (SELECT FROM dbos.workflow_status
        WHERE queue_name = '{PARKED}' AND status = 'ENQUEUED' AND queue_partition_key = :tenant)
""")  # noqa: S608 # as above
_QUEUED_TENANTS = text("""
    WITH RECURSIVE queued (tenant) AS (
        SELECT min(queue_partition_key) FROM dbos.workflow_status
        WHERE queue_name = :queue AND status = 'ENQUEUED' AND queue_partition_key IS NOT NULL
        UNION ALL
        SELECT (SELECT min(queue_partition_key) FROM dbos.workflow_status
            WHERE queue_name = :queue AND status = 'ENQUEUED'
                AND queue_partition_key > queued.tenant)
        FROM queued WHERE tenant IS NOT NULL
    ) SELECT tenant FROM queued WHERE tenant IS NOT NULL
""")  # one seek in an index for each tenant: the length of the queue costs nothing
_RUNNING = text(f"""
    SELECT queue_partition_key AS tenant, count(*) AS number FROM dbos.workflow_status
    WHERE queue_name = '{QUEUE}' AND status = 'PENDING' GROUP BY 1
""")  # noqa: S608 # as above
_BEGUN = text(f"""
    SELECT queue_partition_key AS tenant, count(*) AS number FROM dbos.workflow_status
    WHERE queue_name = '{QUEUE}' AND rate_limited = true AND status NOT IN ('ENQUEUED', 'DELAYED')
        AND started_at_epoch_ms > {_NOW} - CAST(:seconds AS float) * 1000
    GROUP BY 1
""")  # noqa: S608 # as above
_PARK = text(f"""
    UPDATE dbos.workflow_status SET queue_name = '{PARKED}'
    WHERE queue_name = '{QUEUE}' AND status = 'ENQUEUED'
        AND queue_partition_key = ANY(CAST(:tenants AS text[]))
""")  # noqa: S608 # as above
_OLDEST_PARKED = text(f"""
    SELECT oldest.workflow_uuid
    FROM unnest(CAST(:tenants AS text[]), CAST(:rooms AS bigint[])) AS roomy (tenant, room)
    CROSS JOIN LATERAL (
        SELECT workflow_uuid FROM dbos.workflow_status
        WHERE queue_name = '{PARKED}' AND status = 'ENQUEUED'
            AND queue_partition_key = roomy.tenant
        ORDER BY priority, created_at
        LIMIT greatest(0, room - (SELECT count(*) FROM dbos.workflow_status
            WHERE queue_name = '{QUEUE}' AND status = 'ENQUEUED'
                AND queue_partition_key = roomy.tenant))
    ) AS oldest
""")  # noqa: S608 # as above
_PUT_BACK = text(f"""
    UPDATE dbos.workflow_status SET queue_name = '{QUEUE}'
    WHERE workflow_uuid = ANY(CAST(:workflow_ids AS text[])) AND status = 'ENQUEUED'
""")  # noqa: S608 # as above
_LOAD = text("SELECT status, lives FROM dbos.veridical_load")


def wake(connection: Connection, workflow_id: str, seconds: float = 0) -> None:
    """Queue a delayed workflow now, or after some seconds."""
    if seconds:
        values = {"workflow_id": workflow_id, "milliseconds": round(seconds * 1000)}
        connection.execute(_WAKE_LATER, values)
    else:
        connection.execute(_WAKE, {"workflow_id": workflow_id})


def wake_due(connection: Connection) -> int:
    """Queue the delayed workflows that are due by the database's clock; their number."""
    return connection.execute(_WAKE_DUE).rowcount


def queue_of(connection: Connection, tenant: str) -> str:
    """The queue for a new run of this tenant: behind its parked runs, where it has any."""
    return PARKED if connection.scalar(_IS_PARKED, {"tenant": tenant}) else QUEUE


def queued_tenants(connection: Connection, queue: str) -> list[str]:
    """The tenants with runs that wait in this queue for a worker."""
    return list(connection.scalars(_QUEUED_TENANTS, {"queue": queue}))


def running_by_tenant(connection: Connection) -> dict[str, int]:
    """How many runs of each tenant a worker has."""
    return {row.tenant: row.number for row in connection.execute(_RUNNING)}


def begun_by_tenant(connection: Connection, seconds: float) -> dict[str, int]:
    """How many runs of each tenant began within so many seconds, under a limit for them."""
    return {row.tenant: row.number for row in connection.execute(_BEGUN, {"seconds": seconds})}


def park(connection: Connection, tenants: Sequence[str]) -> int:
    """Park the queued runs of these tenants; how many."""
    return connection.execute(_PARK, {"tenants": list(tenants)}).rowcount


def put_back(connection: Connection, rooms: Mapping[str, int]) -> int:
    """Put the oldest parked runs of each tenant back, so that as many are queued as have room; how
    many."""
    wanted = {"tenants": list(rooms), "rooms": list(rooms.values())}
    found = list(connection.scalars(_OLDEST_PARKED, wanted))
    return connection.execute(_PUT_BACK, {"workflow_ids": found}).rowcount if found else 0


def cancel(connection: Connection, workflow_id: str) -> None:
    """Cancel a workflow that has not ended."""
    connection.execute(_CANCEL, {"workflow_id": workflow_id})


def requeue(
    connection: Connection,
    executors: Sequence[str],
    *,
    active: Sequence[str] = (),
    seconds: float | None = None,
    forgiven: int = 0,
) -> list[str]:
    """Put back on the queue what these executors have taken; the workflows.

    Not those that are active, nor those taken within so many seconds. An attempt that is forgiven
    does not count.
    """
    which = {
        "executors": list(executors),
        "active": list(active),
        "seconds": seconds,
        "forgiven": forgiven,
    }
    return list(connection.scalars(_REQUEUE, which))


def step_results(connection: Connection, workflow_ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """Name, stored result and serializer of each step of these workflows."""
    rows = connection.execute(_STEPS, {"workflow_ids": list(workflow_ids)})
    return [(name, output, serializer) for name, output, serializer in rows]


def orphans(connection: Connection, before: float, limit: int) -> list[str]:
    """Workflows that are gone and have left payloads behind, before a time in seconds."""
    return list(connection.scalars(_ORPHANS, {"before": int(before * 1000), "limit": limit}))


def counts_by_status(connection: Connection) -> dict[str, int]:
    """Number of queued, delayed and pending workflows of all tenants, by status."""
    return {row.status: row.lives for row in connection.execute(_LOAD)}


_APP = DatabaseRole.APP
_LIVES, _GIVEN = "dbos.workflow_status", "dbos.workflow_input"
_SEEN = (
    "workflow_uuid, status, name, class_name, config_name, queue_name, queue_partition_key,"
    " creator_xid, serialization"
)
_CHANGED = (
    "status, creator_xid, owner_xid, queue_name, started_at_epoch_ms, updated_at, completed_at,"
    " delay_until_epoch_ms"
)
_GRANTS = (
    f"GRANT USAGE ON SCHEMA dbos TO {_APP}",
    f"GRANT INSERT, SELECT ({_SEEN}), UPDATE ({_CHANGED}) ON {_LIVES} TO {_APP}",
    f"GRANT INSERT, SELECT (workflow_uuid) ON {_GIVEN} TO {_APP}",
    # With the rights of the engine, whose view it is: how many there are is no tenant's secret.
    "CREATE OR REPLACE VIEW dbos.veridical_load AS SELECT status, count(*) AS lives"
    " FROM dbos.workflow_status WHERE queue_name IN ('runs', 'runs-parked')"
    " AND status IN ('ENQUEUED', 'PENDING', 'DELAYED') GROUP BY status",
    f"GRANT SELECT ON dbos.veridical_load TO {_APP}",
)
_OWN = {
    _LIVES: f"queue_partition_key = (SELECT nullif(current_setting('{TENANT}', true), ''))",
    _GIVEN: "EXISTS (SELECT FROM dbos.workflow_status AS life"
    " WHERE life.workflow_uuid = workflow_input.workflow_uuid)",
}
_HAS_POLICY = text(
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_policy WHERE polrelid = CAST(:table AS regclass)"
    " AND polname = 'of_tenant')"
)


def grant_to_server(connection: Connection) -> None:
    """Let the server queue, wake and cancel segments of its tenant, as the engine's own role.

    It sees no other tenant's, and no results of steps.
    """
    for table, own in _OWN.items():
        # Only once: it has to wait for everybody who uses the table.
        if not connection.scalar(_HAS_POLICY, {"table": table}):
            connection.execute(text(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"))
            connection.execute(text(f"CREATE POLICY of_tenant ON {table} TO {_APP} USING ({own})"))
    for statement in _GRANTS:
        connection.execute(text(statement))
