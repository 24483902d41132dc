"""Fork server: a preloaded process that forks the pool's processes.

    python -m veridical.server.process_pool.forkserver CONTROL SECONDS MEGABYTES

A fork is ready at once, where a new process would take seconds to load. The fork server has one
thread and no state but its children; it forks one for each connection that it is handed, kills
those that the server names, and leaves none behind when the server is gone.
"""

import gc
import json
import os
import signal
import socket
import struct
import sys
from contextlib import suppress

from veridical.contracts.language import Language
from veridical.server.process_pool import task_loop, tasks
from veridical.server.process_pool.frame import read_frame
from veridical.server.process_pool.task_context import TaskContext, unpacked

NUMBER = struct.Struct("!q")
"""A process, as the server and the forkserver name it."""
START, END = 0, 1
_A_GATE = b"""
{"answer": "North made 1,200.50 in May 2024.", "evidence": [{"region": "North", "n": 1200.5}]}
"""
_NICE = 10
"""Those who wait for a known question go first."""
_SERVERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals to a whole group of processes: the server decides what becomes of the pool."""


def serve(control: socket.socket, seconds: float, most_mb: int) -> None:
    """Fork and kill processes until the server is gone."""
    context = unpacked(read_frame(control)[1])
    _warm(context)
    control.sendall(NUMBER.pack(0))
    children: set[int] = set()
    try:
        while (order := _order(control)) is not None:
            wanted, number, connection = order
            if connection is not None and wanted == START:
                number = _copy(control, connection, context, seconds, most_mb)
                children.add(number)
            elif number in children:
                _end(number)
                children.discard(number)
            control.sendall(NUMBER.pack(number))
    finally:
        for child in children:
            _end(child)


def _order(control: socket.socket) -> tuple[int, int, socket.socket | None] | None:
    try:
        told, handed, _, _ = socket.recv_fds(control, 1 + NUMBER.size, 1)
    except OSError:
        return None
    if not told:
        return None
    connection = socket.socket(fileno=handed[0]) if handed else None
    return told[0], NUMBER.unpack(told[1:])[0], connection


def _copy(
    control: socket.socket,
    connection: socket.socket,
    context: TaskContext,
    seconds: float,
    most_mb: int,
) -> int:
    child = os.fork()
    if child:
        connection.close()
        return child
    status = 1
    try:
        control.close()
        task_loop.run_tasks(connection, context, seconds, most_mb)
        status = 0
    finally:
        os._exit(status)  # nothing of the forkserver's is to be run again


def _end(child: int) -> None:
    """Until it is waited for, its number is nobody else's."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _warm(context: TaskContext) -> None:
    """What is made on first use is made once, and shared by all copies."""
    asker = tasks.TaskCaller(language=Language.EN, scopes={name: {} for name in context.checkers})
    tasks.run_task(context, tasks.Task.GATE, asker, _A_GATE)
    for feature in context.checkers:
        asked = {"feature": feature, "call": {"tool": "executeSqlSafe", "sql": "SELECT 1"}}
        tasks.run_task(context, tasks.Task.CHECK, asker, json.dumps(asked).encode())
    gc.collect()
    gc.freeze()


def main() -> None:
    """Serve on the socket that the server passed to this process."""
    for each in _SERVERS:
        signal.signal(each, signal.SIG_IGN)
    with suppress(OSError):  # where it is not allowed, all go at the same pace
        os.nice(_NICE)
    descriptor, seconds, most_mb = sys.argv[1:]
    try:
        with socket.socket(fileno=int(descriptor)) as control:
            serve(control, float(seconds), int(most_mb))
    except (EOFError, OSError):
        return  # the server was gone before all was loaded


if __name__ == "__main__":
    main()
