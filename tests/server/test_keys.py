import string
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.tenancy import audit_of, new_key, two_tenants
from veridical.server.identity import Action, Role
from veridical.server.keys import (
    KeyRefusedError,
    create_key,
    find_key,
    keys,
    opens,
    parse_key,
    revoke_key,
)
from veridical.store.connection import Store

HEX = "0123456789abcdef"


def _written(key_id: str, secret: str) -> tuple[str, str]:
    return key_id, f"vk_{key_id}_{secret}"


WRITTEN = st.builds(
    _written, st.text(HEX, min_size=16, max_size=16), st.text(HEX, min_size=64, max_size=64)
)


@pytest.fixture(scope="module")
def store(postgres_url: str) -> Iterator[Store]:
    with two_tenants(postgres_url) as store:
        yield store


@given(WRITTEN)
def test_what_is_written_as_a_key_gives_its_id(written: tuple[str, str]) -> None:
    key_id, key = written
    assert parse_key(key) == key_id


@given(WRITTEN, st.data())
def test_any_other_character_makes_it_no_key(written: tuple[str, str], data: st.DataObject) -> None:
    _, key = written
    place = data.draw(st.integers(0, len(key) - 1))
    other = data.draw(st.characters().filter(lambda c: c not in HEX and c != key[place]))
    assert parse_key(key[:place] + other + key[place + 1 :]) is None


@given(WRITTEN, st.text(string.printable, min_size=1, max_size=3))
def test_nothing_may_stand_around_a_key(written: tuple[str, str], around: str) -> None:
    _, key = written
    assert parse_key(around + key) is None
    assert parse_key(key + around) is None
    assert parse_key(key[: -len(around)]) is None


@given(st.text())
def test_any_text_is_a_key_or_is_not(text: str) -> None:
    assert parse_key(text) is None


@pytest.mark.postgres
def test_a_key_opens_with_its_secret_only(store: Store) -> None:
    made, other = new_key(store), new_key(store)
    held = find_key(store, made.id)
    assert held is not None
    assert (held.info.tenant, held.tenant.id, held.expired) == ("acme", "acme", False)
    assert opens(made.key, held)
    assert not opens(other.key, held)
    assert not opens(made.key[:-1] + ("0" if made.key[-1] != "0" else "1"), held)
    assert find_key(store, "0" * 16) is None


@pytest.mark.postgres
def test_no_secret_is_stored(store: Store, postgres_url: str) -> None:
    made = new_key(store)
    secret = made.key.rpartition("_")[2]
    with psycopg.connect(postgres_url) as connection:
        for table in ("api_keys", "audit"):
            rows = connection.execute(f"SELECT t::text FROM veridical.{table} t").fetchall()  # pyright: ignore
            assert rows
            assert not any(secret in row[0] for row in rows)
            assert any(made.id in row[0] for row in rows)


@pytest.mark.postgres
def test_a_tenant_lists_and_revokes_its_own_keys(store: Store) -> None:
    ours, theirs = new_key(store, "acme"), new_key(store, "globex")
    with store.tenant("acme") as connection:
        listed = {key.id for key in keys(connection)}
        assert ours.id in listed
        assert theirs.id not in listed
        with pytest.raises(KeyRefusedError, match="no_key"):
            revoke_key(connection, theirs.id, actor="Ada")
    held = find_key(store, theirs.id)
    assert held is not None
    assert held.info.revoked_at is None


@pytest.mark.postgres
def test_a_key_is_revoked_once(store: Store) -> None:
    made = new_key(store)
    with store.tenant("acme") as connection:
        first = revoke_key(connection, made.id, actor="Ada")
    with store.tenant("acme") as connection:
        assert revoke_key(connection, made.id, actor="Ada") == first
    assert first.revoked_at is not None
    noted = [entry for entry in audit_of(store, "key.revoked") if entry.subject == made.id]
    assert [(entry.tenant, entry.actor) for entry in noted] == [("acme", "Ada")]


@pytest.mark.postgres
def test_a_key_expires_on_the_databases_clock(store: Store) -> None:
    with store.tenant("acme") as connection:
        past = datetime.now(UTC) - timedelta(days=1)
        made = create_key(connection, "acme", "Ada", Role.VIEWER, expires_at=past, actor="setup")
    held = find_key(store, made.id)
    assert held is not None
    assert held.expired


@pytest.mark.postgres
def test_a_key_may_do_less_than_its_role_and_never_more(store: Store) -> None:
    with store.tenant("acme") as connection:
        made = create_key(connection, "acme", "Bot", Role.ADMIN, [Action.READ], actor="setup")
        assert made.actions == (Action.READ,)
        for actions in ([Action.ADMIN], [Action.READ, Action.DECIDE], []):
            with pytest.raises(KeyRefusedError, match="too_many_actions"):
                create_key(connection, "acme", "Bot", Role.VIEWER, actions, actor="setup")


@pytest.mark.postgres
@pytest.mark.parametrize("name", ["", "   ", "a\x00b", "a\nb", "x" * 101])
def test_a_key_has_a_name_that_can_be_shown(store: Store, name: str) -> None:
    with store.tenant("acme") as connection, pytest.raises(KeyRefusedError, match="bad_key_name"):
        create_key(connection, "acme", name, Role.VIEWER, actor="setup")


@pytest.mark.postgres
@pytest.mark.parametrize("tenant", ["globex", "nobody"])
def test_nobody_makes_a_key_for_another_tenant(store: Store, tenant: str) -> None:
    with store.tenant("acme") as connection, pytest.raises(KeyRefusedError, match="no_tenant"):
        create_key(connection, tenant, "Eve", Role.ADMIN, actor="Eve")
