"""How the server listens and what it lets through: ``[server]``, then ``VERIDICAL_SERVER_*``."""

from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE, read_table

TABLE = "server"
"""The table of ``veridical.toml``."""


class ServerSettings(BaseSettings):
    """The settings of the server. The environment, ``VERIDICAL_SERVER_*``, wins over the file."""

    model_config = SettingsConfigDict(
        env_prefix="VERIDICAL_SERVER_",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    host: str = "127.0.0.1"
    """Where to listen. Anything but loopback needs TLS in front of it."""
    port: int = Field(default=8000, ge=0, le=65535)
    """0 takes any that is free."""
    language: Language = Language.EN
    """For callers that name no other in ``Accept-Language``."""
    docs: bool = False
    """Show the reference at ``/docs``. Its page loads a script from elsewhere, so it is off."""
    metrics_token: SecretStr | None = None
    """Lets ``/metrics`` be read from anywhere; without one, from this machine alone."""
    allowed_origins: tuple[str, ...] = ()
    """Web pages of these origins may call the server from a browser. None may by default."""
    trusted_proxies: str = ""
    """Addresses whose ``X-Forwarded-For`` is believed, separated by commas."""
    body_bytes: int = Field(default=1_048_576, ge=1024)
    """The largest body that is read."""
    request_seconds: float = Field(default=180, gt=0)
    """How long a request may take until its response begins; longer ones are runs."""
    heartbeat_seconds: float = Field(default=15, gt=0)
    """A stream in which nothing happens says that it is alive this often."""
    retry_seconds: float = Field(default=2, gt=0)
    """How long a watcher waits before it connects again."""
    stop_seconds: float = Field(default=20, ge=0)
    """How long a server that is asked to stop lets its requests finish."""
    most_asks: int = Field(default=64, ge=1)
    """Questions at once that are answered in this process; the next one is sent away."""
    most_watchers: int = Field(default=2_000, ge=1)
    """Streams at once in this process."""
    threads: int = Field(default=16, ge=1)
    """For what waits for a database."""
    trace_seconds: float = Field(default=0.2, gt=0)
    """How often traces are written: those of one interval together."""
    most_pending_traces: int = Field(default=10_000, ge=1)
    """Traces that wait to be written; while the database is away, what is more than this is lost
    and counted."""
    gate_texts: bool = False
    """Whether claims that the gate held back are written to the log and kept with reports. They are
    parts of answers, and may be personal; codes and languages are always kept."""
    ready_needs_workers: bool = False
    """Whether a server without any worker calls itself not ready."""


def read_server_settings(path: Path = SETTINGS_FILE) -> ServerSettings:
    """The settings of ``[server]`` in this file, where it exists, and of the environment."""
    return read_table(ServerSettings, path, TABLE)
