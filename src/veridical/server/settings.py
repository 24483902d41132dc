"""Settings of the server: ``[server]``, then ``VERIDICAL_SERVER_*``."""

from enum import StrEnum
from pathlib import Path

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.contracts.settings_table import read_table

TABLE = "server"
"""The table of ``veridical.toml``."""


class Module(StrEnum):
    """Pages of the console that an installation may do without."""

    EVIDENCE = "evidence"
    """search in documents"""
    REQUIREMENTS = "requirements"
    """review of requirements"""


class ServerSettings(BaseSettings):
    """The settings of the server. The environment, ``VERIDICAL_SERVER_*``, overrides the file."""

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
    """The language for callers that send no ``Accept-Language``."""
    docs: bool = False
    """Show the reference at ``/docs``. Its page loads a script from elsewhere, so it is off."""
    console: bool = True
    """Serve the pages for people at ``/console``."""
    console_modules: tuple[Module, ...] = tuple(Module)
    """Modules of the console that are shown: search in documents, review of requirements."""
    session_secret: SecretStr | None = Field(default=None, min_length=32)
    """Seals the sessions of browsers. Without one, they end with the process; servers behind one
    address need the same."""
    maintainers: tuple[str, ...] = ()
    """Tenants whose administrators look after the installation in the console: they see its eval
    reports and decide on proposals for the ontology, which holds for all tenants."""
    model_hosts: tuple[str, ...] = ()
    """Hosts where these administrators may look for a model besides public addresses over https: by
    name or address, such as ``localhost``; over http too."""
    evals: Path = Path("evals")
    """The folder with the eval reports that the console shows: folders that ``veridical eval run``
    wrote, and baselines."""
    signing_key: Path = Path("signing-key.pem")
    """The Ed25519 key that signs downloaded answers; made where it is missing. Servers behind one
    address need the same."""
    metrics_token: SecretStr | None = None
    """Lets ``/metrics`` be read from anywhere; without one, from this machine alone."""
    allowed_origins: tuple[str, ...] = ()
    """Web pages of these origins may call the server from a browser. None may by default."""
    trusted_proxies: str = ""
    """Addresses whose ``X-Forwarded-For`` is believed, separated by commas."""
    body_bytes: int = Field(default=1_048_576, ge=1024)
    """The largest body that is read."""
    upload_bytes: int = Field(default=52_428_800, ge=1024)
    """The most that is uploaded at once where data is connected in the console."""
    header_seconds: float = Field(default=10, gt=0)
    """How long a connection may take to send the headers of a request."""
    body_seconds: float = Field(default=30, gt=0)
    """How long a body may take to arrive."""
    most_connections: int = Field(default=3_000, ge=1)
    """Connections at once; the next one is closed."""
    address_connections: int = Field(default=1_000, ge=1)
    """Connections from one address; trusted proxies have no such limit."""
    request_seconds: float = Field(default=180, gt=0)
    """How long a request may take until its response begins; longer ones are runs."""
    heartbeat_seconds: float = Field(default=15, gt=0)
    """A stream in which nothing happens says that it is alive this often."""
    stop_seconds: float = Field(default=20, ge=0)
    """How long a server that is asked to stop lets its requests finish."""
    most_asks: int = Field(default=64, ge=1)
    """Questions at once that are answered in this process; the next one is refused."""
    tenant_asks: int = Field(default=16, ge=1)
    """Questions of one tenant at once."""
    most_watchers: int = Field(default=2_000, ge=1)
    """Streams at once in this process."""
    tenant_watchers: int = Field(default=500, ge=1)
    """Streams of one tenant at once."""
    key_watchers: int = Field(default=200, ge=1)
    """Streams of one key at once."""
    most_requests: int = Field(default=512, ge=1)
    """Requests at once, of any kind, whose response is not done; streams are counted apart."""
    tenant_requests: int = Field(default=64, ge=1)
    """Requests of one tenant at once."""
    threads: int = Field(default=16, ge=1)
    """Threads for work that waits for a database."""
    tenant_threads: int = Field(default=4, ge=1)
    """Threads of one tenant at once; its other work waits."""
    processes: int = Field(default=2, ge=1)
    """Processes for the gate and the check, and as many again for files and requirements. One
    tenant has all but one of them at most."""
    most_works: int = Field(default=64, ge=1)
    """Requests at once that such a process works on or that wait for one."""
    tenant_works: int = Field(default=8, ge=1)
    """Such requests of one tenant at once."""
    work_seconds: float = Field(default=5, gt=0)
    """How long a process works on one of them before it is ended."""
    work_megabytes: int = Field(default=256, ge=32)
    """Memory that a process may take beyond what it begins with."""
    gate_texts: bool = False
    """Whether claims that the gate held back are written to the log and kept with reports. They are
    parts of answers, and may be personal; codes and languages are always kept."""
    ready_needs_workers: bool = False
    """Whether a server without any worker calls itself not ready."""


def read_server_settings(path: Path = SETTINGS_FILE) -> ServerSettings:
    """The settings of ``[server]`` in this file, where it exists, and of the environment."""
    return read_table(ServerSettings, path, TABLE)
