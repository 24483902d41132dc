"""Who is behind a key and a run, and whether silence approves an item of the inbox."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0009"
down_revision = "0008"

_STATEMENTS = (
    "ALTER TABLE veridical.api_keys ADD COLUMN people text[] NOT NULL DEFAULT '{}'",
    "ALTER TABLE veridical.run_requests ADD COLUMN people text[] NOT NULL DEFAULT '{}'",
    # What waits now was asked under another rule: it is denied unless somebody decides.
    "ALTER TABLE veridical.inbox ADD COLUMN auto_approve boolean NOT NULL DEFAULT false",
)


def upgrade() -> None:
    """Columns with what held before: the name is the person."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
