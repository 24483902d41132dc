"""Tenants: the scope of each in every feature, and its rate limits."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, func, select, update
from sqlalchemy.dialects.postgresql import insert

from veridical.contracts.caller import ScopeValue
from veridical.contracts.wire import Wire
from veridical.server.identity import DEFAULT_LIMITS, Limits
from veridical.store.audit import AuditAction, note
from veridical.store.tables import TENANTS

_NAMED = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


class TenantError(Exception):
    """The tenant can't be made or found; ``problem`` says why, as the name of a message."""

    def __init__(self, problem: str, tenant: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.tenant = tenant


class Tenant(Wire):
    """One tenant."""

    id: str
    name: str
    scope: dict[str, dict[str, tuple[ScopeValue, ...]]] = Field(
        default_factory=dict[str, dict[str, tuple[ScopeValue, ...]]]
    )
    """The tenant columns with the values that may be seen, by feature. A feature that is not named
    is closed to the tenant."""
    limits: Limits = DEFAULT_LIMITS
    created_at: datetime
    disabled_at: datetime | None = None
    """From then on none of its credentials is taken."""


def create_tenant(
    connection: Connection,
    tenant: str,
    name: str,
    scope: Mapping[str, Mapping[str, tuple[ScopeValue, ...]]],
    limits: Limits = DEFAULT_LIMITS,
    *,
    actor: str,
) -> Tenant:
    """Make a tenant, as the operator. Raises ``TenantError``."""
    if not _NAMED.fullmatch(tenant):
        raise TenantError("bad_name", tenant)
    row = insert(TENANTS).values(id=tenant, name=name, scope=scope, limits=_stored(limits))
    made = connection.execute(row.on_conflict_do_nothing().returning(TENANTS)).mappings().first()
    if made is None:
        raise TenantError("tenant_exists", tenant)
    detail = {"scope": scope, "limits": _stored(limits)}
    note(connection, tenant, actor, AuditAction.TENANT_CREATED, tenant, detail)
    return Tenant.model_validate(dict(made))


def change_limits(connection: Connection, tenant: str, limits: Limits, *, actor: str) -> Tenant:
    """Set how much a tenant may take, as the operator. Raises ``TenantError``."""
    changes = {"limits": _stored(limits)}
    return _change(connection, tenant, changes, changes, actor)


def change_scope(
    connection: Connection,
    tenant: str,
    scope: Mapping[str, Mapping[str, tuple[ScopeValue, ...]]],
    *,
    actor: str,
) -> Tenant:
    """Set all that a tenant may see, as the operator. Raises ``TenantError``.

    Runs that were started before keep the scope they had.
    """
    return _change(connection, tenant, {"scope": scope}, {"scope": scope}, actor)


def disable_tenant(connection: Connection, tenant: str, *, actor: str) -> Tenant:
    """Take none of its credentials any more, as the operator. Raises ``TenantError``."""
    since = func.coalesce(TENANTS.c.disabled_at, func.now())
    return _change(connection, tenant, {"disabled_at": since}, {"disabled": True}, actor)


def enable_tenant(connection: Connection, tenant: str, *, actor: str) -> Tenant:
    """Take its credentials again, as the operator. Raises ``TenantError``."""
    return _change(connection, tenant, {"disabled_at": None}, {"disabled": False}, actor)


def _change(
    connection: Connection,
    tenant: str,
    values: Mapping[str, Any],
    detail: Mapping[str, Any],
    actor: str,
) -> Tenant:
    changed = update(TENANTS).where(TENANTS.c.id == tenant).values(values)
    made = connection.execute(changed.returning(TENANTS)).mappings().first()
    if made is None:
        raise TenantError("no_tenant", tenant)
    note(connection, tenant, actor, AuditAction.TENANT_CHANGED, tenant, detail)
    return Tenant.model_validate(dict(made))


def find_tenant(connection: Connection, tenant: str) -> Tenant | None:
    """The tenant, as far as the transaction may see it."""
    row = connection.execute(select(TENANTS).where(TENANTS.c.id == tenant)).mappings().first()
    return None if row is None else Tenant.model_validate(dict(row))


def tenants(connection: Connection) -> tuple[Tenant, ...]:
    """All that the transaction may see, by their ids."""
    rows = connection.execute(select(TENANTS).order_by(TENANTS.c.id)).mappings()
    return tuple(Tenant.model_validate(dict(row)) for row in rows)


def _stored(limits: Limits) -> dict[str, Any]:
    """Only what was set: a default that changes one day is to change for all."""
    return limits.model_dump(by_alias=True, exclude_unset=True)
