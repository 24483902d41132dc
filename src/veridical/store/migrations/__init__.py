"""Alembic migrations: each is written once, and never changed afterwards."""

from typing import NoReturn


class NoWayBackError(Exception):
    """Migrations have no downgrade."""


def refuse_downgrade() -> NoReturn:
    """Undoing a migration would delete runs, decisions and the audit."""
    raise NoWayBackError(
        "migrations go forward only: undoing one would delete runs, decisions and the audit;"
        " restore a backup that was made before the upgrade"
    )
