"""Tokens of an identity provider (OpenID Connect): who is told by a signature that is checked."""

import json
import logging
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Self
from urllib.parse import urlsplit

import jwt
from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.agent.settings import SETTINGS_FILE
from veridical.server.identity import Role

TABLE = "oidc"
"""The table of ``veridical.toml``."""
Algorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]
"""All of them sign with a key that the provider keeps to itself. A shared secret, or none, is not
among them and can't be configured."""
_LONGEST_TOKEN = 16_384
_KEY_TYPES = frozenset({"RSA", "EC", "OKP"})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

_log = logging.getLogger("veridical.oidc")


class TokenError(Exception):
    """The token proves nothing; the text says why, for the log and not for whoever sent it."""


class OidcSettings(BaseSettings):
    """Which provider is believed. The environment, ``VERIDICAL_OIDC_*``, wins over the file."""

    model_config = SettingsConfigDict(
        env_prefix="VERIDICAL_OIDC_",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    issuer: str = Field(min_length=1)
    """Exactly as the tokens name it in ``iss``."""
    audience: str = Field(min_length=1)
    """What tokens for this server name in ``aud``."""
    jwks_url: str = ""
    """Where the provider publishes its keys: https."""
    jwks_file: Path | None = None
    """Or the same as a file, for where nothing may be fetched."""
    algorithms: tuple[Algorithm, ...] = Field(default=("RS256", "ES256"), min_length=1)
    tenant_claim: str = Field(default="tenant", min_length=1)
    role_claim: str = Field(default="roles", min_length=1)
    """A role or a list of them, perhaps among other things; the highest one counts."""
    name_claim: str = Field(default="sub", min_length=1)
    """Should be one that its bearer can't choose: it says who may not approve their own request."""
    roles: dict[str, Role] = Field(default_factory=lambda: {role.value: role for role in Role})
    """The provider's names of the roles."""
    leeway_seconds: float = Field(default=30, ge=0, le=300)
    """By how much the clocks may differ."""
    needs_not_before: bool = True
    """Some providers leave ``nbf`` out: then this must be off. One that is there always counts."""
    keys_seconds: float = Field(default=3600, gt=0)
    """How long fetched keys are used before they are fetched again."""
    stale_seconds: float = Field(default=86_400, gt=0)
    """How long they are used while they can't be fetched."""
    refetch_seconds: float = Field(default=30, gt=0)
    """How soon an unknown key may have them fetched again: the provider may have new ones, and
    whoever makes up names of keys must not be able to flood it."""

    @field_validator("jwks_url")
    @classmethod
    def _is_fetched_safely(cls, url: str) -> str:
        parts = urlsplit(url)
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
        if url and not safe:
            raise ValueError("keys are fetched over https")
        return url

    @model_validator(mode="after")
    def _has_one_source_of_keys(self) -> Self:
        if bool(self.jwks_url) == (self.jwks_file is not None):
            raise ValueError("give either jwks_url or jwks_file")
        return self


def read_oidc_settings(path: Path = SETTINGS_FILE) -> OidcSettings | None:
    """The settings of ``[oidc]`` and of the environment; none where neither names an issuer."""
    told: dict[str, Any] = (
        tomllib.loads(path.read_text("utf-8")).get(TABLE, {}) if path.is_file() else {}
    )

    class Partial(OidcSettings):
        """What the environment says, though it may not be all."""

        issuer: str = ""
        audience: str = ""

        @model_validator(mode="after")
        def _has_one_source_of_keys(self) -> Self:
            return self

    merged = {**told, **Partial().model_dump(exclude_unset=True)}
    return OidcSettings(**merged) if merged else None


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a token speaks of."""

    tenant: str
    name: str
    role: Role | None
    """None when the provider gave none that is known here."""


Fetch = Callable[[], Any]
"""The provider's key set, read anew."""


class SigningKeys:
    """The provider's public keys: fetched when needed, and again when they change."""

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
        if found is None or self._age(self._fetched_at) > self._settings.stale_seconds:
            raise TokenError("unknown key")
        return found

    def _is_due(self, key_id: str) -> bool:
        """Whether to fetch: for an unknown key or after a while, and not if just tried."""
        wanted = key_id not in self._keys or (
            self._age(self._fetched_at) > self._settings.keys_seconds
        )
        return wanted and self._age(self._tried_at) >= self._settings.refetch_seconds

    def _refresh(self) -> None:
        """What can't be fetched leaves the keys as they are: a provider that is away for a while
        locks nobody out."""
        self._tried_at = self._clock()
        try:
            self._keys = dict(_usable(self._fetch(), self._settings.algorithms))
            self._fetched_at = self._clock()
        except (OSError, ValueError, jwt.PyJWTError) as error:
            _log.warning("the keys of the identity provider can't be read: %s", error)

    def _age(self, at: float | None) -> float:
        return float("inf") if at is None else self._clock() - at


class Tokens:
    """Reads tokens of the one provider that is configured."""

    def __init__(self, settings: OidcSettings, keys: SigningKeys | None = None) -> None:
        self._settings = settings
        self._keys = keys or SigningKeys(settings, _fetching(settings))

    def read(self, token: str) -> Bearer:
        """Whom this token speaks of, if all of it is right. Raises ``TokenError``.

        May fetch keys: not for the event loop.
        """
        if len(token) > _LONGEST_TOKEN:
            raise TokenError("too long")
        try:
            claims = self._checked_claims(token)
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError) as error:
            raise TokenError(type(error).__name__) from error
        return Bearer(
            tenant=_text(claims, self._settings.tenant_claim),
            name=_text(claims, self._settings.name_claim),
            role=self._role(claims.get(self._settings.role_claim)),
        )

    def _checked_claims(self, token: str) -> dict[str, Any]:
        settings = self._settings
        header = jwt.get_unverified_header(token)
        # Looked at before any key is fetched; the library holds it against the key once more.
        if header.get("alg") not in settings.algorithms:
            raise TokenError("algorithm")
        key_id = header.get("kid")
        if not isinstance(key_id, str) or not key_id:
            raise TokenError("no key is named")
        required = ["exp", "iss", "aud", *(["nbf"] if settings.needs_not_before else [])]
        return jwt.decode(
            token,
            self._keys.find(key_id),
            algorithms=list(settings.algorithms),
            audience=settings.audience,
            issuer=settings.issuer,
            leeway=settings.leeway_seconds,
            options={"require": required, "enforce_minimum_key_length": True},
        )

    def _role(self, claim: Any) -> Role | None:
        named: list[Any] = claim if isinstance(claim, list) else [claim]
        held = {self._settings.roles.get(name) for name in named if isinstance(name, str)}
        return next((role for role in reversed(Role) if role in held), None)


def _text(claims: Mapping[str, Any], name: str) -> str:
    found = claims.get(name)
    if not isinstance(found, str) or not found or not found.isprintable():
        raise TokenError(f"claim {name}")
    return found


def _usable(key_set: Any, algorithms: tuple[Algorithm, ...]) -> list[tuple[str, jwt.PyJWK]]:
    """The keys with a name that sign with an allowed algorithm; others are none of our business."""
    listed = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(listed, list):
        raise ValueError("no key set")
    usable: list[tuple[str, jwt.PyJWK]] = []
    for held in listed:
        if not isinstance(held, dict) or held.get("kty") not in _KEY_TYPES:
            continue
        if held.get("use", "sig") != "sig" or not isinstance(held.get("kid"), str):
            continue
        try:
            key = jwt.PyJWK(held)
        except jwt.PyJWTError:
            continue
        if key.algorithm_name in algorithms:
            usable.append((held["kid"], key))
    return usable


def _fetching(settings: OidcSettings) -> Fetch:
    file = settings.jwks_file
    if file is not None:
        return lambda: json.loads(file.read_text("utf-8"))
    client = jwt.PyJWKClient(settings.jwks_url, cache_jwk_set=False, timeout=5)
    return client.fetch_data
