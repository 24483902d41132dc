"""Authentication: resolves an API key or OIDC token to an identity, whose actions decide
what a route allows."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Request

from veridical.contracts.language import Language
from veridical.server.audit import Refusals
from veridical.server.identity import ACTIONS, Action, Identity, Role
from veridical.server.keys import PREFIX, StoredKey, find_key, opens, parse_key
from veridical.server.limits import RateLimiter
from veridical.server.oidc import TokenError, Tokens
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.tenants import Tenant, find_tenant
from veridical.store.connection import Store

REMEMBERED_SECONDS = 5.0
"""Seconds for which a looked-up key or tenant is cached: a revoked key may still work that long."""
_MOST_REMEMBERED = 10_000
_SCHEME = "bearer "
Found = TypeVar("Found")


class Reason(StrEnum):
    """Why authentication failed. For the audit log only, never for the sender."""

    MISSING = "missing"
    MALFORMED = "malformed"
    UNKNOWN_KEY = "unknown key"
    WRONG_SECRET = "wrong secret"  # noqa: S105 # a reason, no secret
    REVOKED = "revoked"
    EXPIRED = "expired"
    SIGNED_OUT = "signed out"
    BAD_TOKEN = "bad token"  # noqa: S105 # a reason, no secret
    UNKNOWN_TENANT = "unknown tenant"
    DISABLED_TENANT = "disabled tenant"


class AuthError(ProblemError):
    """Authentication failed (401)."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(ProblemCode.UNAUTHENTICATED)
        self.reason = reason


class Authenticator:
    """Resolves credentials to identities, and counts requests against rate limits."""

    def __init__(
        self,
        store: Store,
        tokens: Tokens | None = None,
        limiter: RateLimiter | None = None,
        *,
        remembered_seconds: float = REMEMBERED_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._tokens = tokens
        self._limiter = limiter or RateLimiter(clock)
        self._refusals = Refusals(store, RateLimiter(clock))
        self._keys = _Cache[StoredKey | None](remembered_seconds, clock)
        self._tenants = _Cache[Tenant | None](remembered_seconds, clock)

    async def identify(self, authorization: str | None) -> Identity:
        """The identity of this ``Authorization`` header.

        Raises ``AuthError``; and ``ProblemError`` when their requests are used up for the moment,
        or when their token gives them no role.
        """
        identity = await self._identity(authorization)
        if (wait := self._limiter.take(identity)) > 0:
            raise ProblemError(ProblemCode.RATE_LIMITED, retry_after=wait)
        return identity

    def forget(self) -> None:
        """Look keys and tenants up again from now on."""
        self._keys.clear()
        self._tenants.clear()

    async def _identity(self, authorization: str | None) -> Identity:
        if not authorization:
            raise AuthError(Reason.MISSING)  # what every browser sends first is not worth a note
        credential = authorization[len(_SCHEME) :].strip()
        if not authorization.lower().startswith(_SCHEME) or not credential.isascii():
            return await self._refuse(Reason.MALFORMED)
        if credential.startswith(PREFIX):
            return await self._by_key(credential)
        if self._tokens is not None:
            return await self._by_token(credential, self._tokens)
        return await self._refuse(Reason.MALFORMED)

    async def _by_key(self, key: str) -> Identity:
        key_id = parse_key(key)
        if key_id is None:
            return await self._refuse(Reason.MALFORMED)
        stored = await self._keys.get(
            key_id, lambda: asyncio.to_thread(find_key, self._store, key_id)
        )
        if stored is None:
            return await self._refuse(Reason.UNKNOWN_KEY, key_id)
        tenant = stored.tenant.id
        if not opens(key, stored):
            return await self._refuse(Reason.WRONG_SECRET, key_id, tenant)
        if stored.info.revoked_at is not None:
            return await self._refuse(Reason.REVOKED, key_id, tenant)
        if stored.expired:
            return await self._refuse(Reason.EXPIRED, key_id, tenant)
        if stored.tenant.disabled_at is not None:
            return await self._refuse(Reason.DISABLED_TENANT, key_id, tenant)
        info = stored.info
        actions = ACTIONS[info.role] & frozenset(info.actions)
        identity = _identity(stored.tenant, info.name, info.role, actions, key_id, info.expires_at)
        return replace(identity, people=info.people)

    async def _by_token(self, token: str, tokens: Tokens) -> Identity:
        try:
            bearer = await asyncio.to_thread(tokens.read, token)
        except TokenError as error:
            return await self._refuse(Reason.BAD_TOKEN, f"token: {error}")
        named = bearer.tenant
        tenant = await self._tenants.get(named, lambda: asyncio.to_thread(self._tenant, named))
        if tenant is None:
            return await self._refuse(Reason.UNKNOWN_TENANT, f"token: {bearer.name}")
        if tenant.disabled_at is not None:
            return await self._refuse(Reason.DISABLED_TENANT, f"token: {bearer.name}", named)
        if bearer.role is None:
            raise ProblemError(ProblemCode.NOT_ALLOWED)
        actions = ACTIONS[bearer.role]
        return _identity(tenant, bearer.name, bearer.role, actions, None, bearer.expires_at)

    def _tenant(self, tenant: str) -> Tenant | None:
        with self._store.tenant(tenant) as connection:
            return find_tenant(connection, tenant)

    async def _refuse(self, reason: Reason, subject: str = "", tenant: str = "") -> Identity:
        await self._refusals.add(reason, subject, tenant)
        raise AuthError(reason)


def _identity(
    tenant: Tenant,
    name: str,
    role: Role,
    actions: frozenset[Action],
    key_id: str | None,
    expires_at: datetime | None,
) -> Identity:
    scope, limits = tenant.scope, tenant.limits
    return Identity(tenant.id, name, role, actions, scope, limits, key_id, expires_at)


class _Cache(Generic[Found]):
    """A cache of recent lookups, including those that found nothing."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._cache: OrderedDict[str, tuple[float, Found]] = OrderedDict()

    async def get(self, name: str, look_up: Callable[[], Awaitable[Found]]) -> Found:
        """The cached value of this name, or the one looked up now."""
        cached = self._cache.get(name)
        now = self._clock()
        if cached is not None and now - cached[0] < self._seconds:
            return cached[1]
        found = await look_up()
        # Its age counts from the start of the lookup, not from its end.
        self._cache[name] = (now, found)
        self._cache.move_to_end(name)
        while len(self._cache) > _MOST_REMEMBERED:
            self._cache.popitem(last=False)
        return found

    def clear(self) -> None:
        """Forget everything."""
        self._cache.clear()


def requires(action: Action) -> Callable[[Request], Awaitable[Identity]]:
    """A dependency that returns the identity if it may do this. Raises ``ProblemError``."""

    async def entitled(request: Request) -> Identity:
        if not hasattr(request.state, "identity"):  # there was no door that it came through
            identify = request.app.state.services.identify
            request.state.identity = await identify(request.headers.get("authorization"))
        identity: Identity = request.state.identity
        if action not in identity.actions:
            raise ProblemError(ProblemCode.NOT_ALLOWED)
        return identity

    return entitled


ReadAccess = Annotated[Identity, Depends(requires(Action.READ))]
AskAccess = Annotated[Identity, Depends(requires(Action.ASK))]
AdminAccess = Annotated[Identity, Depends(requires(Action.ADMIN))]


async def language_of_request(request: Request) -> Language:
    """The response language of the request."""
    return request.state.language


RequestLanguage = Annotated[Language, Depends(language_of_request)]
