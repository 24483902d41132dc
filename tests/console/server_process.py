"""``veridical serve`` as a process that can be killed and started again at the same address."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

_COMMAND = (sys.executable, "-c", "from veridical.cli.main import app; app()", "serve", "--port")
PATIENCE = 120.0
_ADDRESS = re.compile(r"http://[\d.]+:(\d+)")


class ServerProcess:
    """A server with the settings of a folder."""

    def __init__(self, folder: Path, own: dict[str, str]) -> None:
        known = {name: value for name, value in os.environ.items() if "VERIDICAL" not in name}
        self._environment = {**known, **own, "PYTHONUNBUFFERED": "1"}
        self._folder = folder
        self._port = "0"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Starts it, and waits until it listens."""
        log = self._folder / "serve.log"
        with log.open("w") as output:
            self._process = subprocess.Popen(
                (*_COMMAND, self._port),
                cwd=self._folder,
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        until = time.monotonic() + PATIENCE
        while not (found := _ADDRESS.search(log.read_text())):
            assert self._process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.1)
        self._port = found[1]

    def kill(self) -> None:
        """Ends it as a machine that fails does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
