"""Framing of messages between the server and its pool: a short header, then JSON."""

import socket
import struct
from enum import IntEnum

from veridical.limited_process.frame import exactly

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
    kind, _, size = HEAD.unpack(exactly(connection, HEAD.size))
    return kind, exactly(connection, size)
