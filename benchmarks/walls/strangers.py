"""What a server does for those who show no credential: what it reads, and what it holds."""

import resource
import socket
import time
from typing import Any

_PATHS = (
    *("/v1/ask", "/v1/gate", "/v1/check", "/v1/runs", "/v1/keys", "/v1/chat/completions", "/mcp"),
    *("/v1/gate/false-blocks", "/v1/runs/0123456789abcdef/cancel", "/v1/nowhere"),
    "/v1/inbox/0123456789abcdef/decision",
)
_BODIES = (
    b"{",
    b"[" * 20_000,
    b'{"a": "\\ud800"}',
    b"\xff\xfe\x00",
    b"null",
    b"1e999",
    b"{}",
    b"<a/>",
)
_SIGNED = ("", "Authorization: Bearer vk_x\r\n", "Authorization: Basic eDp5\r\n")
_A_MEGABYTE = 1_048_576
_PATIENCE = 10.0
_BEGUN = b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


def unauthenticated(port: int, paths: tuple[str, ...] = _PATHS) -> dict[str, Any]:
    """Bodies that were read or waited for though nobody was signed in: any answer but 401 to what
    is malformed, or none before a body that is announced and never sent."""
    tried = parsed = 0
    for path in paths:
        for number, body in enumerate(_BODIES):
            signed = _SIGNED[number % len(_SIGNED)]
            kind = ("application/json", "text/plain")[number % 2]
            head = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n{signed}"
            tried += 1
            parsed += _status(port, path, head, body) != b"401"
        for size in (f"Content-Length: {_A_MEGABYTE}\r\n", "Transfer-Encoding: chunked\r\n"):
            tried += 1
            parsed += (
                _status(port, path, f"Content-Type: application/json\r\n{size}", b"") != b"401"
            )
    return {"unauthenticated_parsed": parsed, "unauthenticated_tried": tried}


def _status(port: int, path: str, head: str, body: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), _PATIENCE) as line:
        try:
            line.sendall(f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{head}\r\n".encode() + body)
            return line.recv(4096).partition(b" ")[2][:3]
        except OSError:
            return b""


class SlowLines:
    """Connections that send one byte of a header now and then."""

    def __init__(self, port: int, count: int) -> None:
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.count = count
        self._since = time.monotonic()
        self._lines: list[socket.socket] = []
        for _ in range(count):
            try:
                line = socket.create_connection(("127.0.0.1", port), _PATIENCE)
                line.sendall(_BEGUN)
            except OSError:
                continue
            line.setblocking(False)
            self._lines.append(line)

    def held(self, after_seconds: float) -> int:
        """How many are still open so long after they were opened."""
        while time.monotonic() - self._since < after_seconds:
            time.sleep(0.5)
            for line in self._lines:
                try:
                    line.send(b"x")
                except OSError:
                    continue
        open_lines = sum(_is_open(line) for line in self._lines)
        for line in self._lines:
            line.close()
        return open_lines


def _is_open(line: socket.socket) -> bool:
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False
