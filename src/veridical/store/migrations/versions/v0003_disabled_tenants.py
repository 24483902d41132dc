"""Tenants can be disabled; how many runs they have at once is the installation's to say."""

from alembic import op

from veridical.store.migrations import refuse_downgrade

revision = "0003"
down_revision = "0002"

_STATEMENTS = (
    "ALTER TABLE veridical.tenants ADD COLUMN disabled_at timestamptz",
    "GRANT UPDATE (disabled_at) ON veridical.tenants TO veridical_operator",
    # The owner of the tables sees no rows of them: row policies hold for it as well.
    "SET LOCAL ROLE veridical_operator",
    "UPDATE veridical.tenants SET limits = limits - 'concurrency' WHERE limits ? 'concurrency'",
    "RESET ROLE",
)


def upgrade() -> None:
    """Take away what was kept and never looked at; add the day from which a tenant is shut out."""
    for statement in _STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    """There is none."""
    refuse_downgrade()
