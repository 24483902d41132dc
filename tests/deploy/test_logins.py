"""The logins of a deployment: made by the script, and able to do what they are for and no more."""

import os
import re
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import text

from tests.deploy.places import DEPLOY, postgres_program
from veridical.runs.dbos_setup import prepare_engine
from veridical.runs.settings import RunsSettings
from veridical.store.connection import Store, UnreachableError
from veridical.store.migrate import check, upgrade
from veridical.testing.postgres import LocalPostgres

pytestmark = pytest.mark.postgres
PASSWORDS = {
    f"VERIDICAL_{who}_PASSWORD": f'{who}\'s \\ "secret"' for who in ("OWNER", "SERVER", "WORKER")
}


def _run_script(url: str, passwords: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [postgres_program("psql"), "--no-psqlrc", "--dbname", url]
    return subprocess.run(
        [*command, "--file", DEPLOY / "postgresql/logins.sql"],
        env={**os.environ, **passwords},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def server(postgres_server: LocalPostgres) -> Iterator[LocalPostgres]:
    """A server on which an administrator has run the script, twice."""
    for _ in range(2):
        done = _run_script(postgres_server.url, PASSWORDS)
        assert (done.returncode, done.stderr) == (0, "")
    yield postgres_server
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP DATABASE veridical WITH (FORCE)")


def _url(server: LocalPostgres, login: str) -> str:
    return re.sub(r"//postgres:", f"//{login}:", server.url_of("veridical"), count=1)


@pytest.fixture(scope="module")
def migrated(server: LocalPostgres) -> LocalPostgres:
    """The database as its owner brings it to this release."""
    owner = _url(server, "veridical_owner")
    upgrade(owner)
    prepare_engine(RunsSettings(database_url=owner))
    assert check(owner) == ()
    return server


@contextmanager
def _opened(server: LocalPostgres, login: str) -> Generator[Store]:
    store = Store(_url(server, login), connections=1)
    try:
        yield store
    finally:
        store.close()


def test_without_passwords_no_login_is_made(postgres_server: LocalPostgres) -> None:
    assert _run_script(postgres_server.url, {}).returncode != 0


def test_a_server_acts_for_one_tenant(migrated: LocalPostgres) -> None:
    with _opened(migrated, "veridical_server") as store:
        with store.tenant("somebody") as connection:
            seen = connection.scalar(text("SELECT count(*) FROM veridical.run_requests"))
            assert seen == 0
        with pytest.raises(UnreachableError), store.operator():
            pass


def test_a_worker_acts_for_no_tenant_and_sees_no_keys(migrated: LocalPostgres) -> None:
    with _opened(migrated, "veridical_work") as store:
        with store.system() as connection:
            assert connection.scalar(text("SELECT count(*) FROM veridical.run_requests")) == 0
        with pytest.raises(UnreachableError), store.tenant("somebody"):
            pass
        with pytest.raises(UnreachableError), store.operator():
            pass


@pytest.mark.parametrize("login", ["veridical_server", "veridical_work"])
def test_a_login_has_no_right_of_its_own(migrated: LocalPostgres, login: str) -> None:
    with psycopg.connect(_url(migrated, login), autocommit=True) as connection:
        for statement in (
            "SELECT * FROM veridical.run_requests",
            "SELECT * FROM veridical.api_keys",
            "SELECT * FROM dbos.workflow_status",
            "CREATE SCHEMA mine",
            "CREATE TABLE public.mine ()",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
