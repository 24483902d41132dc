"""A client that takes hardly any time itself: one connection, one request after the other."""

import json
import socket
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_PATIENCE = 60.0
_AT_ONCE = 65_536


@dataclass(frozen=True)
class Line:
    """An open connection to a server."""

    connection: socket.socket
    key: str = ""
    """The API key of whoever asks."""

    def get(self, path: str) -> bytes:
        """The body of the response. Raises ``RuntimeError`` unless it is 200."""
        return self._exchange(self._head("GET", path))

    def post(self, path: str, body: Any, status: int = 200) -> bytes:
        """The body of the response. Raises ``RuntimeError`` for another status."""
        sent = json.dumps(body).encode()
        more = f"content-type: application/json\r\ncontent-length: {len(sent)}\r\n"
        return self._exchange(self._head("POST", path, more) + sent, status)

    def _head(self, method: str, path: str, more: str = "") -> bytes:
        signed = f"authorization: Bearer {self.key}\r\n" if self.key else ""
        return f"{method} {path} HTTP/1.1\r\nhost: localhost\r\n{signed}{more}\r\n".encode()

    def _exchange(self, request: bytes, status: int = 200) -> bytes:
        self.connection.sendall(request)
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._received()
        head, _, body = head.partition(b"\r\n\r\n")
        if not head.startswith(f"HTTP/1.1 {status} ".encode()):
            raise RuntimeError(f"{head.decode()} {body.decode()}")
        size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        while len(body) < size:
            body += self._received()
        return body

    def _received(self) -> bytes:
        part = self.connection.recv(_AT_ONCE)
        if not part:
            raise ConnectionError("the server has closed the connection")
        return part


@contextmanager
def open_line(port: int, key: str = "") -> Generator[Line]:
    """A connection to this machine's server at this port."""
    with socket.create_connection(("127.0.0.1", port), _PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield Line(connection, key)
