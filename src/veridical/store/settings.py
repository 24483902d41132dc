"""The database of Veridical's own tables: ``[runs]``, then ``VERIDICAL_RUNS_*``."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.contracts.settings_table import read_table

TABLE = "runs"
"""The table of ``veridical.toml``."""
PREFIX = "VERIDICAL_RUNS_"


class OwnDatabase(BaseSettings):
    """The database with Veridical's own tables. The environment overrides the file."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    database_url: str = Field(min_length=1, repr=False)
    """``postgresql://…`` of the database with Veridical's own tables."""
    pgbouncer: bool = False
    """Behind PgBouncer in transaction mode nothing is prepared on a connection, and nothing
    listens on one: watchers look again at short intervals."""


def read_own_database(path: Path = SETTINGS_FILE) -> OwnDatabase:
    """The database of ``[runs]`` in this file, where it exists, and of the environment.

    Raises ``ValidationError`` where neither names one.
    """
    return read_table(OwnDatabase, path, TABLE)
