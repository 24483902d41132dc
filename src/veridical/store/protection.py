"""Checks tenant isolation of the database: row policies and grants, read from its catalogue."""

from collections.abc import Iterator
from enum import StrEnum

from sqlalchemy import Connection, text

_UNGUARDED = text(
    "SELECT c.relname FROM pg_catalog.pg_class c"
    " WHERE c.relnamespace = 'veridical'::regnamespace AND c.relkind IN ('r', 'p')"
    " AND NOT (c.relrowsecurity AND c.relforcerowsecurity)"
    " AND (c.relname IN ('tenants', 'events') OR EXISTS (SELECT FROM pg_catalog.pg_attribute a"
    "   WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped))"
    " ORDER BY 1"
)
_WIDE_OPEN = text(
    "SELECT DISTINCT c.relname FROM pg_catalog.pg_policy p"
    " JOIN pg_catalog.pg_class c ON c.oid = p.polrelid"
    " CROSS JOIN LATERAL unnest(p.polroles) AS granted"
    " WHERE c.relnamespace = 'veridical'::regnamespace"
    " AND (granted = 0 OR granted = :app ::regrole)"
    " AND pg_get_expr(coalesce(p.polqual, p.polwithcheck), p.polrelid) = 'true'"
    " ORDER BY 1"
)
_CHANGES_AUDIT = text(
    "SELECT r.rolname FROM pg_catalog.pg_roles r WHERE r.rolname = ANY (:roles) AND ("
    " has_table_privilege(r.oid, 'veridical.audit', 'DELETE, TRUNCATE, TRIGGER')"
    " OR has_any_column_privilege(r.oid, 'veridical.audit', 'UPDATE')) ORDER BY 1"
)
_TRIGGER = text(
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_trigger"
    " WHERE tgrelid = 'veridical.audit'::regclass AND tgname = 'audit_stays' AND tgenabled = 'A')"
)
_ENGINE_OPEN = text(
    "SELECT c.relname FROM pg_catalog.pg_class c"
    " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = 'dbos' AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity AND ("
    " has_any_column_privilege(CAST(:app AS name), c.oid, 'SELECT, INSERT, UPDATE')"
    " OR has_table_privilege(CAST(:app AS name), c.oid, 'DELETE, TRUNCATE, TRIGGER')) ORDER BY 1"
)
_ESCAPES = text(
    "SELECT r.rolname, other.rolname FROM pg_catalog.pg_roles r"
    " JOIN pg_catalog.pg_roles other ON other.oid <> r.oid AND other.rolname = ANY (:roles)"
    " AND pg_has_role(r.oid, other.oid, 'MEMBER')"
    " WHERE r.rolname = ANY (:roles) ORDER BY 1, 2"
)
_ABOVE_POLICIES = text(
    "SELECT rolname FROM pg_catalog.pg_roles WHERE rolname = ANY (:roles)"
    " AND (rolsuper OR rolbypassrls) ORDER BY 1"
)


def unprotected(connection: Connection) -> Iterator[str]:
    """The gaps, one sentence each."""
    roles = {"roles": [str(role) for role in DatabaseRole]}
    for table in connection.scalars(_UNGUARDED):
        yield f"{table} has no enforced row policies"
    for table in connection.scalars(_WIDE_OPEN, {"app": DatabaseRole.APP}):
        yield f"{table} has a row policy that lets every tenant through"
    for role in connection.scalars(_CHANGES_AUDIT, roles):
        yield f"{role} may change the audit"
    if not connection.scalar(_TRIGGER):
        yield "the trigger that keeps the audit from being changed is missing or off"
    for table in connection.scalars(_ENGINE_OPEN, {"app": DatabaseRole.APP}):
        yield f"dbos.{table} is open to the server and has no row policies"
    for role, other in connection.execute(_ESCAPES, roles):
        yield f"{role} may act as {other}"
    for role in connection.scalars(_ABOVE_POLICIES, roles):
        yield f"{role} is above all row policies"


class DatabaseRole(StrEnum):
    """Roles that cannot log in; a login acts as one of them within a transaction."""

    APP = "veridical_app"
    """The server: one tenant's rows at a time; writes to the audit, and never changes it."""
    WORKER = "veridical_worker"
    """Workers: the runs of all tenants."""
    OPERATOR = "veridical_operator"
    """Commands of the operator: tenants and keys."""
    TRACER = "veridical_tracer"
    """Adds to the traces of all tenants, and can read none of them."""
    DBOS = "veridical_dbos"
    """Owns the schema ``dbos``, the engine's own tables."""
