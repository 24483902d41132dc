"""A migrated database, and logins that may act as one role of it."""

import re
from collections.abc import Callable, Iterator

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal
from sqlalchemy import make_url

from veridical.store.connection import Store
from veridical.store.migrate import upgrade
from veridical.store.protection import DatabaseRole

Login = Callable[[DatabaseRole], str]


@pytest.fixture(scope="module")
def migrated_url(postgres_url: str) -> str:
    upgrade(postgres_url)
    return postgres_url


@pytest.fixture(scope="module")
def store(migrated_url: str) -> Iterator[Store]:
    store = Store(migrated_url)
    yield store
    store.close()


@pytest.fixture(scope="module")
def login_as(migrated_url: str) -> Login:
    """The address for a login that may act as this role and has no right of its own."""

    def address(role: DatabaseRole) -> str:
        return new_login(migrated_url, f"login_{role}", role)

    return address


def new_login(url: str, name: str, *roles: DatabaseRole, options: str = "LOGIN") -> str:
    with psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone():
            secret = Literal(make_url(url).password)
            connection.execute(
                SQL("CREATE ROLE {} {} PASSWORD {}").format(Identifier(name), SQL(options), secret)  # pyright: ignore
            )
        for role in roles:
            connection.execute(
                SQL("GRANT {} TO {} WITH INHERIT FALSE, SET TRUE").format(
                    Identifier(role), Identifier(name)
                )
            )
    return re.sub(r"//postgres:", f"//{name}:", url, count=1)
