"""What was decided about reports of false alarms, and from which run a report came."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0006"
down_revision = "0005"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_STATEMENTS = (
    "ALTER TABLE veridical.false_blocks ADD COLUMN trace_id text NOT NULL DEFAULT ''",
    "GRANT INSERT (trace_id) ON veridical.false_blocks TO veridical_app",
    """
    CREATE TABLE veridical.false_block_reviews (
        report bigint PRIMARY KEY REFERENCES veridical.false_blocks (id),
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        agreed boolean NOT NULL,
        reason text NOT NULL DEFAULT '',
        decided_by text NOT NULL,
        decided_at timestamptz NOT NULL DEFAULT now(),
        gold jsonb,
        no_case text NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX false_block_reviews_of_tenant ON veridical.false_block_reviews (tenant, report)",
    "REVOKE ALL ON veridical.false_block_reviews FROM PUBLIC",
    "GRANT SELECT ON veridical.false_block_reviews TO veridical_app, veridical_operator",
    "GRANT INSERT (report, tenant, agreed, reason, decided_by, gold, no_case)"
    " ON veridical.false_block_reviews TO veridical_app",
    "ALTER TABLE veridical.false_block_reviews ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.false_block_reviews FORCE ROW LEVEL SECURITY",
    "CREATE POLICY of_tenant ON veridical.false_block_reviews TO veridical_app"
    f" USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.false_block_reviews TO veridical_operator USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
