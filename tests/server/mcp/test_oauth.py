"""Signing in over MCP: the official client finds the provider, registers and asks."""

import asyncio
import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from tests.server.provider import AUDIENCE, KEY_SET, token
from tests.server.serving import free_port
from tests.server.standing import Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.sample.postgres import LocalPostgres
from veridical.server.oauth_resource import oauth_resource
from veridical.server.oidc import SigningKeys, Tokens
from veridical.server.oidc_settings import OidcSettings

pytestmark = pytest.mark.postgres
BACK = "http://127.0.0.1:9/back"


@dataclass
class AuthorizationServer:
    """Registers public clients, and gives tokens for codes that are bound to a challenge."""

    issuer: str = ""
    clients: set[str] = field(default_factory=set[str])
    codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def document(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "registration_endpoint": f"{self.issuer}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
        }

    def registered(self, wanted: dict[str, Any]) -> dict[str, Any]:
        client = secrets.token_hex(8)
        self.clients.add(client)
        return {**wanted, "client_id": client}

    def approved(self, address: str) -> AuthorizationCodeResult:
        """What a browser brings back after somebody has said yes."""
        asked = {name: each[0] for name, each in parse_qs(urlsplit(address).query).items()}
        assert asked["client_id"] in self.clients
        assert asked["code_challenge_method"] == "S256"
        assert asked["redirect_uri"] == BACK
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return AuthorizationCodeResult(code=code, state=asked["state"])

    def exchanged(self, given: dict[str, str]) -> dict[str, Any] | None:
        asked = self.codes.pop(given.get("code", ""), None)
        digest = hashlib.sha256(given.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or challenge != asked["code_challenge"]:
            return None
        assert given["resource"] == asked["resource"]
        access = token(iss=self.issuer, aud=AUDIENCE)
        return {"access_token": access, "token_type": "Bearer", "expires_in": 300}


@contextmanager
def authorization_server() -> Generator[AuthorizationServer]:
    known = AuthorizationServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_known = urlsplit(self.path).path == "/.well-known/oauth-authorization-server"
            self._send(known.document() if is_known else None)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"])).decode()
            if self.path == "/register":
                self._send(known.registered(json.loads(body)), 201)
            else:
                self._send(known.exchanged({k: v[0] for k, v in parse_qs(body).items()}))

        def _send(self, content: dict[str, Any] | None, status: int = 200) -> None:
            text = json.dumps(content or {"error": "invalid_request"}).encode()
            self.send_response(status if content else 404)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    serving = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.issuer = f"http://127.0.0.1:{serving.server_port}"
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    try:
        yield known
    finally:
        serving.shutdown()
        serving.server_close()


class Kept:
    """What a client remembers."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


@pytest.fixture(scope="module")
def provider() -> Iterator[AuthorizationServer]:
    with authorization_server() as running:
        yield running


@pytest.fixture(scope="module")
def remote(
    postgres_server: LocalPostgres, trustee: Feature, provider: AuthorizationServer
) -> Iterator[Standing]:
    url = postgres_server.create_database("mcp_oauth")
    port = free_port()
    settings = OidcSettings(
        issuer=provider.issuer,
        audience=AUDIENCE,
        jwks_url=f"{provider.issuer}/keys",
        mcp_url=f"http://127.0.0.1:{port}/mcp",
    )
    tokens = Tokens(settings, SigningKeys(settings, lambda: KEY_SET))
    oauth = oauth_resource(settings)
    with standing(url, trustee, prepare(url), tokens=tokens, oauth=oauth, port=port) as running:
        yield running


def test_the_official_client_signs_somebody_in_and_asks(
    remote: Standing, provider: AuthorizationServer
) -> None:
    kept = Kept()
    visited: list[str] = []

    async def visit(address: str) -> None:
        visited.append(address)

    async def back() -> AuthorizationCodeResult:
        return provider.approved(visited[-1])

    async def talk() -> set[str]:
        wanted = OAuthClientMetadata.model_validate(
            {"redirect_uris": [BACK], "client_name": "test", "token_endpoint_auth_method": "none"}
        )
        auth = OAuthClientProvider(f"{remote.address}/mcp", wanted, kept, visit, back)
        async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
            transport = streamable_http_client(f"{remote.address}/mcp", http_client=http)
            async with Client(transport) as client:
                return {tool.name for tool in (await client.list_tools()).tools}

    assert "queryFeatureInstance" in asyncio.run(talk())
    assert len(visited) == 1
    assert urlencode({"resource": f"{remote.address}/mcp"}) in visited[0]
    assert kept.client is not None
    assert kept.client.client_id in provider.clients


def test_a_refused_request_names_the_metadata_and_only_there(remote: Standing) -> None:
    with httpx2.Client(base_url=remote.address) as client:
        refused = client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert refused.status_code == 401
        place = f"{remote.address}/.well-known/oauth-protected-resource/mcp"
        assert refused.headers["www-authenticate"] == f'Bearer resource_metadata="{place}"'
        told = client.get(place).json()
        assert told["resource"] == f"{remote.address}/mcp"
        assert told["authorization_servers"]
        assert client.get("/v1/runs").headers["www-authenticate"] == "Bearer"


def test_without_a_public_address_there_is_no_metadata(server: Standing) -> None:
    with httpx2.Client(base_url=server.address) as client:
        assert client.get("/.well-known/oauth-protected-resource/mcp").status_code == 404


@pytest.mark.parametrize("url", ["http://veridical.example/mcp", "https://veridical.example/"])
def test_the_address_is_that_of_the_endpoint_over_https(url: str) -> None:
    with pytest.raises(ValueError, match="mcp_url"):
        OidcSettings(issuer="https://i", audience="a", jwks_url="https://i/k", mcp_url=url)
