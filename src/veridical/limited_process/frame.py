"""How a process and those who gave it its work talk: numbers of fixed size, then bytes."""

import socket
import struct
from enum import IntEnum
from typing import NamedTuple

ORDER = struct.Struct("!dI256s")
"""Seconds, megabytes and the function: an order to the fork server, with two descriptors. One
without seconds is carried out by the fork server itself, on the file that comes with it."""
STATUS = struct.Struct("!idd")
"""How a process ended, as the fork server tells it: see ``Status``."""
HEAD = struct.Struct("!BQ")
"""An outcome, and how many bytes follow."""


class Outcome(IntEnum):
    """How the work ended, where its process could still tell."""

    DONE = 0
    MEMORY = 1
    UNPACKED = 2
    BROKE = 3
    """What follows is the exception, for a log."""


class Status(NamedTuple):
    """How a process ended, and what it had used until then."""

    signal: int
    """That killed it; 0 for none."""
    seconds: float
    """Of the processor."""
    peak_mb: float
    """Resident at most, with what it began with."""


def exactly(connection: socket.socket, size: int) -> bytes:
    """So many bytes. Raises ``EOFError`` where there are fewer."""
    parts: list[bytes] = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
