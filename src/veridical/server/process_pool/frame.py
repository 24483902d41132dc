"""Framing of messages between the server and its pool: a short header, then JSON."""

import socket
import struct
from enum import IntEnum

HEAD = struct.Struct("!BBI")
"""A kind or an outcome, whether the process goes home afterwards, and how many bytes follow."""


class Outcome(IntEnum):
    """How a task ended."""

    DONE = 0
    """what follows is the response's body"""
    INVALID = 1
    """what follows are the faults of the request"""
    UNKNOWN_FEATURE = 2
    TOO_LARGE = 3
    """it needed more memory than a process may have"""
    BROKE = 4


def framed(kind: int, body: bytes, *, last: bool = False) -> bytes:
    """One frame."""
    return HEAD.pack(kind, last, len(body)) + body


def read_frame(connection: socket.socket) -> tuple[int, bytes]:
    """The next frame, without its mark of the last one. Raises ``EOFError`` when there is none."""
    kind, _, size = HEAD.unpack(_exactly(connection, HEAD.size))
    return kind, _exactly(connection, size)


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
