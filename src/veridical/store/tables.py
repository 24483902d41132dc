"""The tables of the schema ``veridical``, beside those of the traces."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from veridical.trace.postgres import SCHEMA

METADATA = MetaData(schema=SCHEMA)
_NOW = func.now()

TENANTS = Table(
    "tenants",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("scope", JSONB, nullable=False),
    # by feature: the tenant columns with the values that this tenant may see
    Column("limits", JSONB, nullable=False, server_default=text("'{}'")),
    # ``perMinute`` and ``keyPerMinute`` (requests); what is missing is the default
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("disabled_at", DateTime(timezone=True)),
    # from then on no credential of this tenant is taken
)

API_KEYS = Table(
    "api_keys",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("actions", ARRAY(Text), nullable=False),
    # what the key may be used for, at most what its role allows
    Column("people", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    # who uses it, then those who made it; where empty, its name is the person
    Column("digest", LargeBinary, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("expires_at", DateTime(timezone=True)),
    Column("revoked_at", DateTime(timezone=True)),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("person", Text, nullable=False),
    Column("key_id", ForeignKey(API_KEYS.c.id)),
    # none for a sign-in with the identity provider
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True)),
)
Index("sessions_of_tenant", SESSIONS.c.tenant, SESSIONS.c.person)
Index("sessions_of_key", SESSIONS.c.key_id)
Index("sessions_expiring", SESSIONS.c.expires_at)

RUN_REQUESTS = Table(
    "run_requests",
    METADATA,
    Column("run_id", Text, primary_key=True),
    # also the id of its trace
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("asked_by", Text, nullable=False),
    Column("people", ARRAY(Text), nullable=False, server_default=text("'{}'")),
    # behind the credential of the person who started it, as with a key
    Column("request", JSONB, nullable=False),
    Column("idempotency_key", Text),
    Column("status", Text, nullable=False, server_default="queued"),
    Column("workflow_id", Text, nullable=False),
    # of the life that is queued, at work or waiting
    Column("answer", JSONB),
    Column("error", Text),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("finished_at", DateTime(timezone=True)),
    UniqueConstraint("tenant", "idempotency_key"),
)
Index("run_requests_newest", RUN_REQUESTS.c.tenant, RUN_REQUESTS.c.created_at.desc())

INBOX = Table(
    "inbox",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("run_id", ForeignKey(RUN_REQUESTS.c.run_id, ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    # of the question within its run
    Column("kind", Text, nullable=False),
    Column("subject", JSONB, nullable=False),
    Column("evidence_hash", Text, nullable=False),
    Column("reversible", Boolean, nullable=False),
    Column("auto_approve", Boolean, nullable=False, server_default=text("false")),
    # whether it counts as approved without a decision
    Column("asked_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("warn_at", DateTime(timezone=True), nullable=False),
    Column("warned_at", DateTime(timezone=True)),
    Column("notified_at", DateTime(timezone=True)),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("run_id", "name", "evidence_hash"),
)
Index("inbox_of_tenant", INBOX.c.tenant, INBOX.c.asked_at.desc())
Index("inbox_expiring", INBOX.c.expires_at)
Index("inbox_unannounced", INBOX.c.expires_at, postgresql_where=INBOX.c.notified_at.is_(None))

DECISIONS = Table(
    "decisions",
    METADATA,
    Column("item", ForeignKey(INBOX.c.id, ondelete="CASCADE"), primary_key=True),
    # the key makes a second decision impossible
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("decision", JSONB, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("automatic", Boolean, nullable=False),
    Column("decided_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("executor_id", Text, primary_key=True),
    Column("version", Text, nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("seen_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
)

FALSE_BLOCKS = Table(
    "false_blocks",
    METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("reported_by", Text, nullable=False),
    Column("proof", Text, nullable=False),
    # the id of the proof: the same answer and evidence have the same one
    Column("codes", ARRAY(Text), nullable=False),
    Column("language", Text, nullable=False),
    Column("note", Text, nullable=False, server_default=""),
    Column("claims", JSONB),
    # what was held back, where the installation keeps texts
    Column("trace_id", Text, nullable=False, server_default=""),
    # the run that the answer came from, where the report names one
    UniqueConstraint("tenant", "proof", "reported_by"),
)
Index("false_blocks_of_tenant", FALSE_BLOCKS.c.tenant, FALSE_BLOCKS.c.id.desc())

FALSE_BLOCK_REVIEWS = Table(
    "false_block_reviews",
    METADATA,
    Column("report", ForeignKey(FALSE_BLOCKS.c.id), primary_key=True),
    # the key makes a second decision impossible
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("agreed", Boolean, nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("decided_by", Text, nullable=False),
    Column("decided_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("gold", JSONB),
    # the gold set of one question that it became
    Column("no_case", Text, nullable=False, server_default=""),
    # why it became none
)
Index("false_block_reviews_of_tenant", FALSE_BLOCK_REVIEWS.c.tenant, FALSE_BLOCK_REVIEWS.c.report)

CONVERSATIONS = Table(
    "conversations",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("person", Text, nullable=False),
    # only they see it
    Column("title", Text, nullable=False),
    Column("feature", Text, nullable=False),
    Column("thread", ARRAY(Text), nullable=False),
    # the runs of its turns
    Column("pinned", Boolean, nullable=False, server_default=text("false")),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("used_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
)
Index(
    "conversations_of_person",
    CONVERSATIONS.c.tenant,
    CONVERSATIONS.c.person,
    CONVERSATIONS.c.used_at.desc(),
)
Index("conversations_used", CONVERSATIONS.c.used_at)

FEEDBACK = Table(
    "feedback",
    METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("trace_id", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("is_right", Boolean, nullable=False),
    Column("why", Text, nullable=False, server_default=""),
    Column("at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("decided_by", Text),
    Column("decided_at", DateTime(timezone=True)),
    Column("gold", JSONB),
    # the gold set of one question that it became
    Column("no_case", Text, nullable=False, server_default=""),
    # why it became none
    UniqueConstraint("tenant", "trace_id", "person"),
)
Index("feedback_given", FEEDBACK.c.at)

KNOWN_QUESTIONS = Table(
    "known_questions",
    METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("feature", Text, nullable=False),
    Column("key", Text, nullable=False),
    # of the cluster of questions that it was proposed from
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    # certified, dismissed, or doubted: a person is to look at it
    Column("pattern", JSONB, nullable=False),
    Column("evidence", JSONB, nullable=False),
    # how many people asked it, when, with examples
    Column("checks", JSONB, nullable=False, server_default="[]"),
    # what its examples returned when it was certified
    Column("caller", JSONB),
    # who certified it, with what they may see: it is run again as them
    Column("ontology_hash", Text, nullable=False, server_default=""),
    Column("schema_hash", Text, nullable=False, server_default=""),
    Column("decided_by", Text, nullable=False),
    Column("decided_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("verified_at", DateTime(timezone=True)),
    Column("reason", Text, nullable=False, server_default=""),
    # why it is doubted: the name of a message
    UniqueConstraint("tenant", "feature", "key"),
)

SHARES = Table(
    "shares",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("tenant", ForeignKey(TENANTS.c.id), nullable=False),
    Column("trace_id", Text, nullable=False),
    Column("person", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    Column("revoked_at", DateTime(timezone=True)),
)
Index("shares_of_person", SHARES.c.tenant, SHARES.c.person, SHARES.c.expires_at.desc())
Index("shares_expired", SHARES.c.expires_at)

KEPT_RESULTS = Table(
    "kept_results",
    METADATA,
    Column("tenant", ForeignKey(TENANTS.c.id), primary_key=True),
    Column("feature", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    # of everything that decides the rows
    Column("content", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("kept_at", DateTime(timezone=True), nullable=False),
    # when the statement began
    Column("expires_at", DateTime(timezone=True), nullable=False),
)
Index("kept_results_expiring", KEPT_RESULTS.c.tenant, KEPT_RESULTS.c.expires_at)

AUDIT = Table(
    "audit",
    METADATA,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=_NOW),
    Column("tenant", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", JSONB, nullable=False, server_default=text("'{}'")),
)
Index("audit_of_tenant", AUDIT.c.tenant, AUDIT.c.at.desc())
