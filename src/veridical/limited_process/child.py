"""The process that does one piece of work. The kernel ends it: at the end of its time, or when
the waiting program closes the connection; nothing in it is trusted to look at a clock."""

import fcntl
import logging
import os
import resource
import signal
import socket
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from veridical.limited_process.frame import HEAD, Outcome, exactly
from veridical.limited_process.limits import LimitError, Limits

_MB = 1_000_000
_log = logging.getLogger("veridical.limited_process")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_STATM = Path("/proc/self/statm")


def loaded(function: str) -> Callable[[bytes], Any]:
    """The function of a name such as ``package.module:name``, and the modules named behind it."""
    named, *needed = function.split()
    for each in needed:
        import_module(each)
    module, _, name = named.partition(":")
    return getattr(import_module(module), name)


def work(connection: socket.socket, function: str, limits: Limits) -> None:
    """Read the request, do the work, send what came of it."""
    _limit_memory(limits.megabytes)
    (size,) = HEAD.unpack(exactly(connection, HEAD.size))[1:]
    request = exactly(connection, size)
    signal.setitimer(signal.ITIMER_REAL, limits.patience)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    _end_with(connection)
    outcome, result = _done(function, request)
    signal.setitimer(signal.ITIMER_PROF, 0)
    fcntl.fcntl(connection, fcntl.F_SETFL, 0)  # that somebody reads is no reason to end
    connection.sendall(HEAD.pack(outcome, len(result)))
    connection.sendall(result)


def _done(function: str, request: bytes) -> tuple[Outcome, bytes]:
    try:
        return Outcome.DONE, loaded(function)(request)
    except LimitError:
        return Outcome.UNPACKED, b""
    except BaseException as error:
        try:
            ensure_memory(error)
        except MemoryError:
            return Outcome.MEMORY, b""
        return Outcome.BROKE, traceback.format_exc(limit=-5).encode("utf-8", "replace")


def ensure_memory(error: BaseException) -> None:
    """Raises ``MemoryError`` where an exception goes back to one, whatever a library calls it."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, MemoryError):
        cause = cause.__cause__ or cause.__context__
    if cause is not None:
        raise MemoryError from error


def _end_with(connection: socket.socket) -> None:
    """Let the kernel end this process when the other side of the connection is closed."""
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETFL, os.O_ASYNC)
    try:
        is_closed = connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        is_closed = False
    if is_closed:  # before it could be noticed
        os._exit(1)


def _limit_memory(megabytes: int) -> None:
    """Limit how much more memory this process may map, on systems with such a limit."""
    if (mapped := _mapped_bytes()) == 0:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = mapped + megabytes * _MB
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    except (OSError, ValueError) as error:
        _log.warning("a process has no limit of its memory: %s", error)


def _mapped_bytes() -> int:
    """Bytes that this process has mapped; 0 where the system does not report them."""
    try:
        return int(_STATM.read_text().split()[0]) * _PAGE
    except OSError:
        return 0
