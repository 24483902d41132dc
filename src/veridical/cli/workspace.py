"""A server on this machine that needs nothing set up: it brings the database for its own tables."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridical.cli.own_database import has_own_database
from veridical.cli.sample_server import new_key, own_database, the_only_one, working
from veridical.contracts.extras import MissingExtraError, require
from veridical.contracts.language import Language
from veridical.host.feature_pack import pack_of
from veridical.host.settings import FeatureSettings
from veridical.runs.settings import RunsSettings
from veridical.sample.postgres import LocalPostgres, local_postgres

_FOLDER = Path(".veridical")
_TENANT = "workspace"
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True)
class Workspace:
    """The server of one folder."""

    postgres: LocalPostgres
    runs: RunsSettings
    key: str
    tenant: str


def is_workspace(host: str, features: tuple[FeatureSettings, ...]) -> bool:
    """True if this folder can be served without a database that was set up: on this machine alone,
    to one tenant that sees everything."""
    if host not in _LOCAL or has_own_database():
        return False
    try:
        require("local")
    except MissingExtraError:
        return False
    return not any(pack_of(each).has_tenants for each in features)


@contextmanager
def workspace(features: tuple[FeatureSettings, ...], language: Language) -> Generator[Workspace]:
    """The database with its worker until the block ends. What was asked stays in the folder.

    Raises ``UsageError`` where the folder is served already.
    """
    _FOLDER.mkdir(exist_ok=True)
    (_FOLDER / ".gitignore").write_text("*\n", "utf-8")
    with (
        local_postgres(Path.cwd() / _FOLDER / "postgres") as postgres,
        the_only_one(postgres, language, "serve.workspace_runs"),
    ):
        runs = RunsSettings(database_url=own_database(postgres))
        key = new_key(runs, _TENANT, {each.name: {} for each in features})
        with working(runs, None):
            yield Workspace(postgres, runs, key, _TENANT)
