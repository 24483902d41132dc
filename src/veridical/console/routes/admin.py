"""``/console/admin``: the tenant with its limits, roles, keys, the audit log, and health."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.form import Form, field, form_of
from veridical.console.maintenance import is_maintainer
from veridical.console.page import page
from veridical.console.seal import handed_over
from veridical.server.audit import read_audit
from veridical.server.auth import AdminAccess
from veridical.server.health import Health
from veridical.server.identity import ACTIONS, Action, Identity, Limits, Role
from veridical.server.keys import (
    LAST_ADMIN_KEY,
    KeyInfo,
    KeyRefusedError,
    NewKey,
    create_key,
    find_key_info,
    is_last_admin_key,
)
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.routes.keys import end_key, held_keys
from veridical.server.services import Services, ServicesDep
from veridical.server.settings import ServerSettings
from veridical.server.tenants import Tenant, find_tenant

router = APIRouter(prefix="/console/admin")

_CHECKS = frozenset({"database", "migrations", "storage", "workers", "reload", "feature", "open"})
"""Findings with a name in the reader's language; others show the name itself."""

_LISTED = 50
_LONGEST_LIFE = 3650
_LONGEST_NAME = 100
_SHARES = ("tenant_asks", "tenant_works", "tenant_requests", "tenant_watchers", "key_watchers")
"""Of the server's settings: how much one tenant, or one key of it, may have at once."""


@router.get("")
async def show(request: Request, identity: AdminAccess, services: ServicesDep) -> Response:
    """The page; with a key that was just made, where only the language changed."""
    return await _page(request, identity, services, handed_over(request).get("key", ""))


@router.post("/keys")
async def create(request: Request, identity: AdminAccess, services: ServicesDep) -> Response:
    """Makes a key; this page is the only one that ever shows it."""
    fields = await form_of(request)
    made = await asyncio.to_thread(_create, services, identity, fields)
    return await _page(request, identity, services, made.key)


@router.get("/keys/{key_id}/revoke")
async def ask_to_revoke(
    request: Request, identity: AdminAccess, services: ServicesDep, key_id: str
) -> Response:
    """The consequences of revoking this key, before it is done."""
    return await _confirmation(request, identity, services, key_id)


@router.post("/keys/{key_id}/revoke")
async def revoke(
    request: Request, identity: AdminAccess, services: ServicesDep, key_id: str
) -> Response:
    """Revokes a key if confirmed; otherwise shows the confirmation."""
    fields = await form_of(request)
    if field(fields, "confirmed") != "yes":
        return await _confirmation(request, identity, services, key_id)
    even_last = field(fields, "last") == "yes"
    try:
        await asyncio.to_thread(end_key, services, identity, key_id, even_last=even_last)
    except KeyRefusedError as error:
        if error.problem != LAST_ADMIN_KEY:
            raise
        return await _confirmation(request, identity, services, key_id)
    return RedirectResponse("/console/admin", 303)


@router.get("/audit")
async def audit(
    request: Request,
    identity: AdminAccess,
    services: ServicesDep,
    before: Annotated[int, Query(ge=1, le=2**63 - 1)] = 2**63 - 1,
) -> Response:
    """The audit log, the newest entry first."""
    entries = await read_audit(services.store, identity, _LISTED, before)
    further = entries[-1].id if len(entries) == _LISTED else 0
    return page(request, "audit.html", entries=entries, further=further)


async def _confirmation(
    request: Request, identity: Identity, services: Services, key_id: str
) -> Response:
    def found() -> tuple[KeyInfo, bool]:
        with services.store.tenant(identity.tenant) as connection:
            return find_key_info(connection, key_id), is_last_admin_key(connection, key_id)

    key, is_last = await asyncio.to_thread(found)
    is_own = key.id == identity.key_id
    return page(request, "revoke.html", key=key, is_own=is_own, is_last=is_own and is_last)


async def _page(
    request: Request, identity: Identity, services: Services, secret: str = ""
) -> Response:
    health: Health = request.app.state.health
    found = await asyncio.to_thread(held_keys, services, identity)
    tenant = await asyncio.to_thread(_tenant, services, identity)
    return page(
        request,
        "admin.html",
        keys=found,
        secret=secret,
        roles=tuple(Role),
        rights=[(role, [action in ACTIONS[role] for action in Action]) for role in Role],
        actions=tuple(Action),
        tenant=tenant,
        limits=_limits(services.settings, tenant.limits),
        health=await health.look(),
        known_checks=_CHECKS,
        agent=request.app.state.model_switch.state if is_maintainer(services, identity) else None,
    )


def _tenant(services: Services, identity: Identity) -> Tenant:
    with services.store.tenant(identity.tenant) as connection:
        found = find_tenant(connection, identity.tenant)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found


def _limits(settings: ServerSettings, own: Limits) -> list[tuple[str, int, str]]:
    """The limits of a tenant: name, value, and where it is changed."""
    key = own.per_minute if own.key_per_minute is None else own.key_per_minute
    return [
        ("per_minute", own.per_minute, "veridical tenant limit"),
        ("key_per_minute", key, "veridical tenant limit"),
        *((name, getattr(settings, name), f"[server] {name}") for name in _SHARES),
    ]


def _create(services: Services, identity: Identity, fields: Form) -> NewKey:
    days = field(fields, "days")
    life = min(int(days), _LONGEST_LIFE) if days.isdecimal() and len(days) < 6 else 0
    chosen = field(fields, "role")
    role = Role(chosen) if chosen in set(Role) else Role.VIEWER
    with services.store.tenant(identity.tenant) as connection:
        return create_key(
            connection,
            identity.tenant,
            field(fields, "name", _LONGEST_NAME),
            role,
            None,
            datetime.now(UTC) + timedelta(days=life) if life else None,
            actor=identity.name,
            by=identity,
            person=field(fields, "person", _LONGEST_NAME),
        )
