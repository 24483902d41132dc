"""A piece of work in a process of its own, as the program that wants it sees it.

The fork server is started with the first job and ends with the program.
"""

import atexit
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from threading import Lock

from veridical.limited_process.frame import HEAD, ORDER, STATUS, Outcome, Status, exactly
from veridical.limited_process.limits import BrokenWorkError, Limit, LimitError, Limits

_ENDING_SECONDS = 2.0
_SPARE_SECONDS = 60.0
"""Seconds for loading modules before the work begins."""
_TIME = (signal.SIGPROF, signal.SIGALRM)
_REASONS = {Outcome.MEMORY: Limit.MEMORY, Outcome.UNPACKED: Limit.UNPACKED}

Give = Callable[[bytes, list[int]], None]
"""Gives an order with its descriptors to a fork server."""

STARTED: ContextVar[Callable[["Job"], None] | None] = ContextVar("started", default=None)
"""Called with every job that begins in this context, so that it can be cancelled."""

_log = logging.getLogger("veridical.limited_process")


class Job:
    """One piece of work, under way from the start."""

    def __init__(
        self, function: str, request: bytes, limits: Limits, give: Give | None = None
    ) -> None:
        self._function, self._request, self._limits = function, request, limits
        self._connection, theirs = socket.socketpair()
        self._connection.settimeout(limits.patience + _SPARE_SECONDS)
        self._status, status = os.pipe()
        self.status: Status | None = None
        """The end of its process, once there is a result."""
        order = ORDER.pack(limits.seconds, limits.megabytes, function.encode())
        try:
            with theirs:
                (give or _give)(order, [theirs.fileno(), status])
        except BaseException:
            self.close()
            raise
        finally:
            os.close(status)
        if (started := STARTED.get()) is not None:
            started(self)

    def result(self) -> bytes:
        """The result of the work. Raises ``LimitError``."""
        outcome, size, result = self._exchanged()
        if outcome is not None and outcome in _REASONS:
            raise LimitError(_REASONS[outcome], self._limits)
        if size > self._limits.result_bytes:
            raise LimitError(Limit.RESULT, self._limits)
        if result is None:
            raise LimitError(self._cause(), self._limits)
        if outcome == Outcome.BROKE:
            raise BrokenWorkError(self._limits, result.decode("utf-8", "replace"))
        return result

    def _exchanged(self) -> tuple[Outcome | None, int, bytes | None]:
        """The outcome, the size of the result, and the result unless it is too large."""
        outcome, size, result = None, 0, None
        try:
            with suppress(EOFError, OSError):
                self._connection.sendall(HEAD.pack(0, len(self._request)))
                self._connection.sendall(self._request)
                code, size = HEAD.unpack(exactly(self._connection, HEAD.size))
                outcome = Outcome(code)
                if size <= self._limits.result_bytes:
                    result = exactly(self._connection, size)
            self._connection.close()  # which ends what still goes on
            ended = os.read(self._status, STATUS.size)
            if ended:
                self.status = Status(*STATUS.unpack(ended))
                _log.debug("%s ended: %s", self._function, self.status)
        finally:
            self.close()
        return outcome, size, result

    def cancel(self) -> None:
        """End it; waiting for its result raises a ``LimitError``."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def _cause(self) -> Limit:
        if self.status is None or self.status.signal in _TIME:
            return Limit.TIME
        return Limit.CRASH

    def close(self) -> None:
        """Close its descriptors; for a job whose result is not awaited."""
        self._connection.close()
        if self._status >= 0:
            os.close(self._status)
            self._status = -1


def run_limited(function: str, request: bytes, limits: Limits) -> bytes:
    """The result of ``package.module:name`` for the request, in a process within these limits.

    Modules that are named after it, separated by spaces, are loaded before its time begins. Raises
    ``LimitError``.
    """
    return Job(function, request, limits).result()


class ForkServer:
    """A fork server, and with it all processes that it forks.

    What it is to load before anything else is a function, as in ``run_limited``, and what that is
    given. Nothing waits for it here: orders are carried out when it has loaded.
    """

    def __init__(self, nice: int, load: tuple[str, bytes] | None = None) -> None:
        self.owner = os.getpid()
        self._control, theirs = socket.socketpair()
        with theirs:
            command = (sys.executable, "-m", "veridical.limited_process.fork_server")
            self._process = subprocess.Popen(  # noqa: S603 # our own module
                (*command, str(theirs.fileno()), str(nice)),
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl+C is the program's
            )
        if load is not None:
            function, given = load
            with tempfile.TemporaryFile() as file:  # which takes any size at once
                file.write(given)
                file.flush()
                self.order(ORDER.pack(0, 0, function.encode()), [file.fileno()])

    @property
    def is_alive(self) -> bool:
        """Whether it can be given orders, by this process."""
        return self.owner == os.getpid() and self._process.poll() is None

    def order(self, what: bytes, handed: list[int]) -> None:
        """Fork a process."""
        socket.send_fds(self._control, [what], handed)

    def end(self) -> None:
        """End it, and with it all that it forked."""
        self._control.close()
        if self.owner != os.getpid():
            return
        try:
            self._process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_LOCK = Lock()
_RUNNING: list[ForkServer] = []
_NICE = [0]


def _fork_server() -> ForkServer:
    with _LOCK:
        if _RUNNING and not _RUNNING[0].is_alive:
            _RUNNING.pop().end()
        if not _RUNNING:
            _RUNNING.append(ForkServer(_NICE[0]))
        return _RUNNING[0]


def _give(order: bytes, handed: list[int]) -> None:
    """Give the order to the fork server, or to a new one if it has just ended."""
    try:
        _fork_server().order(order, handed)
    except OSError:
        _fork_server().order(order, handed)


def stay_behind(nice: int) -> None:
    """Lower the priority of all later work of this program."""
    end_all()
    _NICE[0] = nice


def end_all() -> None:
    """End all work of this program at once."""
    with _LOCK:
        while _RUNNING:
            _RUNNING.pop().end()


atexit.register(end_all)
