"""Links to answers that people share."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0011"
down_revision = "0010"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_STATEMENTS = (
    """
    CREATE TABLE veridical.shares (
        id text PRIMARY KEY,
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        trace_id text NOT NULL,
        person text NOT NULL,
        title text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz
    )
    """,
    "CREATE INDEX shares_of_person ON veridical.shares (tenant, person, expires_at DESC)",
    "CREATE INDEX shares_expired ON veridical.shares (expires_at)",
    "REVOKE ALL ON veridical.shares FROM PUBLIC",
    "GRANT SELECT ON veridical.shares TO veridical_app, veridical_operator, veridical_worker",
    "GRANT INSERT (id, tenant, trace_id, person, title, expires_at) ON veridical.shares"
    " TO veridical_app",
    "GRANT UPDATE (revoked_at) ON veridical.shares TO veridical_app",
    "GRANT DELETE ON veridical.shares TO veridical_worker",
    "ALTER TABLE veridical.shares ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.shares FORCE ROW LEVEL SECURITY",
    f"CREATE POLICY of_tenant ON veridical.shares TO veridical_app USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.shares TO veridical_operator, veridical_worker USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
