"""Whether the reader's role is the wall it should be: rights, policies, functions, limits.

Asked when a database is opened and by whoever runs the system. A gap that lets tenants mix refuses
the start; what only a superuser can close is told, since not every owner has one.
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


def reader_findings(
    connection: "Connection[Any]",
    role: str,
    tables: Mapping[str, Sequence[str]],
    *,
    schema: str = "public",
) -> list[Finding]:
    """All that is missing. ``tables`` names each table's tenant columns; shared ones have none."""
    row = connection.execute(
        "SELECT rolsuper, rolbypassrls FROM pg_roles WHERE rolname = %s", [role]
    ).fetchone()
    if row is None:
        return [Finding(Gap.NO_ROLE, role)]
    flags = ((Gap.SUPERUSER, row[0]), (Gap.BYPASSES, row[1]))
    found = [Finding(gap, role) for gap, has in flags if has]
    protected = [table for table, columns in tables.items() if columns]
    found += _open_tables(connection, role, schema, protected)
    found += _writable(connection, role, schema, list(tables))
    found += [Finding(Gap.FUNCTION, name) for name in open_functions(connection, role)]
    limited = connection.execute(
        f"SELECT has_parameter_privilege('{TEMP_FILES}', 'SET')"
        f" OR current_setting('{TEMP_FILES}') <> '-1'"
    ).fetchone()
    return found if limited == (True,) else [*found, Finding(Gap.TEMP_FILES, TEMP_FILES)]


def open_functions(connection: "Connection[Any]", role: str) -> list[str]:
    """The dangerous functions that this role may still call."""
    rows = connection.execute(
        "SELECT DISTINCT proname FROM pg_proc WHERE proname ~ %s"
        " AND has_function_privilege(%s, oid, 'EXECUTE') ORDER BY 1",
        [f"^({DANGEROUS})$", role],
    ).fetchall()
    return [name for (name,) in rows]


def _open_tables(
    connection: "Connection[Any]", role: str, schema: str, tables: list[str]
) -> Iterable[Finding]:
    """Tables with tenants that the role reads without a policy that binds even their owner."""
    rows = connection.execute(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = %s AND c.relname = ANY (%s) AND c.relkind IN ('r', 'p')"
        " AND has_table_privilege(%s, c.oid, 'SELECT')"
        " AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS ("
        "SELECT FROM pg_policy p WHERE p.polrelid = c.oid))",
        [schema, tables, role],
    ).fetchall()
    return [Finding(Gap.NO_POLICY, name) for (name,) in rows]


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
