"""Which addresses of a model may be named over the network, and what is connected to."""

import asyncio
import json
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler

import httpx2
import pytest

from tests.agent.local_server import LocalServer, serving
from veridical.agent.model_address import (
    AddressProblem,
    AddressRefusedError,
    AllowedAddresses,
    guarded_client,
)

PUBLIC = "93.184.215.14"


def _allowed(*addresses: str, hosts: Sequence[str] = ()) -> AllowedAddresses:
    async def resolve(host: str) -> Sequence[str]:
        return addresses

    return AllowedAddresses(frozenset(hosts), resolve)


def _problem(url: str, allowed: AllowedAddresses) -> AddressProblem | None:
    try:
        asyncio.run(allowed.check(url))
    except AddressRefusedError as error:
        return error.problem
    return None


@pytest.mark.parametrize(
    "url",
    [
        "ftp://models.example/v1",
        "file:///etc/passwd",
        "gopher://models.example",
        "models.example/v1",
        "https://",
        "https://user:password@models.example/v1",
        "https://models.example/v1?next=1",
        "https://models.example/v1#part",
        "https://models.example:99999/v1",
        "https://[::1/v1",
        "https://models.example/" + "a" * 600,
    ],
)
def test_what_is_no_address_of_a_model(url: str) -> None:
    assert _problem(url, _allowed(PUBLIC)) is AddressProblem.NO_ADDRESS


def test_what_is_public_goes_over_https() -> None:
    assert _problem("https://models.example/v1", _allowed(PUBLIC)) is None
    assert _problem("http://models.example/v1", _allowed(PUBLIC)) is AddressProblem.NOT_HTTPS


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::1",
        "ff02::1",
    ],
)
def test_what_only_the_server_can_reach_is_refused(address: str) -> None:
    """Under whatever name, and also where only one of its addresses is such a one."""
    allowed = _allowed(PUBLIC, address)
    assert _problem("https://models.example/v1", allowed) is AddressProblem.NOT_PUBLIC


@pytest.mark.parametrize("written", ["2130706433", "0x7f000001", "127.1", "0177.0.0.1", "[::1]"])
def test_addresses_in_other_spellings_are_looked_at_as_they_are(written: str) -> None:
    problem = _problem(f"https://{written}/v1", AllowedAddresses())
    assert problem in {AddressProblem.NOT_PUBLIC, AddressProblem.NO_HOST}


def test_a_host_that_the_operator_names_is_taken_as_it_is() -> None:
    allowed = _allowed("10.0.0.7", hosts=["gpu.lan"])
    assert _problem("http://GPU.lan:8000/v1", allowed) is None
    assert _problem("https://other.lan/v1", allowed) is AddressProblem.NOT_PUBLIC


def _talking(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
    body = json.dumps({"host": handler.headers["host"]}).encode()
    handler.send_response(200)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def _redirecting(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
    handler.send_response(307)
    handler.send_header("location", server.url)
    handler.send_header("content-length", "0")
    handler.end_headers()


async def _posted(allowed: AllowedAddresses, url: str) -> httpx2.Response:
    async with guarded_client(allowed) as client:
        return await client.post(url, json={})


def test_what_was_looked_at_is_what_is_connected_to() -> None:
    """A name that means a public address for the check and another one a moment later."""
    answers = iter([[PUBLIC], ["127.0.0.1"]])

    async def resolve(host: str) -> Sequence[str]:
        return next(answers)

    async def tried(url: str) -> None:
        allowed = AllowedAddresses(resolve=resolve)
        await allowed.check(url)
        await _posted(allowed, url)

    with serving(_talking) as server:
        port = server.url.split(":")[2]
        with pytest.raises(httpx2.ConnectError):
            asyncio.run(tried(f"https://models.example:{port}"))
        assert server.bodies == []


def test_the_next_address_is_tried_and_the_name_is_sent() -> None:
    with serving(_talking) as server:
        allowed = _allowed("::1", "127.0.0.1", hosts=["models.lan"])
        url = server.url.replace("127.0.0.1", "models.lan")
        assert asyncio.run(_posted(allowed, url)).json()["host"].startswith("models.lan:")


def test_no_redirect_is_followed() -> None:
    with serving(_redirecting) as server:
        allowed = _allowed("127.0.0.1", hosts=["127.0.0.1"])
        assert asyncio.run(_posted(allowed, server.url)).status_code == 307
        assert len(server.bodies) == 1
