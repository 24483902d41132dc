"""Frames between a process and the program that gave it work: fixed-size numbers, then bytes."""

import socket
import struct
from enum import IntEnum
from typing import NamedTuple

ORDER = struct.Struct("!dI256s")
"""Seconds, megabytes and the function: an order to the fork server, with two descriptors. One
without seconds is carried out by the fork server itself, on the file that comes with it."""
STATUS = struct.Struct("!idd")
"""The end of a process, as the fork server reports it: see ``Status``."""
HEAD = struct.Struct("!BQ")
"""An outcome, and how many bytes follow."""


class Outcome(IntEnum):
    """Outcome of the work, as reported by its process."""

    DONE = 0
    MEMORY = 1
    UNPACKED = 2
    BROKE = 3
    """Followed by the exception, for a log."""


class Status(NamedTuple):
    """Signal, processor time and memory of a process that has ended."""

    signal: int
    """The signal that killed it; 0 for none."""
    seconds: float
    """Processor time."""
    peak_mb: float
    """Peak resident memory, including what it began with."""


def exactly(connection: socket.socket, size: int) -> bytes:
    """Read exactly this many bytes. Raises ``EOFError`` where there are fewer."""
    parts: list[bytes] = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
