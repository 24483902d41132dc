"""OpenID Connect tokens: verifies the signature and reads the identity from the claims. The signing
keys of the provider (JWKS) are fetched on demand and refreshed when they change."""

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import Any

import jwt

from veridical.server.identity import Role
from veridical.server.oidc_settings import Algorithm, OidcSettings

_KEY_TYPES = frozenset({"RSA", "EC", "OKP"})
Fetch = Callable[[], Any]
"""The provider's key set, read anew."""
_LONGEST_TOKEN = 16_384
_LONGEST_CLAIM = 200
"""Characters of a claim that are kept: names are in every line of the audit."""
FRESH_SECONDS = 3600.0
"""Seconds until fetched keys are fetched again."""
_STALE_SECONDS = 86_400.0
"""Seconds for which they are used while they can't be fetched."""
_REFETCH_SECONDS = 30.0
"""Seconds between two fetches for an unknown key: the provider may have new ones, and made-up
names of keys must not flood it."""

_log = logging.getLogger("veridical.oidc")


class TokenError(Exception):
    """The token is invalid; the text says why, for the log and not for its sender."""


class SigningKeys:
    """The provider's signing keys, by key id."""

    def __init__(
        self, settings: OidcSettings, fetch: Fetch, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._fetch = fetch
        self._clock = clock
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._fetched_at: float | None = None
        self._tried_at: float | None = None
        self._one_at_a_time = Lock()

    def find(self, key_id: str) -> jwt.PyJWK:
        """The key of this name. Raises ``TokenError``. May fetch: not for the event loop."""
        if self._is_due(key_id):
            with self._one_at_a_time:
                if self._is_due(key_id):
                    self._refresh()
        found = self._keys.get(key_id)
        if found is None or self._age(self._fetched_at) > _STALE_SECONDS:
            raise TokenError("unknown key")
        return found

    def _is_due(self, key_id: str) -> bool:
        """Whether to fetch: for an unknown key or after a while, and not if just tried."""
        wanted = key_id not in self._keys or (self._age(self._fetched_at) > FRESH_SECONDS)
        return wanted and self._age(self._tried_at) >= _REFETCH_SECONDS

    def _refresh(self) -> None:
        """Fetch the keys; they stay as they are if that fails, so that an unavailable provider
        locks no user out."""
        self._tried_at = self._clock()
        try:
            self._keys = dict(_usable(self._fetch(), self._settings.algorithms))
            self._fetched_at = self._clock()
        except (OSError, ValueError, jwt.PyJWTError) as error:
            _log.warning("the keys of the identity provider can't be read: %s", error)

    def _age(self, at: float | None) -> float:
        return float("inf") if at is None else self._clock() - at


def _usable(key_set: Any, algorithms: tuple[Algorithm, ...]) -> list[tuple[str, jwt.PyJWK]]:
    """The keys with a name that sign with an allowed algorithm; others are none of our business."""
    listed = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no key set")
    usable: list[tuple[str, jwt.PyJWK]] = []
    for entry in listed:
        if not isinstance(entry, dict) or entry.get("kty") not in _KEY_TYPES:
            continue
        if entry.get("use", "sig") != "sig" or not isinstance(entry.get("kid"), str):
            continue
        try:
            key = jwt.PyJWK(entry)
        except jwt.PyJWTError:
            continue
        if key.algorithm_name in algorithms:
            usable.append((entry["kid"], key))
    return usable


def fetching(settings: OidcSettings) -> Fetch:
    """The function that reads the key set of these settings."""
    file = settings.jwks_file
    if file is not None:
        return lambda: json.loads(file.read_text("utf-8"))
    client = jwt.PyJWKClient(settings.jwks_url, cache_jwk_set=False, timeout=5)
    return client.fetch_data


@dataclass(frozen=True, slots=True)
class Bearer:
    """The identity that a token states."""

    tenant: str
    name: str
    role: Role | None
    """None when the provider gave none that is known here."""
    expires_at: datetime | None = field(default=None, compare=False)
    """When the token ends."""


class Tokens:
    """Verifies tokens of the one configured provider."""

    def __init__(self, settings: OidcSettings, keys: SigningKeys | None = None) -> None:
        self._settings = settings
        self._keys = keys or SigningKeys(settings, fetching(settings))

    def read(self, token: str) -> Bearer:
        """The identity of a valid token. Raises ``TokenError``.

        May fetch keys: not for the event loop.
        """
        required = ["exp", "iss", "aud", *(["nbf"] if self._settings.needs_not_before else [])]
        claims, expires_at = self._believed(token, self._settings.audience, required)
        return Bearer(
            expires_at=expires_at,
            tenant=_text(claims, self._settings.tenant_claim),
            name=_text(claims, self._settings.name_claim),
            role=self._role(claims.get(self._settings.role_claim)),
        )

    def read_id_token(self, token: str) -> Mapping[str, Any]:
        """The claims of a token that tells the console who has signed in. Raises ``TokenError``.

        May fetch keys: not for the event loop.
        """
        client = self._settings.client_id
        claims, _ = self._believed(token, client, ["exp", "iat", "iss", "aud", "sub", "nonce"])
        if claims.get("azp", client) != client:
            raise TokenError("given to another client")
        return claims

    def _believed(
        self, token: str, audience: str, required: list[str]
    ) -> tuple[dict[str, Any], datetime]:
        """The claims of a valid token, and its expiry."""
        if len(token) > _LONGEST_TOKEN:
            raise TokenError("too long")
        try:
            claims = self._checked_claims(token, audience, required)
            return claims, self._end(claims)
        except (
            jwt.PyJWTError,
            ValueError,
            TypeError,
            ArithmeticError,
            OSError,
            RecursionError,
        ) as error:
            raise TokenError(type(error).__name__) from error

    def _checked_claims(self, token: str, audience: str, required: list[str]) -> dict[str, Any]:
        settings = self._settings
        header = jwt.get_unverified_header(token)
        # Looked at before any key is fetched; the library holds it against the key once more.
        if header.get("alg") not in settings.algorithms:
            raise TokenError("algorithm")
        key_id = header.get("kid")
        if not isinstance(key_id, str) or not key_id:
            raise TokenError("no key is named")
        return jwt.decode(
            token,
            self._keys.find(key_id),
            algorithms=list(settings.algorithms),
            audience=audience,
            issuer=settings.issuer,
            leeway=settings.leeway_seconds,
            options={"require": required, "enforce_minimum_key_length": True},
        )

    def _end(self, claims: Mapping[str, Any]) -> datetime:
        """When the token ends: soon, or it is none to be believed."""
        now, most = time.time(), self._settings.longest_seconds
        begun = float(claims.get("iat", claims.get("nbf", now)))
        ends = float(claims["exp"])
        if not ends - begun <= most or not ends - now <= most + self._settings.leeway_seconds:
            raise TokenError("lasts too long")
        return datetime.fromtimestamp(ends, UTC)

    def _role(self, claim: Any) -> Role | None:
        named: list[Any] = claim if isinstance(claim, list) else [claim]
        roles = {self._settings.roles.get(name) for name in named if isinstance(name, str)}
        return next((role for role in reversed(Role) if role in roles), None)


def _text(claims: Mapping[str, Any], name: str) -> str:
    found = claims.get(name)
    if not isinstance(found, str) or not found or not found.isprintable():
        raise TokenError(f"claim {name}")
    if len(found) > _LONGEST_CLAIM:
        raise TokenError(f"claim {name}")
    return found
