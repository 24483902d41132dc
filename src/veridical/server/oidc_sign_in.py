"""Signing in with the identity provider: authorization code with PKCE, state and nonce."""

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

from veridical.server.oidc import FRESH_SECONDS, TokenError, Tokens
from veridical.server.oidc_settings import OidcSettings, is_safe_url

_DISCOVERY = "/.well-known/openid-configuration"
_SECONDS = 5.0
_LARGEST = 1_000_000
Send = Callable[[Request], bytes]


class ProviderAwayError(Exception):
    """The provider can't be reached, or says nothing that can be used."""


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """The values that a browser must bring back from the provider."""

    state: str
    nonce: str
    verifier: str
    """Proves to the provider that the code is used by the one who requested it."""


class OidcSignIn:
    """Sends people to the provider, and takes what they come back with. May fetch: not for the
    event loop."""

    def __init__(
        self,
        settings: OidcSettings,
        tokens: Tokens,
        send: Send | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._tokens = tokens
        self._send = send or _sent
        self._clock = clock
        self._found: tuple[float, Mapping[str, str]] | None = None

    def begin(self) -> tuple[str, SignInAttempt]:
        """The provider's sign-in URL, and the attempt to remember. Raises ``ProviderAwayError``."""
        attempt = SignInAttempt(*(secrets.token_urlsafe(32) for _ in range(3)))
        digest = hashlib.sha256(attempt.verifier.encode()).digest()
        query = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": self._settings.redirect_url,
            "scope": self._settings.scopes,
            "state": attempt.state,
            "nonce": attempt.nonce,
            "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        there = self._provider()["authorization_endpoint"]
        return f"{there}{'&' if '?' in there else '?'}{urlencode(query)}", attempt

    def finish(self, code: str, attempt: SignInAttempt) -> str:
        """The credential of who came back with this code. Raises ``TokenError`` and
        ``ProviderAwayError``."""
        response = self._exchanged(code, attempt)
        id_token, credential = response.get("id_token"), response.get(self._settings.session_token)
        if not isinstance(id_token, str) or not isinstance(credential, str):
            raise TokenError("the provider sent no token")
        claims = self._tokens.read_id_token(id_token)
        if not hmac.compare_digest(str(claims["nonce"]).encode(), attempt.nonce.encode()):
            raise TokenError("nonce")
        return credential

    def _exchanged(self, code: str, attempt: SignInAttempt) -> dict[str, Any]:
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._settings.redirect_url,
            "client_id": self._settings.client_id,
            "code_verifier": attempt.verifier,
        }
        headers = {"accept": "application/json"}
        secret = self._settings.client_secret
        if secret is not None:
            pair = urlencode({self._settings.client_id: secret.get_secret_value()}).split("=", 1)
            headers["authorization"] = f"Basic {base64.b64encode(':'.join(pair).encode()).decode()}"
        where = self._provider()["token_endpoint"]
        try:
            return _object(self._send(_request(where, urlencode(given).encode(), headers)))
        except HTTPError as error:
            raise TokenError(f"the provider refused the code: {error.code}") from error
        except (OSError, ValueError) as error:
            raise ProviderAwayError(type(error).__name__) from error

    def _provider(self) -> Mapping[str, str]:
        """The provider's discovery document, read again after a while."""
        now = self._clock()
        if self._found is None or now - self._found[0] > FRESH_SECONDS:
            self._found = (now, self._discovered())
        return self._found[1]

    def _discovered(self) -> Mapping[str, str]:
        issuer = self._settings.issuer
        try:
            document = _object(self._send(_request(f"{issuer.rstrip('/')}{_DISCOVERY}")))
        except (OSError, ValueError) as error:
            raise ProviderAwayError(type(error).__name__) from error
        if document.get("issuer") != issuer:
            raise ProviderAwayError("names another issuer")
        found = {name: document.get(name) for name in ("authorization_endpoint", "token_endpoint")}
        for name, url in found.items():
            if not isinstance(url, str) or not is_safe_url(url):
                raise ProviderAwayError(f"no safe {name}")
        return {name: str(url) for name, url in found.items()}


def _request(
    url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Request:
    if not is_safe_url(url):
        raise ValueError("only https, or this machine")
    return Request(url, body, dict(headers or {}))  # noqa: S310 # looked at above


class _Nowhere(HTTPRedirectHandler):
    """A code and a secret are for the address that was discovered, and for no other."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        """Follows nothing."""


def _sent(request: Request) -> bytes:
    with build_opener(_Nowhere).open(request, timeout=_SECONDS) as response:
        return response.read(_LARGEST)


def _object(content: bytes) -> dict[str, Any]:
    found = json.loads(content)
    if not isinstance(found, dict):
        raise ValueError("no object")
    return found
