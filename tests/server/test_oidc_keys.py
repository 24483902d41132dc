import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.server.provider import KEY_SET, RSA_KEY, jwk, reading, token
from veridical.server.oidc import SigningKeys, TokenError, Tokens


class Provider:
    """Counts how often it is asked for its keys."""

    def __init__(self, *names: str) -> None:
        self.names, self.asked, self.away, self.now = names, 0, False, 1000.0

    def fetch(self) -> dict[str, Any]:
        self.asked += 1
        if self.away:
            raise OSError("away")
        return {"keys": [jwk(RSA_KEY, name) for name in self.names]}

    def keys(self) -> SigningKeys:
        return SigningKeys(reading(), self.fetch, lambda: self.now)


def test_keys_are_fetched_once() -> None:
    provider = Provider("one")
    keys = provider.keys()
    for _ in range(10):
        keys.find("one")
    assert provider.asked == 1


def test_a_new_key_is_found_and_an_old_one_forgotten() -> None:
    provider = Provider("one")
    keys = provider.keys()
    keys.find("one")
    provider.names = ("two",)
    provider.now += 31
    assert keys.find("two").key_id == "two"
    with pytest.raises(TokenError):
        keys.find("one")


def test_made_up_keys_do_not_flood_the_provider() -> None:
    provider = Provider("one")
    keys = provider.keys()
    for number in range(100):
        provider.now += 0.5
        with pytest.raises(TokenError):
            keys.find(f"made-up-{number}")
    assert provider.asked == 2


def test_a_key_that_was_taken_back_ends_within_the_hour() -> None:
    provider = Provider("one", "two")
    keys = provider.keys()
    keys.find("one")
    provider.names = ("two",)
    provider.now += 3601
    with pytest.raises(TokenError):
        keys.find("one")


def test_a_provider_that_is_away_locks_nobody_out_for_a_day() -> None:
    provider = Provider("one")
    keys = provider.keys()
    keys.find("one")
    provider.away = True
    provider.now += 20 * 3600
    assert keys.find("one").key_id == "one"
    provider.now += 5 * 3600
    with pytest.raises(TokenError):
        keys.find("one")


def test_keys_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    file.write_text(json.dumps(KEY_SET), "utf-8")
    assert Tokens(reading(jwks_url="", jwks_file=file)).read(token()).name == "ada"
    with pytest.raises(TokenError):
        Tokens(reading(jwks_url="", jwks_file=tmp_path / "gone.json")).read(token())


@pytest.fixture
def published() -> Iterator[str]:
    body = json.dumps(KEY_SET).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = self.path == "/keys"
            self.send_response(200 if found else 302)
            self.send_header("location", "/keys")
            self.end_headers()
            self.wfile.write(body if found else b"")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_keys_from_the_provider(published: str) -> None:
    assert Tokens(reading(jwks_url=f"{published}/keys")).read(token()).name == "ada"


def test_nobody_is_followed_elsewhere_for_keys(published: str) -> None:
    with pytest.raises(TokenError):
        Tokens(reading(jwks_url=f"{published}/moved")).read(token())
