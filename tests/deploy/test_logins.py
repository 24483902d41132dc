"""The logins of a deployment: made by the script, and able to do what they are for and no more."""

from collections.abc import Generator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import text

from tests.deploy.conftest import AddressOf, run_script
from veridical.store.connection import Store, UnreachableError
from veridical.testing.postgres import LocalPostgres

pytestmark = pytest.mark.postgres
RUNS = text("SELECT count(*) FROM veridical.run_requests")


@contextmanager
def _opened(url: str) -> Generator[Store]:
    store = Store(url, connections=1)
    try:
        yield store
    finally:
        store.close()


def test_without_passwords_no_login_is_made(postgres_server: LocalPostgres) -> None:
    assert run_script(postgres_server.url, {}).returncode != 0


def test_a_server_acts_for_one_tenant(migrated: AddressOf) -> None:
    with _opened(migrated("veridical_server")) as store:
        with store.tenant("somebody") as connection:
            assert connection.scalar(RUNS) == 0
        with pytest.raises(UnreachableError), store.operator():
            pass


def test_a_worker_acts_for_no_tenant_and_sees_no_keys(migrated: AddressOf) -> None:
    with _opened(migrated("veridical_work")) as store:
        with store.system() as connection:
            assert connection.scalar(RUNS) == 0
        with pytest.raises(UnreachableError), store.tenant("somebody"):
            pass
        with pytest.raises(UnreachableError), store.operator():
            pass


@pytest.mark.parametrize("login", ["veridical_server", "veridical_work"])
def test_a_login_has_no_right_of_its_own(migrated: AddressOf, login: str) -> None:
    with psycopg.connect(migrated(login), autocommit=True) as connection:
        for statement in (
            "SELECT * FROM veridical.run_requests",
            "SELECT * FROM veridical.api_keys",
            "SELECT * FROM dbos.workflow_status",
            "CREATE SCHEMA mine",
            "CREATE TABLE public.mine ()",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_backups_can_read_all_and_change_nothing(migrated: AddressOf) -> None:
    with psycopg.connect(migrated("veridical_backup"), autocommit=True) as connection:
        connection.execute("SELECT * FROM veridical.run_requests")
        connection.execute("SELECT * FROM dbos.workflow_status")
        connection.execute("SET default_transaction_read_only = off")
        for statement in ("DELETE FROM veridical.inbox", "SET ROLE veridical_worker"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
