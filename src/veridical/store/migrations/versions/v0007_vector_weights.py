"""What the vectors of a model weigh in the search of a collection, by tenant."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0007"
down_revision = "0006"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_STATEMENTS = (
    """
    CREATE TABLE veridical.search_weights (
        collection bigint NOT NULL
            REFERENCES veridical.search_collections (id) ON DELETE CASCADE,
        model text NOT NULL,
        tenant text NOT NULL,
        weight double precision NOT NULL,
        chunks bigint NOT NULL,
        measured_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (collection, model)
    )
    """,
    "REVOKE ALL ON veridical.search_weights FROM PUBLIC",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON veridical.search_weights TO veridical_app",
    "GRANT SELECT ON veridical.search_weights TO veridical_operator",
    "ALTER TABLE veridical.search_weights ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.search_weights FORCE ROW LEVEL SECURITY",
    "CREATE POLICY of_tenant ON veridical.search_weights TO veridical_app"
    f" USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.search_weights TO veridical_operator USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
