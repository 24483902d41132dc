"""Known questions that a tenant certified, or dismissed."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0013"
down_revision = "0012"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_DECIDED = (
    "name, state, pattern, evidence, checks, caller, ontology_hash, schema_hash, decided_by,"
    " decided_at, verified_at, reason"
)
_STATEMENTS = (
    """
    CREATE TABLE veridical.known_questions (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        feature text NOT NULL,
        key text NOT NULL,
        name text NOT NULL,
        state text NOT NULL CHECK (state IN ('certified', 'dismissed', 'doubted')),
        pattern jsonb NOT NULL,
        evidence jsonb NOT NULL,
        checks jsonb NOT NULL DEFAULT '[]',
        caller jsonb,
        ontology_hash text NOT NULL DEFAULT '',
        schema_hash text NOT NULL DEFAULT '',
        decided_by text NOT NULL,
        decided_at timestamptz NOT NULL DEFAULT now(),
        verified_at timestamptz,
        reason text NOT NULL DEFAULT '',
        UNIQUE (tenant, feature, key)
    )
    """,
    "REVOKE ALL ON veridical.known_questions FROM PUBLIC",
    "GRANT SELECT ON veridical.known_questions"
    " TO veridical_app, veridical_operator, veridical_worker",
    f"GRANT INSERT (tenant, feature, key, {_DECIDED}) ON veridical.known_questions"
    " TO veridical_app",
    f"GRANT UPDATE ({_DECIDED}) ON veridical.known_questions TO veridical_app",
    "GRANT DELETE ON veridical.known_questions TO veridical_app",
    # a worker says how they stand, and neither what they ask nor who certified them
    "GRANT UPDATE (state, ontology_hash, schema_hash, verified_at, reason)"
    " ON veridical.known_questions TO veridical_worker",
    "ALTER TABLE veridical.known_questions ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.known_questions FORCE ROW LEVEL SECURITY",
    "CREATE POLICY of_tenant ON veridical.known_questions TO veridical_app"
    f" USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.known_questions TO veridical_operator, veridical_worker"
    " USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
