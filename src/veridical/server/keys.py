"""API keys: ``vk_<id>_<secret>``. The secret is shown once and stored as a digest."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, or_, select, update

from veridical.contracts.wire import Wire
from veridical.server.identity import ACTIONS, Action, Identity, Role
from veridical.server.sessions import end_sessions_of_key
from veridical.server.tenants import Tenant, find_tenant
from veridical.store.audit import AuditAction, note
from veridical.store.connection import Store, enter
from veridical.store.tables import API_KEYS

PREFIX = "vk_"
LAST_ADMIN_KEY = "last_admin_key"
"""Problem name: the tenant's last administrator key is revoked only on explicit request."""
_WRITTEN = re.compile(r"vk_([0-9a-f]{16})_([0-9a-f]{64})", re.ASCII)
_LONGEST_NAME = 100
_SHOWN = (
    API_KEYS.c.id,
    API_KEYS.c.tenant,
    API_KEYS.c.name,
    API_KEYS.c.role,
    API_KEYS.c.actions,
    API_KEYS.c.people,
    API_KEYS.c.created_at,
    API_KEYS.c.expires_at,
    API_KEYS.c.revoked_at,
)


_LASTS = or_(API_KEYS.c.expires_at.is_(None), API_KEYS.c.expires_at > func.now())


class KeyRefusedError(Exception):
    """A key can't be made or revoked; ``problem`` says why, as the name of a message."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class KeyInfo(Wire):
    """A key without its secret."""

    id: str
    tenant: str
    name: str
    """The key's name in the audit and in lists."""
    role: Role
    actions: tuple[Action, ...]
    people: tuple[str, ...] = ()
    """The person who uses it, then those who made it and know it: none of them may approve with it
    what they requested."""
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


class NewKey(KeyInfo):
    """A new key: the only time that its secret is shown."""

    key: str


@dataclass(frozen=True, slots=True)
class StoredKey:
    """A key as stored, with its tenant."""

    info: KeyInfo
    digest: bytes
    expired: bool
    tenant: Tenant


def parse_key(text: str) -> str | None:
    """The id of a key that is written as keys are; none for anything else."""
    found = _WRITTEN.fullmatch(text)
    return found[1] if found else None


def digest_of(key: str) -> bytes:
    """The stored digest. The secret is 256 random bits, so one round of a fast hash is enough."""
    return hashlib.sha256(key.encode()).digest()


def opens(key: str, stored: StoredKey) -> bool:
    """True if the key matches, compared in constant time."""
    return hmac.compare_digest(digest_of(key), stored.digest)


def create_key(
    connection: Connection,
    tenant: str,
    name: str,
    role: Role,
    actions: Iterable[Action] | None = None,
    expires_at: datetime | None = None,
    *,
    actor: str,
    by: Identity | None = None,
    person: str = "",
) -> NewKey:
    """Make a key for somebody of this tenant. Raises ``KeyRefusedError``.

    Without ``actions`` it may do all that its role may; without a ``person`` its name is one.
    Where it is made ``by`` somebody with a credential, it may do nothing that they may not, and a
    key's key does not outlive it.
    """
    name, person = name.strip(), person.strip() or name.strip()
    granted = ACTIONS[role] if actions is None else frozenset(actions)
    for each in (name, person):
        if not each or len(each) > _LONGEST_NAME or not each.isprintable():
            raise KeyRefusedError("bad_key_name")
    if not granted or not granted <= ACTIONS[role]:
        raise KeyRefusedError("too_many_actions")
    if by is not None:
        _refuse_more_than_own(by, tenant, role, granted, expires_at)
    if find_tenant(connection, tenant) is None:
        raise KeyRefusedError("no_tenant")
    key_id = secrets.token_hex(8)
    key = f"{PREFIX}{key_id}_{secrets.token_hex(32)}"
    row = insert(API_KEYS).values(
        id=key_id,
        tenant=tenant,
        name=name,
        role=role,
        actions=sorted(granted),
        people=_people(person, by),
        digest=digest_of(key),
        expires_at=expires_at,
    )
    made = connection.execute(row.returning(*_SHOWN)).mappings().one()
    detail = {"name": name, "person": person, "role": role, "actions": sorted(granted)}
    note(connection, tenant, actor, AuditAction.KEY_CREATED, key_id, detail)
    return NewKey.model_validate({**made, "key": key})


