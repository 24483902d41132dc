"""Decisions that a person takes back within seconds, and items that people were notified of."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0012"
down_revision = "0011"

_STATEMENTS = (
    "GRANT DELETE ON veridical.decisions TO veridical_app",
    "CREATE POLICY undone ON veridical.decisions AS RESTRICTIVE FOR DELETE TO veridical_app"
    " USING (NOT automatic AND decision ->> 'finalAt' IS NOT NULL"
    " AND decided_at > now() - interval '11 seconds')",
    # what is pending already was seen in the console; notices are about what comes from now on
    "ALTER TABLE veridical.inbox ADD COLUMN notified_at timestamptz DEFAULT now()",
    "ALTER TABLE veridical.inbox ALTER COLUMN notified_at DROP DEFAULT",
    "CREATE INDEX inbox_unannounced ON veridical.inbox (expires_at) WHERE notified_at IS NULL",
    "GRANT UPDATE (notified_at) ON veridical.inbox TO veridical_worker",
)


def upgrade() -> None:
    """The right to take a decision back while it is not final, and who was notified when."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
