"""Row-level security and the reader's role: the second wall, in case the first has a hole.

The owner of the database runs this once; running it again is safe. An owner who is no superuser
does everything else: the steps that PostgreSQL reserves for a superuser are reported.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from psycopg import Connection
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Composed, Identifier, Literal

from veridical.engines.gap import Finding
from veridical.engines.reader import DANGEROUS, TEMP_FILES, VARIABLES, reader_findings

POLICY = "veridical_scope"
WRITERS_POLICY = "veridical_writers"
_NEEDED = ("set_config", "pg_stat_get_activity", "pg_cancel_backend")
"""Functions that the engine calls as itself: its settings, and the end of its own statements."""


def install_row_level_security(
    connection: "Connection[Any]",
    tables: Mapping[str, Sequence[str]],
    role: str,
    *,
    schema: str = "public",
    writers: Sequence[str] = (),
    login: str | None = None,
) -> list[Finding]:
    """Makes ``role`` a reader that sees, of each table, only the rows of the tenant set for it.

    ``tables`` names the tenant columns of each table; a caller's scope must then name all of them.
    A table without tenant columns is shared: readable whole. The policies bind the owner too;
    roles that write are named in ``writers``. ``login`` is the role the engine connects as, by
    default the current one. Returns the remaining gaps: rights that only a superuser can revoke.
    """
    with connection.transaction():
        engine_role = login or str(_one(connection, SQL("SELECT current_user")))
        _create_reader(connection, role, schema, engine_role)
        for table, columns in tables.items():
            name = Identifier(schema, table)
            connection.execute(SQL("GRANT SELECT ON {} TO {}").format(name, Identifier(role)))
            if columns:
                _protect(connection, schema, table, columns, role, writers)
        _take_away_functions(connection, role, engine_role)
        _allow_limit(connection, engine_role)
        return reader_findings(connection, role, tables, schema=schema)


def _create_reader(connection: "Connection[Any]", role: str, schema: str, login: str) -> None:
    harmless = _one(
        connection,
        SQL(
            "SELECT NOT (rolsuper OR rolbypassrls OR rolcanlogin OR rolcreatedb OR rolcreaterole"
            " OR rolreplication OR rolinherit) FROM pg_roles WHERE rolname = {}"
        ).format(Literal(role)),
    )
    verb = SQL("CREATE" if harmless is None else "ALTER")
    reader, space = Identifier(role), Identifier(schema)
    database = Identifier(_one(connection, SQL("SELECT current_database()")))
    if not harmless:
        connection.execute(
            SQL(
                "{} ROLE {} NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT NOREPLICATION"
                " NOBYPASSRLS"
            ).format(verb, reader)
        )
    connection.execute(
        SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(reader, Identifier(login))
    )
    for statement in (
        SQL("REVOKE ALL ON ALL TABLES IN SCHEMA {} FROM {}").format(space, reader),
        SQL("REVOKE CREATE ON SCHEMA {} FROM PUBLIC, {}").format(space, reader),
        SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(database),
    ):
        _if_permitted(connection, statement)
    connection.execute(SQL("GRANT USAGE ON SCHEMA {} TO {}").format(space, reader))


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
    """The condition on the values set for the transaction; unset means no row.

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


def _take_away_functions(connection: "Connection[Any]", role: str, login: str) -> None:
    """Keeps the rights that the engine needs, before they are revoked from everybody."""
    keep = SQL("GRANT EXECUTE ON FUNCTION {} TO {}")
    kept = {
        name: _if_permitted(connection, keep.format(Identifier(name), Identifier(login)))
        for name in _NEEDED
    }
    found = connection.execute(
        "SELECT oid::regprocedure::text, proname FROM pg_proc WHERE proname ~ %s"
        " AND has_function_privilege(%s, oid, 'EXECUTE')",
        [f"^({DANGEROUS})$", role],
    ).fetchall()
    for signature, name in found:
        if kept.get(name, True):
            revoke = SQL("REVOKE EXECUTE ON FUNCTION {} FROM PUBLIC").format(SQL(signature))
            _if_permitted(connection, revoke)


def _allow_limit(connection: "Connection[Any]", login: str) -> None:
    """Allows the login to limit its own temporary files, which otherwise only a superuser may."""
    grant = SQL("GRANT SET ON PARAMETER {} TO {}")
    _if_permitted(connection, grant.format(Identifier(TEMP_FILES), Identifier(login)))


def _if_permitted(connection: "Connection[Any]", statement: Composed) -> bool:
    """Runs a statement that an owner may not be allowed to run; False if it is not."""
    try:
        with connection.transaction():
            connection.execute(statement)
    except InsufficientPrivilege:
        return False
    return True


def _one(connection: "Connection[Any]", query: SQL | Composed) -> Any:
    row = connection.execute(query).fetchone()
    return row[0] if row else None
