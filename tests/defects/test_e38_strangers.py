"""What a stranger can make a server do: nothing is read for them, and nothing is held open."""

import json
import socket
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx2
import pytest

from tests.sample import trustee
from tests.server.conftest import own_database
from tests.server.rights import NEEDS
from tests.server.standing import ACME, BALANCE, GLOBEX, Standing, standing
from veridical.answering.feature import Feature
from veridical.server.identity import Role

__all__ = ["own_database", "trustee"]
pytestmark = pytest.mark.postgres

HEADER_SECONDS, BODY_SECONDS = 1.5, 1.5
PATIENCE = 20.0
MALFORMED = (b"{", b"[" * 5_000, b'{"a": "\\ud800"}', b"\xff\xfe", b"null", b"1e999", b"{}")
WITH_BODY = sorted(
    {path.replace("{id}", "0123456789abcdef") for method, path in NEEDS if method == "POST"}
    | {"/v1/nowhere"}
)
A_MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def server(own_database: Any, trustee: Feature) -> Generator[Standing]:
    url, keys = own_database
    settings: dict[str, Any] = {
        "header_seconds": HEADER_SECONDS,
        "body_seconds": BODY_SECONDS,
        "address_connections": 40,
        "key_watchers": 2,
        "tenant_watchers": 3,
    }
    with standing(url, trustee, keys, **settings) as running:
        yield running


@contextmanager
def _line(server: Standing) -> Generator[socket.socket]:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as line:
        yield line


def _told(line: socket.socket) -> bytes:
    """All that comes until the server closes or there is a whole head."""
    told = b""
    while b"\r\n\r\n" not in told and (part := line.recv(4096)):
        told += part
    return told


def _is_closed(line: socket.socket) -> bool:
    try:
        while line.recv(4096):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("path", WITH_BODY)
def test_e38_a_stranger_is_told_so_whatever_they_send(server: Standing, path: str) -> None:
    kinds = ("application/json", "text/plain", "")
    for number, body in enumerate(MALFORMED):
        headers = {"content-type": kinds[number % 3]}
        got = httpx2.post(f"{server.address}{path}", content=body, headers=headers, timeout=60)
        assert got.status_code == 401, body


@pytest.mark.parametrize("path", WITH_BODY)
@pytest.mark.parametrize("head", [f"Content-Length: {A_MEGABYTE}", "Transfer-Encoding: chunked"])
def test_e38_a_strangers_body_is_not_waited_for(server: Standing, path: str, head: str) -> None:
    began = time.monotonic()
    with _line(server) as line:
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n".encode())
        told = _told(line)
        assert told.startswith(b"HTTP/1.1 401 ")
        assert b"connection: close" in told.lower()
        assert _is_closed(line)
    assert time.monotonic() - began < PATIENCE / 2


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics", "/nowhere"])
def test_e38_where_nobody_signs_in_nothing_is_read(server: Standing, path: str) -> None:
    with _line(server) as line:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {A_MEGABYTE}\r\n\r\n"
        line.sendall(head.encode())
        told = _told(line)
        assert told.split(b" ")[1] in (b"404", b"405")
        assert _is_closed(line)


@pytest.mark.parametrize(
    "twice",
    [
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 2",
        "Authorization: Bearer {key}\r\nContent-Length: 2",
        "Authorization: Bearer other\r\nContent-Length: 2",
        "Content-Type: text/plain\r\nContent-Length: 2",
        "Host: y\r\nContent-Length: 2",
    ],
)
def test_e38_what_can_be_read_in_two_ways_is_refused(server: Standing, twice: str) -> None:
    key = server.keys[ACME, Role.ANALYST]
    with _line(server) as line:
        line.sendall(
            "POST /v1/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {key}\r\n{twice.format(key=key)}\r\n\r\n{{}}".encode()
        )
        assert _told(line).startswith(b"HTTP/1.1 400 ")
        assert _is_closed(line)


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET /health/live HTTP/1.1\r\nHost: x\r\n", b"GET /health/live HTTP/1.1\r\nHo"],
    ids=["nothing", "headers", "a part of one"],
)
def test_e38_a_connection_that_says_nothing_is_closed(server: Standing, begun: bytes) -> None:
    began = time.monotonic()
    with _line(server) as line:
        line.sendall(begun)
        assert _is_closed(line)
    assert HEADER_SECONDS * 0.5 < time.monotonic() - began < HEADER_SECONDS + PATIENCE / 2


def test_e38_headers_in_drops_give_no_more_time(server: Standing) -> None:
    began = time.monotonic()
    with _line(server) as line, suppress(ConnectionError):
        line.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n")
        while time.monotonic() - began < PATIENCE:
            line.sendall(b"X-A: b\r\n")
            time.sleep(0.1)
    assert time.monotonic() - began < HEADER_SECONDS + PATIENCE / 2


def test_e38_so_do_headers_of_a_second_request(server: Standing) -> None:
    with _line(server) as line:
        line.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert _told(line).startswith(b"HTTP/1.1 200 ")
        line.sendall(b"GET /health/live HTTP/1.1\r\nHo")
        assert _is_closed(line)


def test_e38_a_body_in_drops_is_given_up(server: Standing) -> None:
    key = server.keys[ACME, Role.ANALYST]
    with _line(server) as line:
        line.sendall(
            "POST /v1/ask HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f'Authorization: Bearer {key}\r\nContent-Length: 5000\r\n\r\n{{"'.encode()
        )
        assert _told(line).startswith(b"HTTP/1.1 408 ")
        assert _is_closed(line)


def test_e38_one_address_does_not_take_every_connection(server: Standing) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(_line(server)) for _ in range(60)]
        time.sleep(0.2)
        for line in lines:
            line.settimeout(0.05)
        refused = sum(_is_closed(line) for line in lines)
    assert refused >= 20
    assert httpx2.get(f"{server.address}/health/live", timeout=60).status_code == 200


def test_e38_one_viewer_does_not_take_every_stream(server: Standing) -> None:
    waits = {"feature": "trustee", "question": BALANCE, "approvals": {"evidence": True}}
    held: list[Any] = []
    with ExitStack() as stack:
        mine = stack.enter_context(server.client(role=Role.VIEWER))
        also = stack.enter_context(server.client(role=Role.ANALYST))
        other = stack.enter_context(server.client(GLOBEX))
        run, others = (each.post("/v1/runs", json=waits).json()["runId"] for each in (also, other))

        def watch(client: httpx2.Client, run_id: str) -> int:
            stream = stack.enter_context(client.stream("GET", f"/v1/runs/{run_id}/events"))
            if stream.status_code == 200:
                parts = stream.iter_bytes()
                next(parts)
                held.append(parts)
            return stream.status_code

        assert [watch(mine, run) for _ in range(3)] == [200, 200, 429]
        assert [watch(also, run) for _ in range(2)] == [200, 429]
        assert watch(other, others) == 200
        assert json.loads(other.post("/v1/ask", json=waits | {"approvals": None}).content)
