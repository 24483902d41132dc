"""A process of the crew: one piece of work after the other, within its memory, until it is ended.

Nothing here is trusted to come to an end: the server ends a process whose time is over. The limit
of processor time is for when there is no server any more.
"""

import logging
import os
import resource
import signal
import socket
from pathlib import Path

from veridical.server.crew.duties import Asker, do
from veridical.server.crew.equipment import Equipment
from veridical.server.crew.frame import Outcome, framed, read_frame

_MB = 1 << 20
_SPARE_SECONDS = 5
_PAGE = os.sysconf("SC_PAGE_SIZE")
_STATM = Path("/proc/self/statm")
_MAPPED, _RESIDENT = 0, 1
"""Its columns."""

_log = logging.getLogger("veridical.crew")


def work(connection: socket.socket, equipment: Equipment, seconds: float, most_mb: int) -> None:
    """Do what is asked for until nobody asks any more, or it has become too large."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    begun_with = _pages(_RESIDENT)
    _limit_memory(most_mb)
    while True:
        try:
            duty, request = read_frame(connection)
        except (EOFError, OSError):
            return
        _limit_time(seconds)
        outcome, told = _done(equipment, duty, request)
        last = outcome is Outcome.TOO_LARGE or _pages(_RESIDENT) - begun_with > most_mb * _MB // 4
        connection.sendall(framed(outcome, told, last=last))
        if last:
            return


def _done(equipment: Equipment, duty: int, request: bytes) -> tuple[Outcome, bytes]:
    try:
        asker, _, body = request.partition(b"\n")
        return do(equipment, duty, Asker.model_validate_json(asker), body)
    except MemoryError:
        return Outcome.TOO_LARGE, b""
    except Exception:
        _log.exception("a piece of work broke")
        return Outcome.BROKE, b""


def _limit_memory(most_mb: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if (mapped := _pages(_MAPPED)) == 0:
        return
    most = mapped + most_mb * _MB
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    _limit(resource.RLIMIT_AS, most, hard)


def _limit_time(seconds: float) -> None:
    spent = resource.getrusage(resource.RUSAGE_SELF)
    end = round(spent.ru_utime + spent.ru_stime + seconds + _SPARE_SECONDS)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or end <= hard:
        _limit(resource.RLIMIT_CPU, end, hard)


def _limit(kind: int, most: int, hard: int) -> None:
    try:
        resource.setrlimit(kind, (most, hard))
    except (OSError, ValueError) as error:
        _log.warning("a process of the crew has no limit of its own: %s", error)


def _pages(column: int) -> int:
    """Bytes that this process has; 0 where the system does not say."""
    try:
        return int(_STATM.read_text().split()[column]) * _PAGE
    except OSError:
        return 0
