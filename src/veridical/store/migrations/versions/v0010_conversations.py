"""Conversations of people, and what they say about answers."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0010"
down_revision = "0009"

_TENANT = "(SELECT nullif(current_setting('veridical.tenant', true), ''))"
_TABLES = ("conversations", "feedback")
_STATEMENTS = (
    """
    CREATE TABLE veridical.conversations (
        id text PRIMARY KEY,
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        person text NOT NULL,
        title text NOT NULL,
        feature text NOT NULL,
        thread text[] NOT NULL,
        pinned boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        used_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    "CREATE INDEX conversations_of_person ON veridical.conversations"
    " (tenant, person, used_at DESC)",
    "CREATE INDEX conversations_used ON veridical.conversations (used_at)",
    "GRANT INSERT (id, tenant, person, title, feature, thread) ON veridical.conversations"
    " TO veridical_app",
    "GRANT UPDATE (title, thread, pinned, used_at) ON veridical.conversations TO veridical_app",
    "GRANT DELETE ON veridical.conversations TO veridical_app",
    """
    CREATE TABLE veridical.feedback (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        tenant text NOT NULL REFERENCES veridical.tenants (id),
        trace_id text NOT NULL,
        person text NOT NULL,
        is_right boolean NOT NULL,
        why text NOT NULL DEFAULT '',
        at timestamptz NOT NULL DEFAULT now(),
        decided_by text,
        decided_at timestamptz,
        gold jsonb,
        no_case text NOT NULL DEFAULT '',
        UNIQUE (tenant, trace_id, person)
    )
    """,
    "CREATE INDEX feedback_given ON veridical.feedback (at)",
    "GRANT INSERT (tenant, trace_id, person, is_right, why) ON veridical.feedback TO veridical_app",
    "GRANT UPDATE (is_right, why, at, decided_by, decided_at, gold, no_case)"
    " ON veridical.feedback TO veridical_app",
    *(
        statement
        for table in _TABLES
        for statement in (
            f"REVOKE ALL ON veridical.{table} FROM PUBLIC",
            f"GRANT SELECT ON veridical.{table}"
            " TO veridical_app, veridical_operator, veridical_worker",
            f"GRANT DELETE ON veridical.{table} TO veridical_worker",
            f"ALTER TABLE veridical.{table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE veridical.{table} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY of_tenant ON veridical.{table} TO veridical_app"
            f" USING (tenant = {_TENANT})",
            f"CREATE POLICY of_all ON veridical.{table} TO veridical_operator, veridical_worker"
            " USING (true)",
        )
    ),
)


def upgrade() -> None:
    """The tables, what each role may do with them, and whose rows each sees."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
