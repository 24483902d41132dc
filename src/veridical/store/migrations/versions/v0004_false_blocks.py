"""Reports of answers that the gate held back wrongly: kept for each tenant, and only added to."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0004"
down_revision = "0003"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_STATEMENTS = (
    """
    CREATE TABLE veridical.false_blocks (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        at timestamptz NOT NULL DEFAULT now(),
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        reported_by text NOT NULL,
        proof text NOT NULL,
        codes text[] NOT NULL,
        language text NOT NULL,
        note text NOT NULL DEFAULT '',
        claims jsonb,
        UNIQUE (tenant, proof, reported_by)
    )
    """,
    "CREATE INDEX false_blocks_of_tenant ON veridical.false_blocks (tenant, id DESC)",
    "REVOKE ALL ON veridical.false_blocks FROM PUBLIC",
    "GRANT SELECT ON veridical.false_blocks TO veridical_app, veridical_operator",
    "GRANT INSERT (tenant, reported_by, proof, codes, language, note, claims)"
    " ON veridical.false_blocks TO veridical_app",
    "ALTER TABLE veridical.false_blocks ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.false_blocks FORCE ROW LEVEL SECURITY",
    "CREATE POLICY of_tenant ON veridical.false_blocks TO veridical_app"
    f" USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.false_blocks TO veridical_operator USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
