"""OpenID Connect tokens: verifies the signature and reads the identity from the claims."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import jwt

from veridical.server.identity import Role
from veridical.server.oidc_keys import SigningKeys, TokenError, fetching
from veridical.server.oidc_settings import OidcSettings

_LONGEST_TOKEN = 16_384
_LONGEST_CLAIM = 200
"""What is kept of whoever did something, in every line of the audit."""


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
        """Whom this token speaks of, if all of it is right. Raises ``TokenError``.

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
        """The claims of a token, if all of it is right, and when it ends."""
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
        held = {self._settings.roles.get(name) for name in named if isinstance(name, str)}
        return next((role for role in reversed(Role) if role in held), None)


def _text(claims: Mapping[str, Any], name: str) -> str:
    found = claims.get(name)
    if not isinstance(found, str) or not found or not found.isprintable():
        raise TokenError(f"claim {name}")
    if len(found) > _LONGEST_CLAIM:
        raise TokenError(f"claim {name}")
    return found
