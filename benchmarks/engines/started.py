"""A server of a test in a process of its own, on a free port of the loopback."""

import os
import socket
import subprocess  # for tests
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

_PATIENCE = 10


@contextmanager
def started(
    command: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> Generator["subprocess.Popen[bytes]"]:
    """The process until the block ends; what it prints goes to the log."""
    with log.open("wb") as written:
        process = subprocess.Popen(
            command, env={**os.environ, **(environment or {})}, stdout=written, stderr=written
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port that no one listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
