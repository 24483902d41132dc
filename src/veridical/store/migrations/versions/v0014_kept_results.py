"""Results of statements that may be used again."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0014"
down_revision = "0013"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_STATEMENTS = (
    """
    CREATE TABLE veridical.kept_results (
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        feature text NOT NULL,
        digest text NOT NULL,
        content bytea NOT NULL,
        size bigint NOT NULL,
        kept_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (tenant, feature, digest)
    )
    """,
    "CREATE INDEX kept_results_expiring ON veridical.kept_results (tenant, expires_at)",
    "REVOKE ALL ON veridical.kept_results FROM PUBLIC",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON veridical.kept_results"
    " TO veridical_app, veridical_worker",
    # an operator clears them, and reads none of their rows
    "GRANT SELECT (tenant, feature, kept_at), DELETE ON veridical.kept_results"
    " TO veridical_operator",
    "ALTER TABLE veridical.kept_results ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.kept_results FORCE ROW LEVEL SECURITY",
    # a worker, too, sees the results of one tenant at a time
    "CREATE POLICY of_tenant ON veridical.kept_results TO veridical_app, veridical_worker"
    f" USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.kept_results FOR DELETE TO veridical_operator USING (true)",
    "CREATE POLICY seen_by_all ON veridical.kept_results FOR SELECT TO veridical_operator"
    " USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
