"""The processes that are measured: started, waited for until they are ready, and ended."""

import select
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from veridical.contracts.wire import Wire

READY = "ready"
_PATIENCE = 120.0
_LAST_WORDS = 2000


@dataclass(frozen=True)
class Started:
    """A process that is at work."""

    process: "subprocess.Popen[str]"
    port: int
    """Where it listens; 0 where it does not."""

    @property
    def has_ended(self) -> bool:
        """Whether it is done by itself."""
        return self.process.poll() is not None

    def cpu_seconds(self) -> float:
        """Processor time that it has taken so far."""
        used = psutil.Process(self.process.pid).cpu_times()
        return used.user + used.system


def say_ready(port: int = 0) -> None:
    """From within such a process: it may be used now."""
    print(READY, port, flush=True)


@contextmanager
def started(module: str, orders: Wire, folder: Path) -> Generator[Started]:
    """A process of this module of the package, until the block ends."""
    log = folder / f"{module}.log"
    command = [sys.executable, "-m", f"{__package__}.{module}", orders.model_dump_json()]
    with log.open("a") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        yield Started(process, _port(process, log))
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        finally:
            process.kill()


def _port(process: "subprocess.Popen[str]", log: Path) -> int:
    assert process.stdout is not None
    select.select([process.stdout], [], [], _PATIENCE)
    word, _, port = process.stdout.readline().partition(" ")
    if word != READY:
        raise RuntimeError(f"a process did not start: {log.read_text()[-_LAST_WORDS:]}")
    return int(port)
