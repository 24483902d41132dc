"""The table of vectors comes with the extension, whenever that comes."""

import psycopg
import pytest

from tests.store.conftest import new_login
from veridical.sample.postgres import LocalPostgres
from veridical.store.migrate import check, upgrade
from veridical.store.protection import DatabaseRole

pytestmark = pytest.mark.postgres


def _has_table(url: str) -> bool:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT to_regclass('veridical.search_vectors') IS NOT NULL")
        return found.fetchone() == (True,)


def test_an_owner_who_may_not_create_the_extension_gets_it_later(
    postgres_server: LocalPostgres,
) -> None:
    upgrade(postgres_server.create_database("makes_all_roles"))
    url = postgres_server.create_database("vectors_later")
    owner = new_login(url, "vectors_owner", *DatabaseRole)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE vectors_later OWNER TO vectors_owner")
    upgrade(owner)
    assert check(owner) == ()
    assert not _has_table(url)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    upgrade(owner)
    assert _has_table(url)
    assert check(owner) == ()
    upgrade(owner)