def _people(person: str, by: Identity | None) -> list[str]:
    """The person of a key and its makers: each of them may have seen the secret."""
    makers = (by.people or (by.name,)) if by is not None else ()
    return list(dict.fromkeys((person, *makers)))


def _refuse_more_than_own(
    by: Identity,
    tenant: str,
    role: Role,
    granted: frozenset[Action],
    expires_at: datetime | None,
) -> None:
    if tenant != by.tenant:
        raise KeyRefusedError("no_tenant")
    if not granted <= by.actions:
        raise KeyRefusedError("more_than_own")
    if not ACTIONS[role] <= ACTIONS[by.role]:
        raise KeyRefusedError("higher_than_own")
    own_end = by.expires_at if by.key_id is not None else None
    if own_end is not None and (expires_at is None or expires_at > own_end):
        raise KeyRefusedError("longer_than_own")


def revoke_key(connection: Connection, key_id: str, *, actor: str) -> KeyInfo:
    """End a key for good, with its sessions; one that has ended stays as it is. Raises
    ``KeyRefusedError``."""
    ended = update(API_KEYS).where(API_KEYS.c.id == key_id, API_KEYS.c.revoked_at.is_(None))
    changed = connection.execute(ended.values(revoked_at=func.now())).rowcount
    info = find_key_info(connection, key_id)
    if changed:
        end_sessions_of_key(connection, key_id)
        note(connection, info.tenant, actor, AuditAction.KEY_REVOKED, key_id, {"name": info.name})
    return info


def is_last_admin_key(connection: Connection, key_id: str) -> bool:
    """Whether this key, and no other of its tenant, can administer the tenant."""
    lasting = API_KEYS.c.revoked_at.is_(None) & _LASTS
    admins = select(API_KEYS.c.id).where(lasting, API_KEYS.c.actions.contains([Action.ADMIN.value]))
    of_tenant = select(API_KEYS.c.tenant).where(API_KEYS.c.id == key_id).scalar_subquery()
    return [*connection.scalars(admins.where(API_KEYS.c.tenant == of_tenant))] == [key_id]


def find_key_info(connection: Connection, key_id: str) -> KeyInfo:
    """A key that the transaction may see. Raises ``KeyRefusedError``."""
    row = connection.execute(select(*_SHOWN).where(API_KEYS.c.id == key_id)).mappings().first()
    if row is None:
        raise KeyRefusedError("no_key")
    return KeyInfo.model_validate(dict(row))


def keys(connection: Connection, tenant: str | None = None) -> tuple[KeyInfo, ...]:
    """The keys that the transaction may see, the newest first."""
    found = select(*_SHOWN).order_by(API_KEYS.c.created_at.desc(), API_KEYS.c.id)
    if tenant is not None:
        found = found.where(API_KEYS.c.tenant == tenant)
    rows = connection.execute(found).mappings()
    return tuple(KeyInfo.model_validate(dict(row)) for row in rows)


def ended_keys(connection: Connection, key_ids: Iterable[str]) -> frozenset[str]:
    """The ids of invalid and unknown keys among these."""
    wanted = frozenset(key_ids)
    valid = select(API_KEYS.c.id).where(
        API_KEYS.c.id.in_(wanted), API_KEYS.c.revoked_at.is_(None), _LASTS
    )
    return wanted - frozenset(connection.scalars(valid))


def find_key(store: Store, key_id: str) -> StoredKey | None:
    """The key of this id with its tenant, before anybody has proved to own it."""
    expired = func.coalesce(API_KEYS.c.expires_at <= func.now(), False).label("expired")
    with store.presented(key_id) as connection:
        found = select(*_SHOWN, API_KEYS.c.digest, expired).where(API_KEYS.c.id == key_id)
        row = connection.execute(found).mappings().first()
        if row is None:
            return None
        enter(connection, row["tenant"])
        tenant = find_tenant(connection, row["tenant"])
    if tenant is None:
        return None
    values = dict(row)
    digest, is_expired = bytes(values.pop("digest")), bool(values.pop("expired"))
    return StoredKey(KeyInfo.model_validate(values), digest, is_expired, tenant)
