"""The table of vectors, where the database has the extension ``vector``; search works without."""

from sqlalchemy import Connection, text
from sqlalchemy.exc import ProgrammingError

_IS_AVAILABLE = text("SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')")
_SCHEMA = text(
    "SELECT quote_ident(n.nspname) FROM pg_extension e"
    " JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
)
_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
VECTOR_TABLE = "search_vectors"
_NOT_PERMITTED = "42501"
_EXISTS = text("SELECT to_regclass('veridical.search_vectors') IS NOT NULL")
_STATEMENTS = (
    """
    CREATE TABLE veridical.search_vectors (
        chunk bigint NOT NULL REFERENCES veridical.search_chunks (id) ON DELETE CASCADE,
        model text NOT NULL,
        tenant text NOT NULL,
        collection bigint NOT NULL,
        document bigint NOT NULL,
        embedding {schema}.halfvec NOT NULL,
        PRIMARY KEY (chunk, model)
    )
    """,
    "CREATE INDEX search_vectors_of_document ON veridical.search_vectors (document, model)",
    "CREATE INDEX search_vectors_of_collection ON veridical.search_vectors (collection, model)",
    "REVOKE ALL ON veridical.search_vectors FROM PUBLIC",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON veridical.search_vectors TO veridical_app",
    "GRANT SELECT ON veridical.search_vectors TO veridical_operator",
    "GRANT USAGE ON SCHEMA {schema} TO veridical_app",
    "ALTER TABLE veridical.search_vectors ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.search_vectors FORCE ROW LEVEL SECURITY",
    "CREATE POLICY of_tenant ON veridical.search_vectors TO veridical_app"
    f" USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.search_vectors TO veridical_operator USING (true)",
)


def prepare_vectors(connection: Connection) -> bool:
    """Make the table unless it is there; false where the extension is not installed.

    Apart from the migrations: a database may get the extension later, from an administrator where
    its owner may not create it.
    """
    if connection.scalar(_EXISTS):
        return True
    if not connection.scalar(_IS_AVAILABLE) or not _has_extension(connection):
        return False
    schema = connection.scalar(_SCHEMA)
    for statement in _STATEMENTS:
        connection.execute(text(statement.format(schema=schema)))
    return True


def _has_extension(connection: Connection) -> bool:
    """Whether the extension is there, or could be created by this login."""
    if connection.scalar(_SCHEMA) is not None:
        return True
    try:
        with connection.begin_nested():
            connection.execute(text("CREATE EXTENSION vector"))
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) == _NOT_PERMITTED:
            return False
        raise
    return True
