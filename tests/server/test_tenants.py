from collections.abc import Iterator

import pytest
from sqlalchemy.exc import DBAPIError

from tests.server.tenancy import SCOPE, audit_of, two_tenants
from veridical.server.identity import Limits
from veridical.server.tenants import (
    TenantError,
    change_limits,
    change_scope,
    create_tenant,
    disable_tenant,
    enable_tenant,
    find_tenant,
    tenants,
)
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def store(postgres_url: str) -> Iterator[Store]:
    with two_tenants(postgres_url) as store:
        yield store


def test_a_tenant_is_kept_with_its_scope(store: Store) -> None:
    with store.tenant("acme") as connection:
        found = find_tenant(connection, "acme")
        assert found is not None
        assert found.scope == SCOPE
        assert found.limits == Limits()
        assert [tenant.id for tenant in tenants(connection)] == ["acme"]
        assert find_tenant(connection, "globex") is None


def test_limits_are_changed_and_noted(store: Store) -> None:
    with store.operator() as connection:
        changed = change_limits(connection, "acme", Limits(key_per_minute=3), actor="root")
        assert changed.limits == Limits(key_per_minute=3)
        with pytest.raises(TenantError, match="no_tenant"):
            change_limits(connection, "nobody", Limits(), actor="root")
    (noted,) = audit_of(store, "tenant.changed")
    assert (noted.tenant, noted.actor, noted.detail) == (
        "acme",
        "root",
        {"limits": {"keyPerMinute": 3}},
    )


def test_what_a_tenant_sees_is_changed_and_noted(store: Store) -> None:
    scope = {"trustee": {"mandateId": ("m-009",)}, "rates": {}}
    with store.operator() as connection:
        assert change_scope(connection, "globex", scope, actor="root").scope == scope
        with pytest.raises(TenantError, match="no_tenant"):
            change_scope(connection, "nobody", scope, actor="root")
    noted = audit_of(store, "tenant.changed")[-1]
    assert (noted.tenant, noted.actor) == ("globex", "root")
    assert noted.detail == {"scope": {"trustee": {"mandateId": ["m-009"]}, "rates": {}}}


def test_a_tenant_is_disabled_and_enabled(store: Store) -> None:
    with store.operator() as connection:
        since = disable_tenant(connection, "globex", actor="root").disabled_at
        assert since is not None
    with store.operator() as connection:
        assert disable_tenant(connection, "globex", actor="root").disabled_at == since
        assert enable_tenant(connection, "globex", actor="root").disabled_at is None
        with pytest.raises(TenantError, match="no_tenant"):
            disable_tenant(connection, "nobody", actor="root")
    noted = [each.detail for each in audit_of(store, "tenant.changed")[-3:]]
    assert noted == [{"disabled": True}, {"disabled": True}, {"disabled": False}]


def test_a_tenant_is_made_once(store: Store) -> None:
    with store.operator() as connection, pytest.raises(TenantError, match="tenant_exists"):
        create_tenant(connection, "acme", "Other", {}, actor="root")
    assert [entry.tenant for entry in audit_of(store, "tenant.created")] == ["acme", "globex"]


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a/b", "ä", "a" * 64, "a\n", "~x"])
def test_what_is_no_name(store: Store, name: str) -> None:
    with store.operator() as connection, pytest.raises(TenantError, match="bad_name"):
        create_tenant(connection, name, "x", {}, actor="root")


def test_no_tenant_makes_tenants_or_raises_its_own_limits(store: Store) -> None:
    with pytest.raises(DBAPIError, match="denied"), store.tenant("acme") as connection:
        create_tenant(connection, "mine", "x", {}, actor="Eve")
    with pytest.raises(DBAPIError, match="denied"), store.tenant("acme") as connection:
        change_limits(connection, "acme", Limits(per_minute=10**6), actor="Eve")
    with pytest.raises(DBAPIError, match="denied"), store.tenant("acme") as connection:
        change_scope(connection, "acme", {}, actor="Eve")
    with pytest.raises(DBAPIError, match="denied"), store.tenant("acme") as connection:
        enable_tenant(connection, "acme", actor="Eve")
