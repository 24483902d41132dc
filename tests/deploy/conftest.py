"""A PostgreSQL that was prepared as the documents say: by the script, then by a migration."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator

import psycopg
import pytest

from tests.deploy.places import DEPLOY, postgres_program
from tests.sample import trustee
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.settings import RunsSettings
from veridical.sample.postgres import LocalPostgres
from veridical.store.migrate import check, upgrade

__all__ = ["trustee"]

PASSWORDS = {
    f"VERIDICAL_{who}_PASSWORD": f'{who}\'s \\ "secret"'
    for who in ("OWNER", "SERVER", "WORKER", "BACKUP")
}
AddressOf = Callable[[str], str]


def run_script(
    url: str, passwords: dict[str, str], script: str = "logins.sql"
) -> subprocess.CompletedProcess[str]:
    command = [postgres_program("psql"), "--no-psqlrc", "--dbname", url]
    return subprocess.run(
        [*command, "--file", DEPLOY / "postgresql" / script],
        env={**os.environ, **passwords},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def address_of(postgres_server: LocalPostgres) -> Iterator[AddressOf]:
    """For a login its address, on a server where an administrator has run the script twice."""
    for _ in range(2):
        done = run_script(postgres_server.url, PASSWORDS)
        assert (done.returncode, done.stderr) == (0, "")

    def address(login: str) -> str:
        url = postgres_server.url_of("veridical")
        return re.sub(r"//postgres:", f"//{login}:", url, count=1)

    yield address
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS veridical WITH (FORCE)")


@pytest.fixture(scope="module")
def migrated(address_of: AddressOf) -> AddressOf:
    """The same, when the owner has brought the database to this release."""
    owner = address_of("veridical_owner")
    upgrade(owner)
    prepare_engine(RunsSettings(database_url=owner))
    assert check(owner) == ()
    return address_of
