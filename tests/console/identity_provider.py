"""A small identity provider on loopback: discovery, keys, codes that are bound to a challenge and
good once, and tokens with real signatures."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt

from tests.server.provider import AUDIENCE, KEY_SET, RSA_KEY
from veridical.server.oidc_settings import OidcSettings

CLIENT, SECRET = "the console", "a secret: with signs & spaces"


@dataclass
class Provider:
    """What it does, and what a test may have it do wrong."""

    issuer: str = ""
    claims: dict[str, Any] = field(
        default_factory=lambda: {"sub": "Ada", "tenant": "acme", "roles": ["approver"]}
    )
    id_claims: dict[str, Any] = field(default_factory=dict[str, Any])
    """Beside or instead of the right ones."""
    announced: dict[str, Any] = field(default_factory=dict[str, Any])
    codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    exchanges: int = 0

    def settings(self, console: str = "http://127.0.0.1", **more: Any) -> OidcSettings:
        """What a console at this address must know."""
        given = {
            "issuer": self.issuer,
            "audience": AUDIENCE,
            "jwks_url": f"{self.issuer}/keys",
            "client_id": CLIENT,
            "client_secret": SECRET,
            "redirect_url": f"{console}/console/signin/callback",
        }
        return OidcSettings.model_validate({**given, **more})

    def approved(self, asked: dict[str, str]) -> str:
        """Where a browser is sent after somebody has said yes."""
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"].split()
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def exchanged(self, given: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """The tokens for a code; none where anything about it is wrong."""
        self.exchanges += 1
        asked = self.codes.pop(given.get("code", ""), None)
        pair = urlencode({CLIENT: SECRET}).replace("=", ":", 1)
        basic = f"Basic {base64.b64encode(pair.encode()).decode()}"
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            asked is None
            or authorization != basic
            or given.get("grant_type") != "authorization_code"
            or given.get("redirect_uri") != asked["redirect_uri"]
            or challenge != asked["code_challenge"]
        ):
            return None
        now = int(time.time())
        times = {"iss": self.issuer, "iat": now, "exp": now + 300}
        own = {**times, "aud": CLIENT, "sub": self.claims["sub"], "nonce": asked["nonce"]}
        access = {**times, "nbf": now, "aud": AUDIENCE, **self.claims}
        return {
            "token_type": "Bearer",
            "id_token": _signed({**own, **self.id_claims}),
            "access_token": _signed(access),
        }


def _signed(claims: dict[str, Any]) -> str:
    claims = {name: value for name, value in claims.items() if value is not None}
    return jwt.encode(claims, RSA_KEY, "RS256", headers={"kid": "rsa-1"})


@contextmanager
def identity_provider() -> Generator[Provider]:
    """A provider until the block ends; at ``localhost``, which is another site than 127.0.0.1."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            if url.path == "/.well-known/openid-configuration":
                self._json(
                    {
                        "issuer": provider.issuer,
                        "authorization_endpoint": f"{provider.issuer}/authorize",
                        "token_endpoint": f"{provider.issuer}/token",
                        **provider.announced,
                    }
                )
            elif url.path == "/keys":
                self._json(KEY_SET)
            elif url.path == "/authorize":
                there = provider.approved({k: v[0] for k, v in parse_qs(url.query).items()})
                body = f'<h1>Who are you?</h1><a id="yes" href="{there}">Ada</a>'.encode()
                self._send(200, body.replace(b"&", b"&amp;"), "text/html")
            else:
                self._send(404, b"", "text/plain")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            given = {k: v[0] for k, v in parse_qs(body).items()}
            found = provider.exchanged(given, self.headers.get("authorization", ""))
            if found is None:
                self._send(400, b'{"error": "invalid_grant"}', "application/json")
            else:
                self._json(found)

        def _json(self, value: Any) -> None:
            self._send(200, json.dumps(value).encode(), "application/json")

        def _send(self, status: int, body: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("localhost", 0), Handler)
    provider.issuer = f"http://localhost:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
