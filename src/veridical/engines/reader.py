"""Checks the reader's role as a wall: rights, policies, other ways in, limits.

Runs when a database is opened, and on request of the operator. A gap that lets tenants mix refuses
the start; gaps that only a superuser can close are reported, since not every owner has one.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from psycopg import Connection

from veridical.engines.gap import Finding, Gap

DANGEROUS = "|".join(
    (
        "set_config",
        "(query|table|cursor|schema|database)_to_xml.*",
        "ts_stat|ts_rewrite",
        "dblink.*",
        "lo_.*|loread|lowrite",
        "pg_read_.*|pg_ls_.*|pg_stat_file",
        "pg_sleep.*",
        "pg_(try_)?advisory_.*",
        "pg_(terminate|cancel)_backend",
        "pg_notify|pg_logical_emit_message|pg_export_snapshot",
        "pg_stat_get_.*|pg_show_all_settings",
        "pg_(relation|table|total_relation|indexes|database|tablespace)_size",
        "setval|nextval",
    )
)
"""Patterns of functions that run text as SQL, reach outside, wait, count others' rows, or change
settings."""
TEMP_FILES = "temp_file_limit"
_SYSTEM = ("pg_catalog", "information_schema")
VARIABLES = "veridical"
"""The prefix of the settings that row policies read: ``veridical.<tenant column>``."""


def reader_findings(
    connection: "Connection[Any]",
    role: str,
    tables: Mapping[str, Sequence[str]],
    *,
    schema: str = "public",
    elsewhere: Sequence[str] = (),
) -> list[Finding]:
    """All gaps. ``tables`` names each table's tenant columns; shared ones have none.

    The tables of the schemas ``elsewhere`` are left to calls of their own: one of them has tenants.
    """
    row = connection.execute(
        "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = %s", [role]
    ).fetchone()
    if row is None:
        return [Finding(Gap.NO_ROLE, role)]
    flags = ((Gap.SUPERUSER, row[0]), (Gap.BYPASSES, row[1]))
    found = [Finding(gap, role) for gap, has in flags if has]
    protected = {table: columns for table, columns in tables.items() if columns}
    found += _open_tables(connection, role, schema, list(protected))
    found += _open_policies(connection, role, schema, protected)
    if protected or elsewhere:  # data of a single tenant may be read whole
        found += _other_relations(connection, role, schema, list(tables), elsewhere)
        found += _memberships(connection, role)
    found += _writable(connection, role, schema, list(tables))
    found += [Finding(Gap.FUNCTION, name) for name in open_functions(connection, role)]
    limited = connection.execute(
        f"SELECT has_parameter_privilege('{TEMP_FILES}', 'SET')"
        f" OR current_setting('{TEMP_FILES}') <> '-1'"
    ).fetchone()
    return found if limited == (True,) else [*found, Finding(Gap.TEMP_FILES, TEMP_FILES)]


def open_functions(connection: "Connection[Any]", role: str) -> list[str]:
    """The dangerous functions that this role may still call, and those that run with the rights of
    their owner, past all policies."""
    rows = connection.execute(
        "SELECT DISTINCT proname FROM pg_proc"
        " WHERE (proname ~ %s OR (prosecdef AND pronamespace <> 'pg_catalog'::regnamespace))"
        " AND has_function_privilege(%s, oid, 'EXECUTE') ORDER BY 1",
        [f"^({DANGEROUS})$", role],
    ).fetchall()
    return [name for (name,) in rows]


def _open_tables(
    connection: "Connection[Any]", role: str, schema: str, tables: list[str]
) -> Iterable[Finding]:
    """Tables with tenants that the role reads without a policy that binds even their owner, and
    views of them that read with their owner's rights."""
    rows = connection.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relname = ANY (%s)"
        " AND has_any_column_privilege(%s, c.oid, 'SELECT')"
        " AND CASE WHEN c.relkind = 'v'"
        " THEN NOT coalesce(c.reloptions && '{security_invoker=true,security_invoker=on}', false)"
        " ELSE NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS ("
        "SELECT FROM pg_policy p WHERE p.polrelid = c.oid)) END",
        [schema, tables, role],
    ).fetchall()
    return [Finding(Gap.NO_POLICY, name) for (name,) in rows]


def _open_policies(
    connection: "Connection[Any]", role: str, schema: str, tables: Mapping[str, Sequence[str]]
) -> Iterable[Finding]:
    """Policies that show the role rows for any tenant: one of them opens the table, because a row
    is shown if any policy shows it."""
    rows = connection.execute(
        "SELECT c.relname, p.polname, coalesce(pg_get_expr(p.polqual, p.polrelid), 'true')"
        " FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relname = ANY (%s) AND p.polpermissive"
        " AND p.polcmd IN ('r', '*') AND EXISTS (SELECT FROM unnest(p.polroles) AS r(oid)"
        " WHERE r.oid = 0 OR pg_has_role(%s, r.oid, 'MEMBER'))",
        [schema, list(tables), role],
    ).fetchall()
    return [
        Finding(Gap.OPEN_POLICY, f"{table}.{policy}")
        for table, policy, shown in rows
        if not all(f"current_setting('{VARIABLES}.{column}'" in shown for column in tables[table])
    ]


def _other_relations(
    connection: "Connection[Any]",
    role: str,
    schema: str,
    tables: list[str],
    elsewhere: Sequence[str],
) -> Iterable[Finding]:
    """Other tables that the role may read without a policy by tenant, such as views and copies."""
    rows = connection.execute(
        "SELECT n.nspname || '.' || c.relname FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')"
        " AND n.nspname <> ALL (%s) AND n.nspname !~ '^pg_(toast|temp)'"
        " AND NOT (n.nspname = %s AND c.relname = ANY (%s))"
        " AND has_schema_privilege(%s, n.oid, 'USAGE')"
        " AND has_any_column_privilege(%s, c.oid, 'SELECT')"
        " AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND NOT EXISTS ("
        "SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polpermissive"
        " AND position(%s IN coalesce(pg_get_expr(p.polqual, p.polrelid), '')) = 0)) ORDER BY 1",
        [[*_SYSTEM, *elsewhere], schema, tables, role, role, f"current_setting('{VARIABLES}."],
    ).fetchall()
    return [Finding(Gap.OTHER_RELATION, name) for (name,) in rows]


def _memberships(connection: "Connection[Any]", role: str) -> Iterable[Finding]:
    """Roles whose rights the reader has or can take on, such as to read all tables."""
    rows = connection.execute(
        "SELECT rolname FROM pg_roles WHERE rolname <> %s AND pg_has_role(%s, oid, 'MEMBER')"
        " AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = %s) ORDER BY 1",
        [role, role, role],
    ).fetchall()
    return [Finding(Gap.MEMBER, name) for (name,) in rows]


def _writable(
    connection: "Connection[Any]", role: str, schema: str, tables: list[str]
) -> Iterable[Finding]:
    rows = connection.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relname = ANY (%s)"
        " AND has_table_privilege(%s, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')",
        [schema, tables, role],
    ).fetchall()
    return [Finding(Gap.WRITES, name) for (name,) in rows]
