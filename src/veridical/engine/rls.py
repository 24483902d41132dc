"""Row-level security and the reader's role: the second wall, for the day the first has a hole.

Everything here is run once by whoever owns the database; it can be run again safely.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier, Literal

from veridical.engine.postgres import VARIABLES

POLICY = "veridical_scope"
WRITERS_POLICY = "veridical_writers"

_DANGEROUS = "|".join(
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
        "pg_stat_get_activity|pg_stat_get_backend_.*|pg_show_all_settings",
        "setval|nextval",
    )
)
"""Patterns of functions that run text as SQL, reach outside, wait, or change settings."""


def install_row_level_security(
    connection: "Connection[Any]",
    tables: Mapping[str, Sequence[str]],
    role: str,
    *,
    schema: str = "public",
    writers: Sequence[str] = (),
    login: str | None = None,
) -> None:
    """Makes ``role`` a reader that sees, of each table, only the rows of the tenant set for it.

    ``tables`` names the tenant columns of each table; a caller's scope must then name all of them.
    A table without tenant columns is shared: readable whole. The policies bind the owner too;
    roles that write are named in ``writers``. ``login`` is the role the engine connects as, by
    default the current one.
    """
    with connection.transaction():
        engine_role = login or str(_one(connection, SQL("SELECT current_user")))
        _create_reader(connection, role, schema, engine_role)
        for table, columns in tables.items():
            name = Identifier(schema, table)
            connection.execute(SQL("GRANT SELECT ON {} TO {}").format(name, Identifier(role)))
            if columns:
                _protect(connection, schema, table, columns, role, writers)
        _take_away_functions(connection, engine_role)


def _create_reader(connection: "Connection[Any]", role: str, schema: str, login: str) -> None:
    exists = SQL("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = {})").format(Literal(role))
    verb = SQL("ALTER" if _one(connection, exists) else "CREATE")
    reader, space = Identifier(role), Identifier(schema)
    database = Identifier(_one(connection, SQL("SELECT current_database()")))
    for statement in (
        SQL(
            "{} ROLE {} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION"
            " NOBYPASSRLS"
        ).format(verb, reader),
        SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(reader, Identifier(login)),
        SQL("REVOKE ALL ON ALL TABLES IN SCHEMA {} FROM {}").format(space, reader),
        SQL("REVOKE CREATE ON SCHEMA {} FROM PUBLIC, {}").format(space, reader),
        SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(database),
        SQL("GRANT USAGE ON SCHEMA {} TO {}").format(space, reader),
    ):
        connection.execute(statement)


def _protect(
    connection: "Connection[Any]",
    schema: str,
    table: str,
    columns: Sequence[str],
    role: str,
    writers: Sequence[str],
) -> None:
    name = Identifier(schema, table)
    conditions = [_condition(connection, schema, table, column) for column in columns]
    statements = [
        SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(name),
        SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(name),
        SQL("DROP POLICY IF EXISTS {} ON {}").format(Identifier(POLICY), name),
        SQL("DROP POLICY IF EXISTS {} ON {}").format(Identifier(WRITERS_POLICY), name),
        SQL("CREATE POLICY {} ON {} FOR SELECT TO {} USING ({})").format(
            Identifier(POLICY), name, Identifier(role), SQL(" AND ").join(conditions)
        ),
    ]
    if writers:
        roles = SQL(", ").join(map(Identifier, writers))
        statements.append(
            SQL("CREATE POLICY {} ON {} TO {} USING (true) WITH CHECK (true)").format(
                Identifier(WRITERS_POLICY), name, roles
            )
        )
    for statement in statements:
        connection.execute(statement)


def _condition(connection: "Connection[Any]", schema: str, table: str, column: str) -> Composed:
    """The column holds one of the values set for the transaction; unset means no row.

    The settings are read in sub-selects, once per query instead of once per row, and the first
    value is compared apart because plain equality costs a third of a search in an array.
    """
    declared = _one(
        connection,
        SQL(
            "SELECT format_type(atttypid, NULL) FROM pg_attribute"
            " WHERE attrelid = {}::regclass AND attname = {}"
        ).format(Literal(Identifier(schema, table).as_string(connection)), Literal(column)),
    )
    return SQL(
        "({column} = (SELECT ({values})[1]) OR {column} = ANY ((SELECT {values})::{type}[]))"
    ).format(
        column=Identifier(column),
        type=SQL(declared),
        values=SQL("nullif(current_setting({}, true), '')::{}[]").format(
            Literal(f"{VARIABLES}.{column}"), SQL(declared)
        ),
    )


def _take_away_functions(connection: "Connection[Any]", login: str) -> None:
    found = connection.execute(
        "SELECT oid::regprocedure::text, proname FROM pg_proc WHERE proname ~ %s",
        [f"^({_DANGEROUS})$"],
    ).fetchall()
    for signature, name in found:
        function = SQL(signature)
        connection.execute(SQL("REVOKE EXECUTE ON FUNCTION {} FROM PUBLIC").format(function))
        if name == "set_config":
            connection.execute(
                SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(function, Identifier(login))
            )


def _one(connection: "Connection[Any]", query: SQL | Composed) -> Any:
    row = connection.execute(query).fetchone()
    return row[0] if row else None
