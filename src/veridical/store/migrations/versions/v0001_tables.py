"""The first tables; those of the traces are taken over where they are there already."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0001"
down_revision = None

_TRACES = """
CREATE TABLE IF NOT EXISTS veridical.runs (
    trace_id text PRIMARY KEY,
    tenant text NOT NULL DEFAULT '',
    caller text NOT NULL DEFAULT '',
    started_at timestamptz,
    outcome text
);
CREATE TABLE IF NOT EXISTS veridical.events (
    trace_id text NOT NULL REFERENCES veridical.runs (trace_id) ON DELETE CASCADE,
    sequence integer NOT NULL,
    kind text NOT NULL,
    event jsonb NOT NULL,
    PRIMARY KEY (trace_id, sequence)
);
CREATE INDEX IF NOT EXISTS runs_newest ON veridical.runs (started_at DESC);
CREATE INDEX IF NOT EXISTS runs_of_tenant ON veridical.runs (tenant, started_at DESC);
CREATE INDEX IF NOT EXISTS events_by_kind ON veridical.events (kind)
"""

_TENANTS = """
CREATE TABLE veridical.tenants (
    id text PRIMARY KEY,
    name text NOT NULL,
    scope jsonb NOT NULL,
    limits jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE veridical.api_keys (
    id text PRIMARY KEY,
    tenant text NOT NULL REFERENCES veridical.tenants (id),
    name text NOT NULL,
    role text NOT NULL,
    actions text[] NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
)
"""

_RUNS = """
CREATE TABLE veridical.run_requests (
    run_id text PRIMARY KEY,
    tenant text NOT NULL REFERENCES veridical.tenants (id),
    asked_by text NOT NULL,
    request jsonb NOT NULL,
    idempotency_key text,
    status text NOT NULL DEFAULT 'queued',
    workflow_id text NOT NULL,
    answer jsonb,
    error text,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    UNIQUE (tenant, idempotency_key)
);
CREATE INDEX run_requests_newest ON veridical.run_requests (tenant, created_at DESC);
CREATE TABLE veridical.workers (
    executor_id text PRIMARY KEY,
    version text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
)
"""

_PEOPLE = """
CREATE TABLE veridical.inbox (
    id text PRIMARY KEY,
    tenant text NOT NULL REFERENCES veridical.tenants (id),
    run_id text NOT NULL REFERENCES veridical.run_requests (run_id) ON DELETE CASCADE,
    name text NOT NULL,
    kind text NOT NULL,
    subject jsonb NOT NULL,
    evidence_hash text NOT NULL,
    reversible boolean NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    warn_at timestamptz NOT NULL,
    warned_at timestamptz,
    expires_at timestamptz NOT NULL,
    UNIQUE (run_id, name, evidence_hash)
);
CREATE INDEX inbox_of_tenant ON veridical.inbox (tenant, asked_at DESC);
CREATE INDEX inbox_expiring ON veridical.inbox (expires_at);
CREATE TABLE veridical.decisions (
    item text PRIMARY KEY REFERENCES veridical.inbox (id) ON DELETE CASCADE,
    tenant text NOT NULL REFERENCES veridical.tenants (id),
    decision jsonb NOT NULL,
    decided_by text NOT NULL,
    automatic boolean NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now()
)
"""

_AUDIT = """
CREATE TABLE veridical.audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    tenant text NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_of_tenant ON veridical.audit (tenant, at DESC)
"""


def upgrade() -> None:
    """Make what is missing."""
    for statements in (_TRACES, _TENANTS, _RUNS, _PEOPLE, _AUDIT):
        for statement in statements.split(";"):
            op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
