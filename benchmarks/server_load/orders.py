"""What a process of the benchmark is told when it is started."""

from veridical.contracts.wire import Wire
from veridical.runs.settings import RunsSettings


class Orders(Wire):
    """Where the data is, and how much goes on at once."""

    runs_url: str
    """The database of the runs; that of the bare engine for what is measured beside it."""
    books_url: str
    tenant_concurrency: int = 8

    @property
    def settings(self) -> RunsSettings:
        """The settings of the runs."""
        return RunsSettings(
            database_url=self.runs_url,
            tenant_concurrency=self.tenant_concurrency,
            poll_seconds=0.1,
        )
