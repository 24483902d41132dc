"""``/v1/keys``: the API keys of the caller's tenant."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Body, Path, Query
from pydantic import Field, StringConstraints

from veridical.contracts.wire import Wire
from veridical.server.auth import AdminAccess
from veridical.server.identity import Action, Identity, Role
from veridical.server.keys import (
    LAST_ADMIN_KEY,
    KeyInfo,
    KeyRefusedError,
    NewKey,
    create_key,
    is_last_admin_key,
    keys,
    revoke_key,
)
from veridical.server.openapi import examples, problems
from veridical.server.services import Services, ServicesDep
from veridical.store.audit import AuditAction, note

router = APIRouter(prefix="/v1/keys", tags=["administration"])

_LONGEST_LIFE = 3650
KeyId = Annotated[str, Path(alias="id", pattern=r"^[0-9a-f]{16}$", examples=["0123456789abcdef"])]
EvenLast = Annotated[
    bool,
    Query(
        alias="evenLast",
        description="Revoke one's own key although no other can administer the tenant.",
    ),
]
KeyName = Annotated[
    str,
    # printable, without blanks around it
    StringConstraints(
        pattern=r"^[^\s\x00-\x1f\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]{0,98}[^\s\x00-\x1f\x7f-\x9f])?$"
    ),
]


class KeyRequest(Wire):
    """A key for somebody of one's own tenant."""

    name: KeyName
    """The key's name in the audit and in lists."""
    person: KeyName | None = None
    """Who uses it; its name where left out. Neither they nor the maker of the key can approve
    their own requests with it."""
    role: Role
    actions: Annotated[tuple[Action, ...], Field(min_length=1, max_length=len(Action))] | None = (
        None
    )
    """The permissions of the key, where they are fewer than its role's."""
    expires_in_days: Annotated[int, Field(ge=1, le=_LONGEST_LIFE)] | None = None
    """Without it, the key lasts until it is revoked."""

    @property
    def expires_at(self) -> datetime | None:
        """The moment from which on it opens nothing."""
        if self.expires_in_days is None:
            return None
        return datetime.now(UTC) + timedelta(days=self.expires_in_days)


Requested = Annotated[KeyRequest, Body(openapi_examples=examples("keys"))]


class KeyList(Wire):
    """The keys of a tenant, the newest first."""

    keys: tuple[KeyInfo, ...]


@router.get("", summary="List keys", responses=problems())
async def listed(identity: AdminAccess, services: ServicesDep) -> KeyList:
    """All keys of the tenant, without their secrets."""
    return KeyList(keys=await asyncio.to_thread(held_keys, services, identity))


@router.post("", summary="Create a key", status_code=201, responses=problems(body=True))
async def create(body: Requested, identity: AdminAccess, services: ServicesDep) -> NewKey:
    """The only time that the key is shown."""
    return await asyncio.to_thread(_create, services, identity, body)


@router.delete("/{id}", summary="Revoke a key", responses=problems(404, 409))
async def revoke(
    key_id: KeyId, identity: AdminAccess, services: ServicesDep, even_last: EvenLast = False
) -> KeyInfo:
    """Ends a key for good, with its sessions; servers may still take it for a few seconds."""
    return await asyncio.to_thread(end_key, services, identity, key_id, even_last=even_last)


def held_keys(services: Services, identity: Identity) -> tuple[KeyInfo, ...]:
    """The keys of the reader's tenant. That they were read is an entry of the audit."""
    tenant = identity.tenant
    with services.store.tenant(tenant) as connection:
        note(connection, tenant, identity.name, AuditAction.KEYS_READ, tenant)
        return keys(connection, tenant)


def _create(services: Services, identity: Identity, body: KeyRequest) -> NewKey:
    with services.store.tenant(identity.tenant) as connection:
        return create_key(
            connection,
            identity.tenant,
            body.name,
            body.role,
            body.actions,
            body.expires_at,
            actor=identity.name,
            by=identity,
            person=body.person or "",
        )


def end_key(
    services: Services, identity: Identity, key_id: str, *, even_last: bool = False
) -> KeyInfo:
    """Revoke a key of one's own tenant; one's own that is the last to administer it, only on
    explicit request. Raises ``KeyRefusedError``."""
    with services.store.tenant(identity.tenant) as connection:
        is_own = key_id == identity.key_id
        if is_own and not even_last and is_last_admin_key(connection, key_id):
            raise KeyRefusedError(LAST_ADMIN_KEY)
        return revoke_key(connection, key_id, actor=identity.name)
