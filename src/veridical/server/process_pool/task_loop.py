"""The loop of a pool process: one task after the other, within limits of memory and time.

Nothing here is trusted to terminate: the server kills a process whose time is over. The CPU limit
is for when the server itself is gone.
"""

import logging
import resource
import signal
import socket

from veridical.limited_process.child import RESIDENT, limit_memory, memory_bytes
from veridical.server.process_pool.frame import Outcome, framed, read_frame
from veridical.server.process_pool.task_context import TaskContext
from veridical.server.process_pool.tasks import TaskCaller, run_task

_MB = 1_000_000
_SPARE_SECONDS = 5

_log = logging.getLogger("veridical.process_pool")


def run_tasks(
    connection: socket.socket, context: TaskContext, seconds: float, most_mb: int
) -> None:
    """Run tasks until the connection is closed, or the process has grown too large."""
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    begun_with = memory_bytes(RESIDENT)
    limit_memory(most_mb)
    while True:
        try:
            task, request = read_frame(connection)
        except (EOFError, OSError):
            return
        _limit_time(seconds)
        outcome, told = _done(context, task, request)
        last = (
            outcome is Outcome.TOO_LARGE or memory_bytes(RESIDENT) - begun_with > most_mb * _MB // 4
        )
        connection.sendall(framed(outcome, told, last=last))
        if last:
            return


def _done(context: TaskContext, task: int, request: bytes) -> tuple[Outcome, bytes]:
    try:
        asker, _, body = request.partition(b"\n")
        return run_task(context, task, TaskCaller.model_validate_json(asker), body)
    except MemoryError:
        return Outcome.TOO_LARGE, b""
    except Exception:
        _log.exception("a piece of work broke")
        return Outcome.BROKE, b""


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
        _log.warning("a pool process has no limit of its own: %s", error)
