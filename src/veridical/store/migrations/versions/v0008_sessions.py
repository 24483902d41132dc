"""Sessions of browsers: a record of each, so that it can be ended wherever its cookie is."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0008"
down_revision = "0007"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_STATEMENTS = (
    """
    CREATE TABLE veridical.sessions (
        id text PRIMARY KEY,
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        person text NOT NULL,
        key_id text REFERENCES veridical.api_keys (id),
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        ended_at timestamptz
    )
    """,
    "CREATE INDEX sessions_of_tenant ON veridical.sessions (tenant, person)",
    "CREATE INDEX sessions_of_key ON veridical.sessions (key_id)",
    "CREATE INDEX sessions_expiring ON veridical.sessions (expires_at)",
    "REVOKE ALL ON veridical.sessions FROM PUBLIC",
    "GRANT SELECT ON veridical.sessions TO veridical_app, veridical_operator, veridical_worker",
    "GRANT INSERT (id, tenant, person, key_id, expires_at) ON veridical.sessions TO veridical_app",
    "GRANT UPDATE (ended_at) ON veridical.sessions TO veridical_app, veridical_operator",
    "GRANT DELETE ON veridical.sessions TO veridical_worker",
    "ALTER TABLE veridical.sessions ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE veridical.sessions FORCE ROW LEVEL SECURITY",
    f"CREATE POLICY of_tenant ON veridical.sessions TO veridical_app USING (tenant = {_TENANT})",
    "CREATE POLICY of_all ON veridical.sessions TO veridical_operator, veridical_worker"
    " USING (true)",
)


def upgrade() -> None:
    """The table, what each role may do with it, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
