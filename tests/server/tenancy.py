"""Two tenants in a migrated database."""

from collections.abc import Generator
from contextlib import contextmanager

from veridical.server.identity import ACTIONS, Identity, Limits, Role
from veridical.server.keys import NewKey, create_key
from veridical.server.tenants import create_tenant
from veridical.store.audit import AuditEntry, entries
from veridical.store.connection import Store
from veridical.store.migrate import upgrade

SCOPE = {"trustee": {"mandateId": ("m-001",)}}


@contextmanager
def two_tenants(url: str) -> Generator[Store]:
    upgrade(url)
    store = Store(url)
    with store.operator() as connection:
        create_tenant(connection, "acme", "Acme", SCOPE, actor="setup")
        create_tenant(connection, "globex", "Globex", {}, Limits(per_minute=2), actor="setup")
    yield store
    store.close()


def new_key(store: Store, tenant: str = "acme", role: Role = Role.ANALYST) -> NewKey:
    with store.tenant(tenant) as connection:
        return create_key(connection, tenant, "Ada", role, actor="setup")


def somebody(tenant: str = "acme", role: Role = Role.ADMIN) -> Identity:
    return Identity(tenant, "Ada", role, ACTIONS[role])


def audit_of(store: Store, action: str) -> list[AuditEntry]:
    """The entries of all tenants with this action, the oldest first."""
    with store.operator() as connection:
        return [entry for entry in reversed(entries(connection, 1000)) if entry.action == action]
