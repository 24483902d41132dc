"""The tables of evidence search, for the comparison of a database with this release."""

from sqlalchemy import (
    REAL,
    BigInteger,
    Column,
    Connection,
    DateTime,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import ProgrammingError

from veridical.store.tables import METADATA, TENANTS

_NOW = func.now()

SEARCH_COLLECTIONS = Table(
    "search_collections",
    METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    UniqueConstraint("tenant", "name"),
)

SEARCH_DOCUMENTS = Table(
    "search_documents",
    METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("tenant", Text, nullable=False),
    Column(
        "collection",
        ForeignKey(SEARCH_COLLECTIONS.c.id, ondelete="CASCADE"),
        nullable=False,
    ),
    Column("source", Text, nullable=False),
    # its address: a path or a URL, once in a collection
    Column("content_hash", Text, nullable=False),
    Column("title", Text, nullable=False, server_default=""),
    Column("host", Text, nullable=False, server_default=""),
    Column("domain_type", Text, nullable=False, server_default=""),
    Column("detected_date", DateTime(timezone=True)),
    Column("version", Text, nullable=False, server_default=""),
    Column("policy_tags", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    Column("ingested_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    UniqueConstraint("collection", "source"),
)
Index("search_documents_by_host", SEARCH_DOCUMENTS.c.collection, SEARCH_DOCUMENTS.c.host)
Index("search_documents_by_date", SEARCH_DOCUMENTS.c.collection, SEARCH_DOCUMENTS.c.detected_date)

SEARCH_CHUNKS = Table(
    "search_chunks",
    METADATA,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("collection", BigInteger, nullable=False),
    Column("document", ForeignKey(SEARCH_DOCUMENTS.c.id, ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("language", Text, nullable=False),
    Column("section", Text, nullable=False, server_default=""),
    Column("text", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("terms", LargeBinary, nullable=False),
    # code and frequency of each term, packed: what the exact score of one chunk is computed from
    UniqueConstraint("document", "position"),
)

SEARCH_INDEXES = Table(
    "search_indexes",
    METADATA,
    Column("collection", ForeignKey(SEARCH_COLLECTIONS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("language", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("analyser", Text, nullable=False),
    # the version of the analyser that made its terms
    Column("pivot", REAL, nullable=False),
    # the length that the levels of its postings were computed with
)

SEARCH_SEGMENTS = Table(
    "search_segments",
    METADATA,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("collection", BigInteger, nullable=False),
    Column("language", Text, nullable=False),
    Column("chunks", BigInteger, nullable=False),
    Column("length", BigInteger, nullable=False),
    # of all its chunks together, in words
    ForeignKeyConstraint(
        ("collection", "language"),
        (SEARCH_INDEXES.c.collection, SEARCH_INDEXES.c.language),
        ondelete="CASCADE",
    ),
)
Index("search_segments_of_index", SEARCH_SEGMENTS.c.collection, SEARCH_SEGMENTS.c.language)

SEARCH_POSTINGS = Table(
    "search_postings",
    METADATA,
    Column("tenant", Text, nullable=False),
    Column("collection", BigInteger, nullable=False),
    Column("language", Text(collation="C"), nullable=False),
    Column("term", Text(collation="C"), nullable=False),
    Column("level", SmallInteger, nullable=False),
    # how much the term says about the chunks of this row, from 0 to 15
    Column("segment", BigInteger, nullable=False),
    # of the segments, without a foreign key: it would be looked up for every row
    Column("n", Integer, nullable=False),
    Column("entries", ARRAY(BigInteger), nullable=False),
    # chunk, frequency and length of the chunk, packed
)
Index(
    "search_postings_of_term",
    SEARCH_POSTINGS.c.collection,
    SEARCH_POSTINGS.c.language,
    SEARCH_POSTINGS.c.term,
    SEARCH_POSTINGS.c.level,
    SEARCH_POSTINGS.c.segment,
    unique=True,
    postgresql_include=["n", "tenant"],
)
Index("search_postings_of_segment", SEARCH_POSTINGS.c.segment)

SEARCH_WEIGHTS = Table(
    "search_weights",
    METADATA,
    Column("collection", ForeignKey(SEARCH_COLLECTIONS.c.id, ondelete="CASCADE"), primary_key=True),
    Column("model", Text, primary_key=True),
    Column("tenant", Text, nullable=False),
    Column("weight", Double, nullable=False),
    # of the model's vectors in a search, from 0 to 1; the words have the rest
    Column("chunks", BigInteger, nullable=False),
    # with vectors, when it was measured
    Column("measured_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
)


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
