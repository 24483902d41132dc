"""Database grants of the server on the engine's tables: queue, wake and cancel segments of its
tenant.

It sees no other tenant's, and no results of steps.
"""

from sqlalchemy import Connection, text

from veridical.store.connection import TENANT
from veridical.store.roles import DatabaseRole

_APP = DatabaseRole.APP
_LIVES, _GIVEN = "dbos.workflow_status", "dbos.workflow_input"
_SEEN = (
    "workflow_uuid, status, name, class_name, config_name, queue_name, queue_partition_key,"
    " creator_xid, serialization"
)
_CHANGED = (
    "status, creator_xid, owner_xid, queue_name, started_at_epoch_ms, updated_at, completed_at"
)
_GRANTS = (
    f"GRANT USAGE ON SCHEMA dbos TO {_APP}",
    f"GRANT INSERT, SELECT ({_SEEN}), UPDATE ({_CHANGED}) ON {_LIVES} TO {_APP}",
    f"GRANT INSERT, SELECT (workflow_uuid) ON {_GIVEN} TO {_APP}",
    # With the rights of the engine, whose view it is: how many there are is no tenant's secret.
    "CREATE OR REPLACE VIEW dbos.veridical_load AS SELECT status, count(*) AS lives"
    " FROM dbos.workflow_status WHERE queue_name = 'runs'"
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
    """Grant the server's role its rights, as the engine's own role, once the tables exist."""
    for table, own in _OWN.items():
        # Only once: it has to wait for everybody who uses the table.
        if not connection.scalar(_HAS_POLICY, {"table": table}):
            connection.execute(text(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"))
            connection.execute(text(f"CREATE POLICY of_tenant ON {table} TO {_APP} USING ({own})"))
    for statement in _GRANTS:
        connection.execute(text(statement))
