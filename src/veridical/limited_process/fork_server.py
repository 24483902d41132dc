"""Fork server: loads what work needs once, and forks a process for each piece of work.

    python -m veridical.limited_process.fork_server CONTROL NICE

A fork is ready at once, where a new process would take seconds to load a parser. The fork server
never looks at what the work is about. It tells how each process ended, and leaves none behind when
the program that started it is gone.
"""

import gc
import os
import resource
import selectors
import signal
import socket
import sys
from contextlib import suppress
from functools import cache
from types import FrameType

from veridical.limited_process.child import loaded, work
from veridical.limited_process.frame import ORDER, STATUS
from veridical.limited_process.limits import Limits

_MB = 1_000_000
_OTHERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals to a whole group of processes: the program decides what becomes of its work."""
_IN_KILOBYTES = sys.platform != "darwin"


class _Children:
    """The processes that are at work, each with the pipe for its status."""

    def __init__(self) -> None:
        self._pipes: dict[int, int] = {}

    def add(self, number: int, pipe: int) -> None:
        """Add a process that has begun."""
        self._pipes[number] = pipe

    def reap(self, *, wait: bool = False) -> None:
        """Report the processes that have ended."""
        while self._pipes:
            number, ended, used = os.wait4(-1, 0 if wait else os.WNOHANG)
            if not number:
                return
            pipe = self._pipes.pop(number)
            killed_by = os.WTERMSIG(ended) if os.WIFSIGNALED(ended) else 0
            peak = used.ru_maxrss * (1024 if _IN_KILOBYTES else 1) / _MB
            with suppress(OSError):
                os.write(pipe, STATUS.pack(killed_by, used.ru_utime + used.ru_stime, peak))
            os.close(pipe)

    def kill(self) -> None:
        """End all of them."""
        for number in self._pipes:
            os.kill(number, signal.SIGKILL)
        self.reap(wait=True)


def serve(control: socket.socket) -> None:
    """Fork processes until the program is gone."""
    children = _Children()
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _noticed)
    events = selectors.DefaultSelector()
    events.register(control, selectors.EVENT_READ)
    events.register(woken, selectors.EVENT_READ)
    try:
        while True:
            for key, _ in events.select():
                if key.fileobj == woken:
                    os.read(woken, 4096)
                elif not _take_order(control, children):
                    return
            children.reap()
    finally:
        children.kill()


def _noticed(number: int, frame: FrameType | None) -> None:
    """A signal with a handler wakes the selector; one without would not."""


@cache
def _prepare(function: str) -> None:
    """Load what the work needs, once for all processes; its module may warm up what it uses."""
    loaded(function)
    module = sys.modules[function.partition(":")[0]]
    getattr(module, "warm", lambda: None)()
    _settle()


def _settle() -> None:
    """Keep everything loaded so far out of garbage collection: all processes share it."""
    gc.collect()
    gc.freeze()


def _take_order(control: socket.socket, children: _Children) -> bool:
    """Carry out one order; false if the program is gone."""
    order, handed, _, _ = socket.recv_fds(control, ORDER.size, 2)
    if not order:
        return False
    seconds, megabytes, name = ORDER.unpack(order)
    function = name.rstrip(b"\0").decode()
    if not seconds:
        with os.fdopen(handed[0], "rb") as given:
            given.seek(0)
            loaded(function)(given.read())
        _settle()
        return True
    with suppress(Exception):  # the process meets it again, and reports it
        _prepare(function)
    pipe = handed[1]
    with socket.socket(fileno=handed[0]) as connection:
        number = os.fork()
        if not number:
            _become_child(control, connection, function, Limits(seconds, megabytes, 0, 0))
    children.add(number, pipe)
    return True


def _become_child(
    control: socket.socket, connection: socket.socket, function: str, limits: Limits
) -> None:
    status = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control.close()
        work(connection, function, limits)
        status = 0
    except (EOFError, OSError):
        pass  # the program that gave the work is gone
    finally:
        os._exit(status)  # nothing of the fork server's is to be run again


def main() -> None:
    """Serve on the socket that the program passed to this process."""
    for each in _OTHERS:
        signal.signal(each, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    descriptor, nice = map(int, sys.argv[1:])
    with suppress(OSError):  # where it is not allowed, all go at the same pace
        os.nice(nice)
    with suppress(OSError), socket.socket(fileno=descriptor) as control:
        serve(control)
    os._exit(0)  # what was kept out of garbage collection would be reported as leaked


if __name__ == "__main__":
    main()
