"""``veridical serve`` in a folder, as somebody starts it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

COMMAND = (
    sys.executable,
    "-c",
    "from veridical.cli.main import app; app()",
    "serve",
    "--port",
    "0",
)
LINK = re.compile(r"(http://\S+)/console/enter\?code=\S+")
KEY = re.compile(r"key: (vk_\S+)")
PATIENCE = 180.0


@contextmanager
def serving(folder: Path) -> Generator[tuple[re.Match[str], str]]:
    """``veridical serve`` in this folder until the block ends; the link that signs in, and the
    key."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("VERIDICAL_")}
    known["PYTHONUNBUFFERED"] = "1"
    log = folder / "serve.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            COMMAND, cwd=folder, env=known, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            until = time.monotonic() + PATIENCE
            while not ((found := LINK.search(log.read_text())) and KEY.search(log.read_text())):
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.1)
            yield found, KEY.findall(log.read_text())[-1]
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
