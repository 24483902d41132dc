"""Settings of durable runs: database, leases, concurrency, retention."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.contracts.settings_table import read_table
from veridical.runs.inbox_item import DEFAULT_DEADLINES, InboxDeadlines
from veridical.runs.notice_settings import NO_NOTICES, NoticeSettings
from veridical.store.settings import TABLE, OwnDatabase

_BEATS_IN_A_LEASE = 3


class RunsSettings(OwnDatabase):
    """The settings of durable runs. The environment, ``VERIDICAL_RUNS_*``, overrides the file."""

    model_config = SettingsConfigDict(extra="forbid")

    dbos_url: str = Field(default="", repr=False)
    """The same database under the login that owns the schema ``dbos``, where it is another one."""
    lease_seconds: float = Field(default=30, ge=0.5)
    """How long a worker may be silent before others take over its runs."""
    keep_days: float = Field(default=3, gt=0)
    """How long the engine's rows of a finished run are kept."""
    keep_runs_days: float = Field(default=90, gt=0)
    """How long finished runs are kept, with their answers and traces."""
    worker_concurrency: int = Field(default=16, ge=1)
    """Runs at once in one worker."""
    tenant_concurrency: int = Field(default=8, ge=1)
    """Runs of one tenant at once, over all workers."""
    tenant_per_minute: int = Field(default=0, ge=0)
    """Runs of one tenant that may begin within a minute; any number where 0."""
    poll_seconds: float = Field(default=0.2, gt=0)
    """How often a worker looks for new runs."""
    attempts: int = Field(default=20, ge=1)
    """How often a run may be taken up again after its worker died, before it counts as failed."""
    lives: int = Field(default=100, ge=1)
    """How often a run may end to wait for somebody and go on."""
    stop_seconds: float = Field(default=20, ge=0)
    """How long a worker that is asked to stop lets its runs finish before it hands them back."""
    deadlines: InboxDeadlines = DEFAULT_DEADLINES
    """How long people have to decide what a run needs decided."""
    notices: NoticeSettings = NO_NOTICES
    """How people learn that something waits for them."""
    connections: int = Field(default=5, ge=1)
    """How many stay open to Veridical's own tables."""

    @property
    def engine_url(self) -> str:
        """The database URL of the engine's tables."""
        return self.dbos_url or self.database_url

    @property
    def beat_seconds(self) -> float:
        """The time between two heartbeats."""
        return self.lease_seconds / _BEATS_IN_A_LEASE


def read_runs_settings(path: Path = SETTINGS_FILE, database_url: str | None = None) -> RunsSettings:
    """The settings of ``[runs]`` in this file, where it exists, and of the environment; a database
    that is given wins over both."""
    given = {} if database_url is None else {"database_url": database_url}
    return read_table(RunsSettings, path, TABLE, given)
